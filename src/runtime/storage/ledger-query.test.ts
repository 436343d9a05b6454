import { expect, test } from 'vitest'
import { limitTo, matchesQuery } from './ledger-query.ts'
import type { LedgerQuery } from './storage.ts'

const entry = { seq: 5, tool: 'notes.add', callId: 'abc-1', at: '2026-01-02T00:00:00.000Z' }

test.each<[boolean, LedgerQuery]>([
  [true, {}],
  [true, { afterSeq: 4 }],
  [false, { afterSeq: 5 }],
  [true, { tool: 'notes.add' }],
  [false, { tool: 'notes.list' }],
  [true, { callId: 'abc-1' }],
  [false, { callId: 'abc' }],
  [true, { callIdPrefix: 'abc' }],
  [false, { callIdPrefix: 'bc' }],
  [true, { since: new Date('2026-01-01T23:59:59.999Z') }],
  [true, { since: new Date('2026-01-02T00:00:00.000Z') }],
  [false, { since: new Date('2026-01-02T00:00:00.001Z') }],
  [false, { tool: 'notes.add', callId: 'other' }],
  [false, { tool: 'other', callId: 'abc-1' }],
  [false, { afterSeq: 5, tool: 'notes.add' }],
])('it is %s that the entry matches %j', (matches, query) => {
  expect(matchesQuery(entry, query)).toBe(matches)
})

test.each<[number[], LedgerQuery]>([
  [[1, 2, 3], {}],
  [[2, 3], { last: 2 }],
  [[3], { last: 1 }],
  [[], { last: 0 }],
  [[1, 2, 3], { last: 4 }],
  [[1, 2], { first: 2 }],
  [[], { first: 0 }],
])('%j are left by %j', (left, query) => {
  expect(limitTo([1, 2, 3], query)).toEqual(left)
})
