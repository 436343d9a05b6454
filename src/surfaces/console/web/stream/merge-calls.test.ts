import { expect, test } from 'vitest'
import type { LiveCall } from '../../api/api.ts'
import type { CallRow } from '../../api/calls.ts'
import { fromLiveCall, maxLiveCalls, mergeCalls } from './merge-calls.ts'

test('new calls are put first, newest first, and known ones keep their place', () => {
  const rows = mergeCalls([], [live('a'), live('b'), live('c')])
  expect(rows.map((row) => row.callId)).toEqual(['c', 'b', 'a'])
  const next = mergeCalls(rows, [live('a', { code: null, ran: true, durationMs: 5 }), live('d')])
  expect(next.map((row) => [row.callId, row.state])).toEqual([
    ['d', 'running'],
    ['c', 'running'],
    ['b', 'running'],
    ['a', 'succeeded'],
  ])
})

test('several reports of a call in one batch become one row with the last state', () => {
  const rows = mergeCalls([], [live('a'), live('a'), live('a', { code: 'timeout', ran: true, durationMs: 9 })])
  expect(rows.map((row) => [row.state, row.code])).toEqual([['failed', 'timeout']])
})

test('a call that did not run was refused', () => {
  expect(fromLiveCall(toLive('a', { code: 'denied', ran: false, durationMs: 1 })).state).toBe('refused')
})

test('a late report of a running call does not reopen one that ended', () => {
  const ended = mergeCalls([], [live('a', { code: null, ran: true, durationMs: 1 })])
  expect(mergeCalls(ended, [live('a')])[0]!.state).toBe('succeeded')
  const recorded = mergeCalls([], [inLedger('a', 7)])
  expect(mergeCalls(recorded, [live('a')])[0]!.seq).toBe(7)
  expect(mergeCalls([], [inLedger('a', 7), live('a')])[0]!.seq).toBe(7)
})

test('a list that is older than what was observed does not reopen a call', () => {
  const ended = mergeCalls([], [live('a', { code: null, ran: true, durationMs: 1 })])
  expect(mergeCalls(ended, [{ ...inLedger('a', 7), state: 'running' }])[0]!.state).toBe('succeeded')
  const running = mergeCalls([], [{ ...inLedger('a', 7), state: 'running' }])
  expect(mergeCalls(running, [live('a')])[0]!.seq).toBe(7)
  expect(mergeCalls(running, [live('a', { code: null, ran: true, durationMs: 1 })])[0]!.state).toBe('succeeded')
})

test('the row of the ledger replaces the live one', () => {
  const rows = mergeCalls([live('a', { code: null, ran: true, durationMs: 1 })], [inLedger('a', 3)])
  expect(rows).toEqual([inLedger('a', 3)])
})

test('the oldest rows are dropped beyond the limit', () => {
  const many = Array.from({ length: maxLiveCalls + 5 }, (_, n) => live(`${n}`))
  const rows = mergeCalls([], many)
  expect(rows).toHaveLength(maxLiveCalls)
  expect(rows[0]!.callId).toBe(`${maxLiveCalls + 4}`)
})

function live(callId: string, ended?: LiveCall['ended']): CallRow {
  return fromLiveCall(toLive(callId, ended))
}

function toLive(callId: string, ended?: LiveCall['ended']): LiveCall {
  const call = { callId, tool: 'a.b', caller: 'c', startedAt: '2026-01-01T00:00:00Z', checks: {} }
  return ended === undefined ? call : { ...call, ended }
}

function inLedger(callId: string, seq: number): CallRow {
  return { ...live(callId), seq, state: 'succeeded' }
}
