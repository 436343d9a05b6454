import { expect, test } from 'vitest'
import { escapeHidden } from './hidden-characters.ts'
import { shorten, shortenMiddle } from './shorten.ts'

test('counts the ellipsis, and leaves text that fits as it is', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef')
  expect(shorten('abcdefg', 6)).toBe('abcde…')
  expect(shorten('abcdefg', 6, { ellipsis: '' })).toBe('abcdef')
  expect(shorten('abc', 0)).toBe('…')
  expect(shorten('abc', 0, { ellipsis: '' })).toBe('')
})

test.each([
  ['an astral letter', '𝒜'],
  ['an emoji with a skin tone', '👍🏽'],
  ['a family', '👩‍👩‍👧‍👦'],
  ['a flag', '🇩🇪'],
  ['a flag of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['a letter with marks', 'e\u0301\u0323'],
  ['a Korean syllable of letters', '각'],
  ['a line end of two characters', '\r\n'],
  ['an escape of a hidden character', escapeHidden('\u200b', 'line')],
  ['an escape of a control character', escapeHidden('\x07', 'line')],
  ['an escape in JSON', '\\u200b'],
  ['an escaped backslash in JSON', '\\\\'],
  ['a color of a terminal', '\x1b[31m'],
])('never cuts %s in two', (_, whole) => {
  const text = `ab${whole}cd${whole}ef`
  const pieces = ['a', 'b', whole, 'c', 'd', whole, 'e', 'f']
  const places = new Set(pieces.map((_, index) => pieces.slice(0, index).join('')))
  for (let max = 0; max < text.length; max++) {
    const short = shorten(text, max, { ellipsis: '' })
    expect(short.length).toBeLessThanOrEqual(max)
    expect(places).toContain(short)
  }
})

test('cuts after an escaped backslash, and not after the letter behind it', () => {
  expect(shorten(String.raw`"a\\nb"`, 4, { ellipsis: '' })).toBe(String.raw`"a\\`)
})

test('cuts an endless cluster at a character boundary', () => {
  const marks = `a${'\u0301'.repeat(500)}`
  expect(shorten(marks, 300, { ellipsis: '' })).toHaveLength(300)
  expect(shorten('👩‍'.repeat(500), 302, { ellipsis: '' }).isWellFormed()).toBe(true)
})

test('is well-formed, whether cut or not', () => {
  expect(shorten('a\ud800', 5)).toBe('a\ufffd')
  expect(shorten('a\ud800bcdef', 4)).toBe('a\ufffdb…')
})

test('replaces the middle, and counts what it leaves out', () => {
  const gap = (omitted: number) => `[${omitted}]`
  expect(shortenMiddle('abcdefghij', { start: 2, end: 3, gap })).toBe('ab[5]hij')
  expect(shortenMiddle('abcde', { start: 2, end: 3, gap })).toBe('abcde')
  expect(shortenMiddle('a👍🏽👍🏽👍🏽b', { start: 3, end: 5, gap })).toBe('a[8]👍🏽b')
  expect(shortenMiddle('a👍🏽👍🏽👍🏽b', { start: 3, end: 3, gap })).toBe('a[12]b')
})
