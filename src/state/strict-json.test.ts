import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStrictJson } from './strict-json.ts'

test('comments and trailing commas are taken out, and text that looks like them is kept', () => {
  const text = `\u{feff}// first
{
  /* a
     block, } */ "url": "https://x/*y*/", // "not": "this",
  "list": [1, 2, /* last */ ],
  "quote": "\\" // no comment, }",
}
// end`
  expect(JSON.parse(toStrictJson(text))).toEqual({
    url: 'https://x/*y*/',
    list: [1, 2],
    quote: '" // no comment, }',
  })
})

test('lines and columns stay where they were', () => {
  const text = '{ // x\r\n  "a": 1, /* y\n */\n}'
  const strict = toStrictJson(text)
  expect(strict.length).toBe(text.length)
  expect([...strict.matchAll(/\r?\n/g)].map(({ index }) => index)).toEqual([...text.matchAll(/\r?\n/g)].map(({ index }) => index)) // biome-ignore format: one line
})

test('strict JSON stays as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 1)
      expect(toStrictJson(text)).toBe(text)
    }),
  )
})

test.each(['/*'.repeat(200_000), '"'.repeat(200_001), `${',  '.repeat(100_000)}`, '"\\'.repeat(100_000)])(
  'text that never ends what it begins takes no time to speak of',
  (text) => {
    expect(toStrictJson(text).length).toBe(text.length)
  },
)
