import { expect, test } from 'vitest'
import { RestartPauses } from './restart-pauses.ts'

test('pauses double up to half a minute and begin anew after a minute of health', () => {
  const pauses = new RestartPauses()
  const longest = Array.from({ length: 9 }, () => pauses.next(0, 1))
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect(pauses.failures).toBe(9)
  expect(pauses.next(59_999, 1)).toBe(30_000)
  expect(pauses.next(60_000, 1)).toBe(500)
  expect(pauses.failures).toBe(1)
})

test('a pause is between half of the backoff and all of it', () => {
  expect(new RestartPauses().next(0, 0)).toBe(250)
  for (let index = 0; index < 100; index++) {
    const pause = new RestartPauses().next(0)
    expect(pause).toBeGreaterThanOrEqual(250)
    expect(pause).toBeLessThanOrEqual(500)
  }
})
