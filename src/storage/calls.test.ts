import { expect, test } from 'vitest'
import { toIntent, toOutcome } from '../../test/storage-records.ts'
import { toCalls } from './calls.ts'
import type { LedgerEntry, LedgerRecord, RefusalRecord } from './storage.ts'

test('an intent and its outcome are one call', () => {
  const [call] = toCalls(toEntries(toIntent('1'), toOutcome('1', { durationMs: 7 })))
  expect(call).toEqual({
    callId: '1',
    state: 'succeeded',
    at: toIntent('1').at,
    caller: { name: 'test' },
    tool: 'learning.hello',
    input: { name: 'Ada' },
    decision: toIntent('1').decision,
    approval: null,
    checks: toOutcome('1').checks,
    errorCode: null,
    violation: null,
    durationMs: 7,
  })
})

test('a call that failed says how', () => {
  const failed = toOutcome('1', { success: false, errorCode: 'invalid_output', violation: 'invalid_output' })
  expect(toCalls(toEntries(toIntent('1'), failed))).toMatchObject([
    { state: 'failed', errorCode: 'invalid_output', violation: 'invalid_output' },
  ])
})

test('a refusal is a call of its own', () => {
  const refusal: RefusalRecord = { ...toIntent('1'), kind: 'refusal', errorCode: 'denied', durationMs: 1 }
  expect(toCalls(toEntries(refusal))).toMatchObject([{ state: 'refused', errorCode: 'denied', durationMs: 1 }])
})

test('an intent without an outcome was interrupted', () => {
  const calls = toCalls(toEntries(toIntent('1'), toIntent('2'), toOutcome('1')))
  expect(calls).toMatchObject([
    { callId: '1', state: 'succeeded' },
    { callId: '2', state: 'interrupted', durationMs: null, errorCode: null },
  ])
})

test('calls stand in the order in which they began, however they ended', () => {
  const entries = toEntries(toIntent('1'), toIntent('2'), toIntent('3'), toOutcome('3'), toOutcome('1'), toOutcome('2'))
  expect(toCalls(entries).map(({ callId }) => callId)).toEqual(['1', '2', '3'])
})

test('an outcome whose intent is not among the entries is still a call', () => {
  expect(toCalls(toEntries(toOutcome('1')))).toMatchObject([
    { callId: '1', state: 'succeeded', tool: 'learning.hello', caller: null, input: null },
  ])
})

function toEntries(...records: LedgerRecord[]): LedgerEntry[] {
  return records.map((record, index) => ({ seq: index + 1, record, hash: '' }))
}
