import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decideGrounded } from '../../src/agent/grounding/decide-grounded.ts'
import { dataFolder, type Half, makeTwins } from './false-twins.ts'
import { readParaphrases } from './paraphrases.ts'

const isKept = (claim: string, quote: string) => decideGrounded(claim, quote, { text: quote }).grounded

describe.skipIf(!existsSync(dataFolder))('claims made from real pages (needs ../shared/data)', () => {
  test.each(['paraphrases-1.txt', 'paraphrases-2.txt', 'paraphrases-3.txt'])(
    'of the claims written by hand in %s at most 5 of 100 false ones pass, and at most 11 of 100 true ones are dropped',
    (name) => {
      const claims = readParaphrases(name)
      const [fails, holds] = [claims.filter(({ wrong }) => wrong), claims.filter(({ wrong }) => !wrong)]
      const passed = fails.filter(({ claim, quote }) => isKept(claim, quote))
      const dropped = holds.filter(({ claim, quote }) => !isKept(claim, quote))
      console.table({
        [name]: { false: fails.length, passed: passed.length, true: holds.length, dropped: dropped.length },
      })
      expect(fails.length + holds.length).toBeGreaterThanOrEqual(100)
      expect(passed.length).toBeLessThanOrEqual(fails.length * 0.05)
      expect(dropped.length).toBeLessThanOrEqual(holds.length * 0.11)
    },
  )

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
