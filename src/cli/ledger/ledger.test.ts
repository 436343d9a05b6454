import { expect, test } from 'vitest'
import { toSince } from './ledger.ts'

const now = new Date('2026-01-31T12:00:00Z')

test.each([
  ['30s', '2026-01-31T11:59:30.000Z'],
  ['10m', '2026-01-31T11:50:00.000Z'],
  ['2h', '2026-01-31T10:00:00.000Z'],
  ['3d', '2026-01-28T12:00:00.000Z'],
  ['1w', '2026-01-24T12:00:00.000Z'],
  ['2026-01-30T09:00Z', '2026-01-30T09:00:00.000Z'],
  ['2026-01-30T09:00:30.5+01:00', '2026-01-30T08:00:30.500Z'],
])('%s is a point in time', (text, expected) => {
  expect(toSince(text, now).toISOString()).toBe(expected)
})

test('a date alone is midnight here', () => {
  expect(toSince('2026-01-30', now)).toEqual(new Date(2026, 0, 30))
})

test.each(['', 'yesterday', '10', 'm', '-5m', '1.5h', '10 m', '2026', '2026-13-01', '2026-01-30T25:00', '9999999d'])(
  "'%s' is refused, and the right forms are named",
  (text) => {
    expect(() => toSince(text, now)).toThrow(`--since cannot be '${text}'.`)
  },
)
