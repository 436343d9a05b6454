import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { toCode } from './to-code.ts'

const value: JsonValue = {
  name: "it's",
  'a-b': 'say "hi"\n',
  plain: { list: ['a', 1, null, true] },
  deep: { one: { two: {} } },
  objects: [{ a: 1 }, { b: [] }],
  long: { text: 'x'.repeat(100) },
}

test('TypeScript is written in the style of this repository', () => {
  expect(toCode(value, { language: 'typescript', isSpread: true })).toBe(`{
  name: "it's",
  'a-b': 'say "hi"\\n',
  plain: { list: ['a', 1, null, true] },
  deep: {
    one: {
      two: {},
    },
  },
  objects: [
    {
      a: 1,
    },
    {
      b: [],
    },
  ],
  long: {
    text: '${'x'.repeat(100)}',
  },
}`)
})

test('JSON says the same, whatever it is', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    expect(JSON.parse(toCode(value as never, { language: 'json' }))).toEqual(JSON.parse(JSON.stringify(value)))
  }), { numRuns: 50 }) // biome-ignore format: short
})

test('a text stays the same as TypeScript, whatever is in it', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', 'a', '\u2028', '`', '$') }), (text) => {
    expect(new Function(`return ${toCode(text, { language: 'typescript' })}`)()).toBe(text)
  }), { numRuns: 100 }) // biome-ignore format: short
})
