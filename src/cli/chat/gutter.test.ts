import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printableLines } from '../../contract/text/printable.ts'
import { widthOf } from '../../runtime/approval/text/wrap.ts'
import { type Line, toText } from '../terminal/terminal.ts'
import { createAnswerWriter, toGutterRows } from './gutter.ts'

const plain = (lines: readonly Line[]) => lines.map((line) => toText({ isTTY: false } as NodeJS.WriteStream, line))

test('words wrap, Markdown is rendered, and every row starts with the gutter', () => {
  expect(plain(toGutterRows('one two three\n\n**four**', 12))).toEqual(['│ one two', '│ three', '│ ', '│ four'])
  expect(plain(toGutterRows('x'.repeat(20), 12))).toEqual(['│ xxxxxxxxx', '│ xxxxxxxxx', '│ xx'])
  expect(plain(toGutterRows('日本語日本語', 12))).toEqual(['│ 日本語日', '│ 本語'])
  expect(plain(toGutterRows('**no** limit '.repeat(50).trim(), undefined))).toHaveLength(1)
})

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    ...[
      ' ',
      '\n',
      '\n\n',
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
    ],
    ...['```\n', '- ', '1. ', '# ', '|a|b|\n|-|-|\n|c|', '    '],
  ),
)

test('for any text and width, no row is too wide and none starts at the margin', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 5, max: 100 }), (pieces, columns) => {
      const rows: string[] = []
      const writer = createAnswerWriter({ columns: () => columns, write: (lines) => void rows.push(...plain(lines)) })
      for (const text of pieces) writer.push(text)
      writer.end()
      for (const row of rows) {
        expect(row.startsWith('│ ')).toBe(true)
        expect(row).not.toContain('\n')
        expect(widthOf(row)).toBeLessThan(columns)
      }
    }),
  )
})

test('plain words are all shown, at any width', () => {
  const words = fc.array(fc.constantFrom('one', 'two', '日本語', 'x'.repeat(90), '\n', '\n\n', '\u001b[2J'), {
    maxLength: 30,
  })
  const letters = (text: string) => text.replace(/[│\s]/g, '')
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 100 }), (parts, columns) => {
      const text = parts.join(' ')
      expect(letters(plain(toGutterRows(text, columns)).join(''))).toBe(letters(printableLines(text)))
    }),
  )
})
