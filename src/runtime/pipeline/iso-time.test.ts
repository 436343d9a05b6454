import { expect, test, vi } from 'vitest'
import { isoTime } from './iso-time.ts'

test('is the present, and moves on with it', ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect([isoTime(), isoTime()]).toEqual(['2027-01-15T08:00:00.000Z', '2027-01-15T08:00:00.000Z'])
  vi.setSystemTime(1_800_000_000_001)
  expect(isoTime()).toBe('2027-01-15T08:00:00.001Z')
  vi.setSystemTime(1_800_000_000_000)
  expect(isoTime()).toBe('2027-01-15T08:00:00.000Z')
})
