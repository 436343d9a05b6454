import { expect, test } from 'vitest'
import { toColumns } from './columns.ts'
import { layOut } from './lay-out.ts'
import { type Line, paint } from './terminal.ts'

test('cells are aligned, without trailing space', () => {
  expect(
    toTexts(
      toColumns([
        ['a', 'b'],
        ['long', paint('bold', 'c')],
        ['x', ''],
      ]),
    ),
  ).toEqual(['a     b', 'long  c', 'x'])
})

test('a column that is empty everywhere takes no room', () => {
  expect(
    toTexts(
      toColumns([
        ['a', '', 'b'],
        ['c', '', 'd'],
      ]),
    ),
  ).toEqual(['a  b', 'c  d'])
})

test('a cell cannot break its row', () => {
  expect(toTexts(toColumns([['a\nb', 'c']]))).toEqual(['a\\nb  c'])
})

test('the last column wraps at words, below its start', () => {
  const text = 'reads a file, or some of its lines, and says so'
  expect(toTexts(toColumns([['name', text]], { width: 30 }))).toEqual([
    'name  reads a file, or some of\n      its lines, and says so',
  ])
})

test('the least important columns are left out first, and only if the rows do not fit', () => {
  const rows = [['first', 'second', 'third', 'the outcome']]
  const at = (width: number) => toTexts(toColumns(rows, { width, drop: [2, 1] }))
  expect(at(32)).toEqual(['first  second  third  the outcome'.replace('  third', '')])
  expect(at(33)).toEqual(['first  second  third  the outcome'])
  expect(at(20)).toEqual(['first  the outcome'])
})

test('a long name does not squeeze the other rows', () => {
  const rows = [
    ['short', 'reads a file, or some of its lines'],
    ['a_name_that_is_much_longer_than_all_others', 'writes a file'],
  ]
  expect(toTexts(toColumns(rows, { width: 50 }))).toEqual([
    'short                 reads a file, or some of its\n                      lines',
    'a_name_that_is_much_longer_than_all_others\n                      writes a file',
  ])
})

test('wide characters count twice', () => {
  expect(
    toTexts(
      toColumns([
        ['日本', 'a'],
        ['abcde', '🎉b'],
      ]),
    ),
  ).toEqual(['日本   a', 'abcde  🎉b'])
})

test('later rows align with earlier ones', () => {
  const widths: number[] = []
  toColumns([['long', 'b']], { widths })
  expect(toTexts(toColumns([['a', 'b']], { widths }))).toEqual(['a     b'])
})

test.each<[line: Line, width: number, rows: string[]]>([
  ['fits', 20, ['fits']],
  ['one two three four', 10, ['one two', 'three four']],
  ['  ✓ one two three four', 12, ['  ✓ one two', '    three', '    four']],
  [[paint('red', 'Error:'), ' one two three'], 14, ['Error: one two', '       three']],
  ['See how: `toolpact list` now', 22, ['See how:', '`toolpact list` now']],
  ['https://example.com/a/link/that/is/long', 20, ['https://example.com/a/link/that/is/long']],
  ['in {"first":1,"second":2,"third":3}', 20, ['in {"first":1,', '"second":2,', '"third":3}']],
  ['a\tb', 20, ['a       b']],
  ['日本語 日本語 日本語', 14, ['日本語 日本語', '日本語']],
  ['Go on? (y/N) ', 8, ['Go on?', '(y/N) ']],
  ['two\nlines', 20, ['two', 'lines']],
  ['no\x1b[2J escape', 40, ['no\\x1b[2J escape']],
])('%j at %i columns', (line, width, rows) => {
  expect(toTexts(layOut(line, width))).toEqual(rows)
})

function toTexts(lines: readonly Line[]): string[] {
  return lines.map((line) =>
    [line]
      .flat()
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join(''),
  )
}
