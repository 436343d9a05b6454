import { expect, test } from 'vitest'
import { createBackOff } from './back-off.ts'

test('a worker that keeps ending is started later and later, up to ten seconds', () => {
  const backOff = createBackOff()
  const delays = Array.from({ length: 9 }, () => backOff.toDelayMs(1, 100))
  expect(delays).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
})

test('after it has served for a while, it begins anew', () => {
  const backOff = createBackOff()
  for (let end = 0; end < 5; end++) backOff.toDelayMs(1, 100)
  expect(backOff.toDelayMs(1, 30_000)).toBe(200)
  expect(backOff.toDelayMs(1, 29_999)).toBe(400)
})

test('workers are counted on their own', () => {
  const backOff = createBackOff()
  for (let end = 0; end < 5; end++) backOff.toDelayMs(1, 100)
  expect(backOff.toDelayMs(2, 100)).toBe(200)
})

test('a worker has failed after six starts in a row of which none took requests', () => {
  const backOff = createBackOff()
  for (let end = 0; end < 5; end++) backOff.toDelayMs(1, undefined)
  expect(backOff.hasFailed(1)).toBe(false)
  backOff.toDelayMs(1, undefined)
  expect(backOff.hasFailed(1)).toBe(true)
  backOff.toDelayMs(1, 1)
  expect(backOff.hasFailed(1)).toBe(false)
  expect(backOff.hasFailed(2)).toBe(false)
})
