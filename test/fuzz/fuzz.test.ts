import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tryTarget } from './target.ts'
import { targets } from './targets.ts'

// The same few values in every run; `npm run fuzz` tries others.
test.each(Object.entries(targets))('%s stand whatever they are given', async (_, open) => {
  const target = await open()
  try {
    const { tried, finding } = await tryTarget(target, { runs: 40 })
    expect(finding).toBeUndefined()
    expect(tried).toBe(40)
  } finally {
    await target.close?.()
  }
})

test('what fails is found, made small, and found again by its path', async () => {
  const target = {
    inputs: fc.array(fc.nat(100)),
    check(value: unknown) {
      if ((value as number[]).length > 2) throw new Error('too many')
    },
  }
  const found = await tryTarget(target, { runs: 200, seed: 1 })
  expect(found.finding).toMatch(/^\[0,0,0\]\nError: too many/)
  const again = await tryTarget(target, { runs: 200, seed: 1, path: found.path! })
  expect(again.finding).toMatch(/^\[0,0,0\]\n/)
  expect(again.tried).toBeLessThan(found.tried)
})
