import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reveal } from './reveal.ts'
import { textOf } from './wrap.ts'

test.each([
  ['an escape sequence', 'a\x1b[2Jb', 'a‹\\x1b›[2Jb', ['\\x1b']],
  ['a carriage return, a tab and a line break', 'a\rb\tc\n', 'a‹\\r›b‹\\t›c‹\\n›', ['\\r', '\\t', '\\n']],
  ['a right-to-left override', 'gpj\u202e.exe', 'gpj‹\\u{202e}›.exe', ['\\u{202e}']],
  ['a zero-width space', 'a\u200bb', 'a‹\\u{200b}›b', ['\\u{200b}']],
  ['a space that is none', 'a\u00a0b\u3000c', 'a‹\\xa0›b‹\\u{3000}›c', ['\\xa0', '\\u{3000}']],
  ['a variation selector without an emoji', 'a\ufe0fb', 'a‹\\u{fe0f}›b', ['\\u{fe0f}']],
  ['a private and a lone half of a character', '\ue000\ud800', '‹\\u{e000}›‹\\u{d800}›', ['\\u{e000}', '\\u{d800}']],
  ['a letter that fills and shows nothing', 'a\u3164b', 'a‹\\u{3164}›b', ['\\u{3164}']],
  ['an empty braille cell', 'a\u2800b', 'a‹\\u{2800}›b', ['\\u{2800}']],
  ['500 spaces', `a${' '.repeat(500)}b`, 'a‹[500 spaces]›b', ['[500 spaces]']],
  ['a Cyrillic letter in a Latin word', 'p\u0430ypal', 'p‹\\u{430}›ypal', ['\\u{430} like a']],
  ['a Greek letter without a twin in a Latin word', 'p\u03c9n', 'p‹\\u{3c9}›n', ['\\u{3c9}']],
  ['a word that looks Latin all through', 'сор', '‹\\u{441}›‹\\u{43e}›‹\\u{440}›', ['\\u{441} like c', '\\u{43e} like o', '\\u{440} like p']], // biome-ignore format: one line
  ['wide and joined letters', 'ｒm ﬁle', '‹\\u{ff52}›m ‹\\u{fb01}›le', ['\\u{ff52} like r', '\\u{fb01} like fi']],
  ['a slash that is none', 'a\u2215b\u2044c', 'a‹\\u{2215}›b‹\\u{2044}›c', ['\\u{2215} like /', '\\u{2044} like /']],
  ['a tower of marks', `e${'\u0301'.repeat(4)}x`, 'e‹\\u{301}›‹\\u{301}›‹\\u{301}›‹\\u{301}›x', ['\\u{301}']],
  ['a mark on nothing', ' \u0338/', ' ‹\\u{338}›/', ['\\u{338}']],
])('%s is written out', (_, text, shown, marks) => {
  expect(toText(text)).toBe(shown)
  expect(reveal(text).marks).toEqual(marks)
})

test.each([
  'src/hello.py --flag="a b" $HOME \\x1b ~!@#%^&*()',
  'Zoë Ångström naïve façade Łódź straße',
  'привет, как дела с утра? А у нас всё хорошо.',
  'Καλημέρα κόσμε',
  '日本語とABCの混在、한국어도',
  'עברית العربية',
  '❤️ 🎉 x² H₂O ™ … – — “quoted” ’s',
  `${' '.repeat(40)}indented`,
])('%s stays as it is', (text) => {
  expect(reveal(text)).toEqual({ parts: [text], marks: [] })
})

test('whatever the text, nothing that controls a terminal or hides comes through', () => {
  const hidden = /[\p{C}\p{Zl}\p{Zp}]|[\u00a0\u115f\u1160\u3164\uffa0\u2800]/u
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(toText(text)).not.toMatch(hidden)
    }),
    { numRuns: 2000 },
  )
})

test('nothing is lost: without its marks the text is the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const plain = reveal(text).parts.filter((part) => typeof part === 'string')
      let rest = text
      for (const part of plain) {
        expect(rest).toContain(part)
        rest = rest.slice(rest.indexOf(part) + part.length)
      }
    }),
  )
})

/** Marks stand in ‹›. */
function toText(text: string): string {
  return reveal(text)
    .parts.map((part) => (typeof part === 'string' ? part : `‹${textOf(part)}›`))
    .join('')
}
