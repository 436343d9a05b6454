import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decideGrounded } from '../../src/agent/grounding/decide-grounded.ts'
import { dataFolder, type Half, makeTwins } from './false-twins.ts'
import { pairedClaims } from './summaries-pairs.ts'

const isKept = (claim: string, quote: string) => decideGrounded(claim, quote, { text: quote }).grounded

test('of claims written by hand that give a number another time, place, unit, rate, direction or bound, at most 3 of 100 pass, and true ones do', () => {
  const fails = pairedClaims.flatMap(({ quote, fails }) => fails.map((claim) => [claim, quote] as const))
  const holds = pairedClaims.flatMap(({ quote, holds }) => holds.map((claim) => [claim, quote] as const))
  expect(fails.length).toBeGreaterThanOrEqual(95)
  expect(fails.filter(([claim, quote]) => isKept(claim, quote)).length).toBeLessThanOrEqual(fails.length * 0.03)
  expect(holds.filter(([claim, quote]) => !isKept(claim, quote))).toEqual([])
})

test.each([
  ['bound_not_in_evidence', '34 people were injured.', 'At least 34 people were injured near Lodi.'],
  ['bound_not_in_evidence', 'The tank holds 50 litres or more.', 'The tank holds less than 50 litres.'],
  ['rate_not_in_evidence', 'It costs $12 per year.', 'It costs $12 per month.'],
  ['rate_not_in_evidence', 'They earn 18 euros a day.', 'They earn 18 euros an hour.'],
  [
    'says_opposite',
    'Exports decreased by 5 percent.',
    'Exports increased by 5 percent, imports decreased by 2 percent.',
  ],
  ['drops_hedge', 'The drug helps the patients.', 'The drug may help the patients.'],
  ['exchanged', 'Sales were 5 million in 2023.', 'Sales were 5 million in 2022 and 6 million in 2023.'],
])('%s: %s', (reason, claim, quote) => {
  expect(decideGrounded(claim, quote, { text: quote })).toMatchObject({ grounded: false, reason })
})

describe.skipIf(!existsSync(dataFolder))('claims made from real pages (needs ../shared/data)', () => {
  test.each<Half>(['seen', 'kept apart'])(
    'of the %s pages at most 15 of 100 false claims pass, and at most 5 of 100 true twins are dropped',
    (half) => {
      const twins = makeTwins(half, 60)
      const rows = Map.groupBy(twins, ({ kind }) => kind)
      const count = (of: typeof twins) => ({
        pairs: of.length,
        passed: of.filter(({ fails, quote }) => isKept(fails, quote)).length,
        dropped: of.filter(({ holds, quote }) => !isKept(holds, quote)).length,
      })
      console.table({ ...Object.fromEntries([...rows].map(([kind, of]) => [kind, count(of)])), all: count(twins) })
      const { pairs, passed, dropped } = count(twins)
      expect(pairs).toBeGreaterThanOrEqual(400)
      expect(passed).toBeLessThanOrEqual(pairs * 0.15)
      expect(dropped).toBeLessThanOrEqual(pairs * 0.05)
    },
  )
})
