import { expect, test } from 'vitest'
import type { CallRow } from '../../api/calls.ts'
import { holdBack } from './hold-back.ts'

test('newer rows wait while somebody reads', () => {
  const calls = ['d', 'c', 'b', 'a'].map((callId) => ({ callId }) as CallRow)
  const held = holdBack(calls, 'b')
  expect([held.rows.map((call) => call.callId), held.waiting]).toEqual([['b', 'a'], 2])
})

test('nothing waits while somebody watches, or once the held row is gone', () => {
  const calls = ['b', 'a'].map((callId) => ({ callId }) as CallRow)
  expect(holdBack(calls, null)).toEqual({ rows: calls, waiting: 0 })
  expect(holdBack(calls, 'b')).toEqual({ rows: calls, waiting: 0 })
  expect(holdBack(calls, 'x')).toEqual({ rows: calls, waiting: 0 })
})
