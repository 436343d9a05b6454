import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('loads on first use, once for all callers', async () => {
  let loads = 0
  const load = lazily(async () => ++loads)
  expect(loads).toBe(0)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('a failure reaches all waiting callers, and the next use retries', async () => {
  let tries = 0
  const load = lazily(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  const both = await Promise.allSettled([load(), load()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
})
