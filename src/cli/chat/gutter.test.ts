import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printableLines } from '../../contract/text/printable.ts'
import { widthOf } from '../../runtime/approval/text/wrap.ts'
import { createGutter, toGutterRows } from './gutter.ts'

test('words wrap, and every row starts with the gutter', () => {
  expect(toGutterRows('one two three\n\nfour', 12)).toEqual(['│ one two', '│ three', '│ ', '│ four'])
  expect(toGutterRows('  indented\n\ttab\ta', 40)).toEqual(['│   indented', '│     tab a'])
  expect(toGutterRows('x'.repeat(20), 12)).toEqual(['│ xxxxxxxxx', '│ xxxxxxxxx', '│ xx'])
  expect(toGutterRows('日本語日本語', 12)).toEqual(['│ 日本語日', '│ 本語'])
  expect(toGutterRows('no limit '.repeat(50).trim(), undefined)).toHaveLength(1)
})

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    ' ',
    '\n',
    '\t',
    '  ',
    '→ create_file',
    '> ',
    'Approve? (y/n):',
    '日本',
    '🎉',
    'x'.repeat(90),
    '❤️',
    'की',
  ),
)

test('for any text and width, no row is too wide and none starts at the margin', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 5, max: 100 }), (pieces, columns) => {
      let rows = ''
      const gutter = createGutter({ columns: () => columns, write: (text) => { rows += text } }) // biome-ignore format: one line
      for (const text of pieces) gutter.push(printableLines(text))
      gutter.end()
      for (const row of rows.split('\n').slice(0, -1)) {
        expect(row.startsWith('│ ')).toBe(true)
        expect(widthOf(row)).toBeLessThan(columns)
      }
      const letters = (text: string) => text.replace(/[│\s]/g, '')
      if (columns > 6)
        expect(letters(rows)).toBe(letters(printableLines(pieces.join('\u0000')).replaceAll('\\x00', '')))
    }),
  )
})

test('a resize applies from the next row, and a row interrupted by other output starts again', () => {
  let columns = 20
  let rows = ''
  let isInterrupted = false
  const gutter = createGutter({
    columns: () => columns,
    write: (text) => {
      rows += text
      isInterrupted = false
    },
    isInterrupted: () => isInterrupted,
  })
  gutter.push('one two three four five six ')
  columns = 11
  gutter.push('seven eight nine ')
  rows += '\nNote: ours\n'
  isInterrupted = true
  gutter.push('→ forged ')
  gutter.end()
  expect(rows).toBe('│ one two three\n│ four five six\n│ seven\n│ eight\n│ nine\nNote: ours\n│  →\n│ forged\n')
})
