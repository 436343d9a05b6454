import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { type LinearPattern, loadLinearPattern } from './linear-pattern.ts'
import { grantSteps, StepsSpent, stepsPerValidation } from './step-budget.ts'

const compile = await loadLinearPattern()

beforeEach(() => grantSteps(stepsPerValidation))

const texts = ['', 'a', 'A', 'ab', 'a\nb', 'a\r', '\u2028', '\u00a0', '\ufeff', '\v', ' ', '-', '_', '[', ']', '\\', '/', 'é', 'ß', '😀', '\0', '\b', '1', '٣', '{', '$', '^', 'x]', 'aa', 'ba', '-a', 'K', 'ſ'] // biome-ignore format: one list

test('means what ECMAScript means, on random patterns', () => {
  const atoms = ['a', 'b', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '\\B', '^', '$', '[a-c]', '[^a]', '[\\s-]', '[\\S]', '[^\\S]', '[[]', '[\\]]', '[^\\w\\s]', '[\\b]', '[]', '[^]', '\\u0061', '\\u{1F600}', '\\ud83d\\ude00', '\\x61', '\\cJ', '\\0', '\\t', '\\v', '\\/', '\\[', '\\$', '\\^', '\\{', '\\p{L}', '\\P{L}', '\\p{Letter}', '\\p{Script=Latin}', '\\p{Lu}', '[\\p{L}\\d_]', 'é', '😀', '(?:a|b)', '(a)', '(?<name>b)', '[.]', '[$^]', '[a\\-z]', '-'] // biome-ignore format: one list
  const quantified = fc.tuple(
    fc.constantFrom(...atoms),
    fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '+?'),
  )
  const pattern = fc
    .array(
      fc.oneof(
        quantified.map((parts) => parts.join('')),
        fc.constant('|'),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.join(''))
  const ahead = fc
    .tuple(fc.constantFrom('', '', '', '^(?!a)', '^(?=.b)', '^(?!.*b)(?!\\s)'), pattern)
    .map((parts) => parts.join(''))
  let compared = 0
  const check = fc.property(ahead, fc.array(fc.constantFrom(...texts), { maxLength: 3 }), (source, parts) => {
    const native = toNative(source)
    const linear = native && tryCompile(source)
    if (!linear) return
    compared++
    const text = parts.join('')
    expect({ source, text, isMatch: linear.test(text) }).toEqual({ source, text, isMatch: native.test(text) })
  })
  fc.assert(check, { seed: 3, numRuns: 4000 })
  expect(compared).toBeGreaterThan(2000)
})

function toNative(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

function tryCompile(source: string): LinearPattern | undefined {
  try {
    return compile(source)
  } catch {
    return undefined
  }
}

test('supports lookaheads at the start, as in the usual pattern for e-mail addresses', () => {
  const email = compile(
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  )
  expect(email.test('ada.lovelace@example.org')).toBe(true)
  expect(email.test('.ada@example.org')).toBe(false)
  expect(email.test('ada..l@example.org')).toBe(false)
  expect(email.test('ada@example')).toBe(false)
})

test('accepts unnecessary escapes', () => {
  expect(compile('^\\@\\_\\:\\-$').test('@_:-')).toBe(true)
})

const refused: [string, string][] = [
  ['(', 'not a regular expression'],
  ['a(?=b)', 'looks ahead'],
  ['(?<=a)b', 'looks ahead or behind'],
  ['^(?!a)b|c', 'looks ahead'],
  ['^(?!(?!a)b)c', 'looks ahead'],
  ['^(?!a)?b', 'looks ahead'],
  ['(a)\\1', 'refers back'],
  ['(?<x>a)\\k<x>', 'refers back'],
  ['(?i)a', 'not a regular expression'],
  ['(?i:a)', 'changes flags'],
  ['\\Aa\\z', 'unknown escape'],
  ['\\Qa\\E', 'unknown escape'],
  ['a{1001}', 'repeat'],
  ['(((a{10}){10}){10}){10}', 'repeat'],
  ['a'.repeat(1001), 'more than 1000 characters'],
]

test.each(refused)('refuses %.30s', (source, reason) => {
  expect(() => compile(source)).toThrow(reason)
})

test('gives each pattern its own text, which ajv identifies it by', () => {
  expect(String(compile('^a'))).not.toBe(String(compile('^b')))
})

test('runs in linear time where ECMAScript would not', () => {
  for (const source of ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
    expect(compile(source).test(`${'a'.repeat(50_000)}!`)).toBe(false)
  }
})

test('stops a large pattern on a long text by its steps', () => {
  const dear = compile('([01]?){1000}[01]{1000}3')
  expect(() => dear.test('01'.repeat(500_000))).toThrow(StepsSpent)
})
