import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { describeSpot } from './describe-spot.ts'

const describe = (before: JsonValue | undefined, after: JsonValue | undefined) =>
  describeSpot({ path: [], before, after } as unknown as Parameters<typeof describeSpot>[0], 'default')

test('added, removed and changed tools are distinguished', () => {
  expect(describe(undefined, 1)).toEqual({ after: '1', message: 'The default was added: 1.' })
  expect(describe(1, undefined)).toEqual({ before: '1', message: 'The default was removed: 1.' })
  expect(describe(1, 2)).toEqual({ before: '1', after: '2', message: 'The default changed from 1 to 2.' })
})

test('of long texts the part that differs is shown, with 30 characters before it', () => {
  const same = (length: number) => 'abcdefghij'.repeat(100).slice(0, length)
  const beginning = (length: number) => describe(`${same(length)}X`, `${same(length)}Y`).before
  expect(beginning(30)).toBe(`"${same(30)}X"`)
  expect(beginning(31)).toBe(`…"${same(31).slice(1)}X"`)
  expect(describe(same(500), `${same(500)}Y`).after).toBe(`…"${same(500).slice(-30)}Y"`)
})

const hint = 'Both are times'
test.each<[boolean, JsonValue, JsonValue]>([
  [true, '2026-01-01T10:00:00Z', '2026-01-02T10:00:00Z'],
  [true, Date.UTC(2026), Date.UTC(2026) + 1],
  [true, Date.UTC(2026) / 1000, Date.UTC(2026) / 1000 + 1],
  [true, Date.UTC(2020) + 1, Date.UTC(2100) - 1],
  [false, Date.UTC(2020), Date.UTC(2026)],
  [false, Date.UTC(2026), Date.UTC(2100)],
  [false, '2026-01-01', 'never'],
  [false, 'never', '2026-01-01'],
  [false, 5, 6],
  [false, true, Date.UTC(2026)],
])('it is %s that both are times: %j, %j', (areTimes, before, after) => {
  expect(describe(before, after).message.includes(hint)).toBe(areTimes)
})
