import { expect, test } from 'vitest'
import { toExpiry } from './add.ts'

const now = new Date('2026-01-31T12:00:00Z')

test.each([
  ['30m', '2026-01-31T12:30:00.000Z'],
  ['1w', '2026-02-07T12:00:00.000Z'],
  ['2026-02-01T09:00Z', '2026-02-01T09:00:00.000Z'],
])('%s is a future time', (text, expected) => {
  expect(toExpiry(text, now).toISOString()).toBe(expected)
})

test.each(['', 'tomorrow', '10', '-5m', '2026-13-01', '9999999d'])("'%s' is refused", (text) => {
  expect(() => toExpiry(text, now)).toThrow(`--expires cannot be '${text}'.`)
})

test.each(['0s', '2026-01-30', '2026-01-31T12:00Z'])('%s is refused, as it is not in the future', (text) => {
  expect(() => toExpiry(text, now)).toThrow('is not in the future')
})
