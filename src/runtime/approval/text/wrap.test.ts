import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paint } from '../../../contract/text/painted.ts'
import { clipTo, textOf, widthOf, wrap } from './wrap.ts'

test('rows are as wide as there is room, and keep their colours', () => {
  expect(wrap(['abcdefgh', paint('red', 'ijklmnopqr')], 10)).toEqual([
    ['abcdefgh', paint('red', 'ij')],
    [paint('red', 'klmnopqr')],
  ])
  expect(wrap([], 10)).toEqual([[]])
  expect(wrap(['abcdefgh'], 8)).toEqual([['abcdefgh']])
})

test('rows break between words, also where a word has several parts', () => {
  const rows = (parts: Parameters<typeof wrap>[0], width: number) =>
    wrap(parts, width).map((row) => row.map(textOf).join(''))
  expect(rows(['The contract asks for approval.'], 16)).toEqual(['The contract ', 'asks for ', 'approval.'])
  expect(rows(['Asked by: ', paint('bold', 'a'), 'lice'], 12)).toEqual(['Asked by: ', 'alice'])
  expect(rows(['Tool: ', 'x'.repeat(20)], 12)).toEqual(['Tool: xxxxxx', 'xxxxxxxxxxxx', 'xx'])
  expect(rows(['    ', 'y'.repeat(10)], 12)).toEqual(['    yyyyyyyy', 'yy'])
  expect(rows(['word ', 'word word'], 14)).toEqual(['word word word'])
})

test('wide characters count twice, and marks not at all', () => {
  expect(widthOf('日本')).toBe(4)
  expect(widthOf('e\u0301🎉')).toBe(3)
  expect(wrap(['日本語日本語'], 9)).toEqual([['日本語日'], ['本語']])
})

test('no character is narrower here than Unicode says', () => {
  const output = Object.assign(new PassThrough(), { columns: Infinity })
  const reader = createInterface({ input: new PassThrough(), output, terminal: true, prompt: '' })
  const narrower: string[] = []
  for (let code = 0x20; code <= 0x3fffd; code++) {
    const character = String.fromCodePoint(code)
    if (/[\p{C}\p{Zl}\p{Zp}]/u.test(character)) continue
    Object.assign(reader, { line: character, cursor: character.length })
    if (widthOf(character) < reader.getCursorPos().cols) narrower.push(code.toString(16))
  }
  reader.close()
  expect(narrower).toEqual([])
})

test('text is cut where the next character would not fit', () => {
  expect(clipTo('日本語', 6)).toBe('日本語')
  expect(clipTo('日本語', 5)).toBe('日本…')
  expect(clipTo('日本語', 4)).toBe('日…')
  expect(clipTo('abc', 0)).toBe('')
})

const words = fc
  .array(fc.constantFrom('a', 'word', ' ', '  ', 'longer', '日本'), { maxLength: 12 })
  .map((all) => all.join(''))

test('whatever the text, no row is too wide and nothing is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), words), { maxLength: 6 }),
      fc.integer({ min: 0, max: 30 }),
      (parts, width) => {
        const rows = wrap(parts, width).map((row) => row.map(textOf).join(''))
        for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(Math.max(width, 8))
        expect(rows.join('')).toBe(parts.join(''))
      },
    ),
  )
})

test('a line of ten megabytes is wrapped in time', () => {
  expect(wrap(['x'.repeat(10_000_000)], 100)).toHaveLength(100_000)
})

test('no emoji is torn apart where a row ends, unless it fits no row', () => {
  expect(wrap(['1234567❤️ 👩‍👧'], 8)).toEqual([['1234567'], ['❤️ 👩‍👧']])
  const long = '👩\u200d'.repeat(40)
  expect(wrap([long], 8).flat().join('')).toBe(long)
})
