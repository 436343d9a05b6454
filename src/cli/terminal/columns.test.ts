import { expect, test } from 'vitest'
import { toColumns } from './columns.ts'
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

test('a line is cut to the width', () => {
  expect(toTexts(toColumns([['name', 'a long description']], { width: 12 }))).toEqual(['name  a lon…'])
  for (const width of [1, 2, 5, 6, 7]) {
    const [line] = toTexts(toColumns([['name', 'text', 'more']], { width }))
    expect(line!.length, `width ${width}`).toBeLessThanOrEqual(width)
  }
})

test('later rows align with earlier ones', () => {
  const widths: number[] = []
  toColumns([['long', 'b']], { widths })
  expect(toTexts(toColumns([['a', 'b']], { widths }))).toEqual(['a     b'])
})

function toTexts(lines: readonly Line[]): string[] {
  return lines.map((line) =>
    [line]
      .flat()
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join(''),
  )
}
