import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paint } from '../../contract/painted.ts'
import { textOf, widthOf, wrap } from './wrap.ts'

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
