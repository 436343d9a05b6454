import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import type { JsonValue } from './json.ts'
import { ToolpactError } from './toolpact-error.ts'

// RFC 8785, appendix B: the bits of an IEEE 754 double and the text it must have.
const numbers: [bits: string, text: string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

test.each(numbers)('the double %s is written as %s (RFC 8785, appendix B)', (bits, text) => {
  expect(canonicalJson(fromBits(bits))).toBe(text)
})

test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])('the double %s has no JSON text', (bits) => {
  expect(() => canonicalJson(fromBits(bits))).toThrow(ToolpactError)
})

test('the sample of RFC 8785, section 3.2.2, gives the bytes of section 3.2.4', () => {
  const sample = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`
  const bytes = `
    7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72
    75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
    5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31
    65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
    5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30
    30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`
  expect(Buffer.from(canonicalJson(JSON.parse(sample))).toString('hex')).toBe(bytes.replaceAll(/\s/g, ''))
})

test('keys are sorted by UTF-16 code units, as in the sample of RFC 8785, section 3.2.3', () => {
  const sample = JSON.parse(String.raw`{
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  }`)
  expect(Array.from(canonicalJson(sample).matchAll(/:"([^"]*)"/g), (match) => match[1])).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('keys that look like numbers are sorted as text, at every level', () => {
  expect(canonicalJson({ 10: 1, 9: [{ b: 1, a: {} }], '': 2 })).toBe('{"":2,"10":1,"9":[{"a":{},"b":1}]}')
})

test('a key named __proto__ is kept', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":2}'))).toBe('{"__proto__":{"x":1},"a":2}')
})

test('values that JSON cannot express are refused at any depth', () => {
  const refused: unknown[] = [undefined, 1n, () => 1, Symbol('s'), new Date(0), new Map(), '\ud800', 'a\udc00b', NaN]
  for (const value of refused) {
    for (const place of [value, [value], { a: value }, [{ a: [value] }]]) {
      expect(() => canonicalJson(place as JsonValue)).toThrow(ToolpactError)
    }
  }
  expect(() => canonicalJson({ '\ud800': 1 })).toThrow('lone surrogate')
})

test('a cyclic or too deep value is refused', () => {
  const ring: JsonValue[] = []
  ring.push(ring)
  expect(() => canonicalJson(ring)).toThrow('levels deep')
  expect(() => canonicalJson(JSON.parse('['.repeat(1001) + ']'.repeat(1001)))).toThrow('levels deep')
  expect(canonicalJson(JSON.parse('['.repeat(1000) + ']'.repeat(1000)))).toHaveLength(2000)
})

test('the text reads back as the value, and the order of keys does not matter', () => {
  const jsonValue = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }) as fc.Arbitrary<JsonValue>
  fc.assert(
    fc.property(jsonValue, (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reverseKeys(value))).toBe(text)
    }),
  )
})

function fromBits(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE()
}

function reverseKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reverseKeys(part)]),
  )
}
