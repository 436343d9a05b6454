import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHidden, findHidden, nameHidden, stripHidden } from './hidden-characters.ts'
import { findHiddenStrings } from './hidden-strings.ts'

test.each([
  ['plain text', 'Reads a file.'],
  ['line breaks and tabs', 'a\n\tb\r\nc'],
  ['an emoji with its selector', 'Note ⚠️ and 🛡️ and ☎︎'],
  ['joined emoji', '👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🕵🏻‍♂️'],
  ['keycaps and flags', '1️⃣ #️⃣ 🇩🇪'],
  ['Persian with non-joiners', 'می‌خواهم فایل‌ها را بخوانم'],
  ['Hindi, Bengali, Sinhala with joiners', 'क्‍ष र्‌य ক্‍ষ ශ්‍රී'],
  ['Malayalam', 'അവന്‍'],
  ['Hebrew and Arabic', 'קורא קובץ, يقرأ ملفًا'],
  ['Arabic signs around numbers', '؀١٢'],
  ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ᠎ᠠ'],
  ['Chinese, Japanese, Korean, Thai, Amharic', '读取文件 ファイルを読む 파일을 읽습니다 อ่านไฟล์ ፋይል'],
  ['a space that does not break', 'a b'],
])('%s is fine', (_, text) => {
  expect(findHidden(text, 'prose')).toBeUndefined()
})

test.each([
  ['zero-width space', '\u200b', 'zero-width'],
  ['zero-width non-joiner between Latin letters', '\u200c', 'zero-width'],
  ['zero-width joiner between Latin letters', '\u200d', 'zero-width'],
  ['word joiner', '\u2060', 'zero-width'],
  ['byte order mark', '\ufeff', 'zero-width'],
  ['soft hyphen', '\u00ad', 'zero-width'],
  ['Hangul filler', '\u3164', 'zero-width'],
  ['combining grapheme joiner', '\u034f', 'zero-width'],
  ['invisible times', '\u2062', 'zero-width'],
  ['right-to-left override', '\u202e', 'bidirectional'],
  ['left-to-right isolate', '\u2066', 'bidirectional'],
  ['right-to-left mark', '\u200f', 'bidirectional'],
  ['Arabic letter mark', '\u061c', 'bidirectional'],
  ['tag letter', '\u{e0041}', 'tag character'],
  ['variation selector after a letter', '\ufe0f', 'variation selector'],
  ['supplementary variation selector', '\u{e0100}', 'variation selector'],
  ['bell', '\x07', 'control'],
  ['delete', '\x7f', 'control'],
  ['ANSI escape', '\x1b[31m', 'terminals'],
  ['C1 escape', '\x9b31m', 'terminals'],
  ['lone carriage return', '\rb', 'control'],
  ['line separator', '\u2028', 'separator'],
  ['interlinear annotation', '\ufff9', 'zero-width'],
])('a %s is found', (_, character, kind) => {
  const [found] = findHiddenStrings({ description: `a${character}b` })
  expect(found?.pointer).toBe('/description')
  expect(nameHidden(found!.character)).toContain(kind)
})

test.each([
  ['a run of selectors after one emoji', `😀${'\ufe0e\ufe0f'.repeat(4)}`],
  ['supplementary selectors after an emoji', '😀\u{e0148}\u{e0155}'],
  ['a selector after an ideograph', '漢\u{e0101}'],
  ['two joiners after one another', 'می\u200c\u200dخ'],
  ['a joiner before nothing that joins', '👩\u200d secret'],
  ['a flag made of tags', '🏴\u{e0067}\u{e0062}\u{e007f}'],
])('%s is found', (_, text) => {
  expect(findHidden(text, 'prose')).toBeDefined()
})

test('checks every string and key at any depth, and names must not contain line breaks', () => {
  expect(
    findHiddenStrings(
      {
        name: 'a\nb',
        inputSchema: { properties: { 'x\u200b': { enum: ['fine', 'b\u202ead'] } } },
        _meta: { vendor: [{ note: '\x1b[8mhidden' }] },
      },
      { max: 9 },
    ).map(({ pointer }) => pointer),
  ).toEqual([
    '/name',
    '/inputSchema/properties/x\u200b',
    '/inputSchema/properties/x\u200b/enum/1',
    '/_meta/vendor/0/note',
  ])
})

test('checks a long hostile text in bounded time', () => {
  expect(findHidden(`${'😀\u200d'.repeat(100_000)}x`, 'prose')).toBeDefined()
  expect(findHidden('1\ufe0f'.repeat(100_000), 'prose')).toBeDefined()
})

test.each([
  ['zero-width characters and byte order marks', 'a\u200bb\ufeffc\u00add', 'abcd'],
  ['marks that turn text around', 'a\u202egnp.exe\u2066b', 'agnp.exeb'],
  ['tags', 'hi\u{e0049}\u{e0067}\u{e006e}', 'hi'],
  ['runs of variation selectors', 'a\ufe00\ufe01\u{e0100}b', 'ab'],
  ['control characters', 'a\0b\u0007c\u007f', 'abc'],
  [
    'colours, titles and links of terminals',
    '\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u001b\\',
    'red link',
  ],
  ['an escape that begins nothing', 'a\u001bb', 'ab'],
  ['other line breaks', 'a\rb\u2028c\fd\u0085e', 'a\nb\nc\nd\ne'],
  ['halves of characters', 'a\ud800b', 'a\ufffdb'],
])('%s are stripped', (_what, text, expected) => expect(stripHidden(text, 'prose')).toBe(expected))

test.each([
  'a\n\tb\r\nc',
  'Note ⚠️ 👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 1️⃣ 🇩🇪',
  'می‌خواهم فایل‌ها را بخوانم',
  'क्‍ष র্‌য ශ්‍රී',
  'Grüße, 日本語, русский',
])('what scripts and emoji need stays: %s', (text) => expect(stripHidden(text, 'prose')).toBe(text))

test('stripping removes every hidden character and is idempotent', () => {
  const character = fc.oneof(
    fc.constantFrom(
      '\u200d',
      '\u200c',
      '\ufe0f',
      '\u001b',
      '[',
      ']',
      '\r',
      '\n',
      '👩',
      '💻',
      'ک',
      'क',
      '\u202e',
      '\u{e0041}',
      'm',
      '\ud83d',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 30 }), (characters) => {
      const text = characters.join('')
      for (const kind of ['exact', 'code', 'line', 'prose', 'claim'] as const) {
        const stripped = stripHidden(text, kind)
        expect(findHidden(stripped, kind)).toBeUndefined()
        expect(stripHidden(stripped, kind)).toBe(stripped)
        const escaped = escapeHidden(text, kind)
        expect(findHidden(escaped, kind)).toBeUndefined()
        expect(escapeHidden(escaped, kind)).toBe(escaped)
      }
    }),
    { numRuns: 2000 },
  )
})

test('long texts are escaped and stripped as short ones are', () => {
  const piece = 'a\u200bé👩‍👧\u{e0041}\r\n\x07'
  for (const length of [1, 1000, 100_000]) {
    expect(escapeHidden(piece.repeat(length), 'prose')).toBe(escapeHidden(piece, 'prose').repeat(length))
    expect(stripHidden(piece.repeat(length), 'line')).toBe(stripHidden(piece, 'line').repeat(length))
  }
})
