import { expect, test } from 'vitest'
import { toShownName } from './to-shown-name.ts'

test.each(['hello.py', 'src/a b.txt', 'naïve/日本語.md', "it's", 'a:b', '👩‍🚀'.replace('\u200d', ''), '-rf', '$HOME'])(
  '%s stands for itself',
  (name) => {
    expect(toShownName(name)).toBe(name)
  },
)

test.each([
  ['a line break', 'a\nb', '"a\\nb"'],
  ['an escape sequence', '\u001b[2J', '"\\u001b[2J"'],
  ['a delete character', 'a\u007f', '"a\\u007f"'],
  ['text from right to left', 'a\u202etxt.exe', '"a\\u202etxt.exe"'],
  ['a tag character', 'a\u{e0041}', '"a\\udb40\\udc41"'],
  ['a separator of lines', 'a\u2028b', '"a\\u2028b"'],
  ['a space at the beginning', ' a', '" a"'],
  ['a space at the end', 'a ', '"a "'],
  ['a quote at the beginning', '"a"', '"\\"a\\""'],
  ['what looks like a link', 'a -> b', '"a -> b"'],
  ['what looks like a match', 'a:1: b', '"a:1: b"'],
  ['what looks like a mark', 'a (special)', '"a (special)"'],
])('%s is written as JSON, which restores the exact name', (_what, name, shown) => {
  expect(toShownName(name)).toBe(shown)
  expect(JSON.parse(shown)).toBe(name)
})
