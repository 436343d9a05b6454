import { expect, test } from 'vitest'
import { printable, printableJson, printableLines } from './printable.ts'

const hostile = [
  ['an escape sequence', '\x1b[31mred', '\\x1b[31mred'],
  ['a window title', '\x1b]0;title\x07', '\\x1b]0;title\\x07'],
  ['a C1 control sequence introducer', '\x9b2J', '\\x9b2J'],
  ['a backspace', 'yes\b\b\bno', 'yes\\x08\\x08\\x08no'],
  ['a lone carriage return', 'shown\rhidden', 'shown\\rhidden'],
  ['NUL and DEL', '\0\x7f', '\\x00\\x7f'],
  ['a right-to-left override', 'gpj\u202e.exe', 'gpj\\u{202e}.exe'],
  ['a bidirectional isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
  ['a zero-width space and joiner', 'a\u200bb\u200dc', 'a\\u{200b}b\\u{200d}c'],
  ['a byte order mark', '\ufeffa', '\\u{feff}a'],
  ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
  ['a hangul filler', 'a\u3164b', 'a\\u{3164}b'],
  ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
] as const

test.each(hostile)('%s is made visible', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
  expect(printableLines(text)).toBe(shown)
})

test.each(hostile)('%s is escaped in JSON without changing the data', (_, text) => {
  const json = printableJson({ [text]: text })
  expect(json).toMatch(/^[ -~]*$/)
  expect(JSON.parse(json)).toEqual({ [text]: text })
})

test('indented JSON keeps its lines', () => {
  expect(printableJson({ a: 'b\u202e\n' }, 2)).toBe('{\n  "a": "b\\u202e\\n"\n}')
})

test('letters, marks, wide characters and emoji stay as they are', () => {
  const text = 'Zoë Ångström עברית العربية 日本語 é ❤️ 🎉 \\ "'
  expect(printable(text)).toBe(text)
  expect(printableLines(text)).toBe(text)
})

test('line breaks and tabs stay only where lines are wanted', () => {
  expect(printable('a\tb\nc\r\nd')).toBe('a\\tb\\nc\\r\\nd')
  expect(printableLines('a\tb\nc\r\nd')).toBe('a\tb\nc\nd')
})

test('printable text is unchanged', () => {
  for (const [, text] of hostile) expect(printable(printable(text))).toBe(printable(text))
})

test('Persian and joined emoji are readable, and a selector after a letter is not hidden', () => {
  expect(printable('می\u200cخواهم 👩\u200d💻')).toBe('می\u200cخواهم 👩\u200d💻')
  expect(printable('a\ufe0fb')).toBe('a\\u{fe0f}b')
})
