import { expect, test } from 'vitest'
import { countBytes, formatAge, formatBytes, formatCountdown, formatDuration, plural } from './format.ts'

test('ages are short, and a clock that runs behind gives no negative one', () => {
  expect([-5000, 4999, 5000, 59_999, 60_000, 3_599_000, 3_600_000, 86_400_000].map(formatAge)).toEqual([
    'just now',
    'just now',
    '5 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '1 d ago',
  ])
})

test('a countdown shows the seconds that are left, and stops at zero', () => {
  expect([-1, 0, 1, 38_000, 59_001, 725_000, 3_600_000].map(formatCountdown)).toEqual([
    '0:00',
    '0:00',
    '0:01',
    '0:38',
    '1:00',
    '12:05',
    '1:00:00',
  ])
})

test('durations and sizes have a unit', () => {
  expect([0.4, 1, 999, 1000, 59_900, 125_000].map(formatDuration)).toEqual([
    '<1 ms',
    '1 ms',
    '999 ms',
    '1.0 s',
    '59.9 s',
    '2 min 5 s',
  ])
  expect([1, 412, 1500, 2_000_000].map(formatBytes)).toEqual(['1 byte', '412 bytes', '1.5 kB', '2.0 MB'])
  expect(countBytes('ä€')).toBe(5)
  expect([plural(1, 'call'), plural(1200, 'call'), plural(2, 'entry', 'entries')]).toEqual([
    '1 call',
    '1,200 calls',
    '2 entries',
  ])
})
