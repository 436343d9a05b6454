import { expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { samplePattern } from './sample-pattern.ts'

const sample = (pattern: string, extra = 3, maxLength = 1000, times = 10) =>
  Array.from({ length: times }, (_, seed) =>
    samplePattern(pattern, { random: createRandom(`${seed}`), extra, maxLength }),
  )

test.each([
  '^[a-z]{2,4}$',
  '^\\p{Lu}{3}$',
  '^[^/]+\\.md$',
  '^(?:ab|cd)*e?$',
  '^(?<year>\\d{4})-\\d\\d?$',
  '^[\\w.-]+@[\\w.-]+\\.\\w{2,}$',
  '^\\u{1F600}\\x41\\u0042\\cA$',
  '^[\\u0410-\\u042f]+$',
  '^https?://\\S+$',
  '^[\\s\\S]*$',
  '^\\[\\]{}\\|$',
  '^(|a|(b|(c|d)))$',
  '^a{3}b{2,}?c{0}$',
  '^[\\]\\\\-]+$',
  'anywhere',
])('texts for %s match it', (pattern) => {
  const flags = pattern.includes(']{}') ? '' : 'u'
  for (const text of sample(pattern)) expect(text).toMatch(new RegExp(pattern, flags))
})

test('lookahead is ignored, and some texts still match', () => {
  const matching = sample('^(?!foo)(?=[a-z])[a-z0-9]+$').filter((text) => /^(?!foo)(?=[a-z])[a-z0-9]+$/.test(text!))
  expect(matching.length).toBeGreaterThan(0)
})

test('no text is made that is too long, nor from a pattern that takes too many steps or matches nothing known', () => {
  expect(sample('^a{50}$', 0, 20)).toEqual(Array(10).fill(undefined))
  expect(sample(`^${'(?:'.repeat(3)}${'(?:){1000}'}${'){1000}'.repeat(3)}$`, 0, 20, 1)).toEqual([undefined])
  expect(sample('^[\\u1234]$').every((text) => text === '\u1234')).toBe(true)
  expect(sample('^[^\\s\\S]$')).toEqual(Array(10).fill(undefined))
  expect(sample(`${'('.repeat(150)}a${')'.repeat(150)}`)).toEqual(Array(10).fill(undefined))
})
