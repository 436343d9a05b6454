import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('loads with the first use, once for all who ask', async () => {
  let loads = 0
  const load = lazily(async () => ++loads)
  expect(loads).toBe(0)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('a failure reaches everyone who waits for it, and the next use tries again', async () => {
  let tries = 0
  const load = lazily(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  const both = await Promise.allSettled([load(), load()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
})
