import { expect, test } from 'vitest'
import { toCalls } from './calls.ts'
import type { LedgerEntry, LedgerRecord, RefusalRecord, StepRecord } from './storage.ts'
import { toIntent, toOutcome } from './suite/records.ts'

test('an intent and its outcome are one call', () => {
  const [call] = toCalls(toEntries(toIntent('1'), toOutcome('1', { durationMs: 7 })))
  expect(call).toEqual({
    callId: '1',
    state: 'succeeded',
    at: toIntent('1').at,
    caller: { name: 'test' },
    tool: 'learning.hello',
    input: { name: 'Ada' },
    inputDigest: toIntent('1').inputDigest,
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

test('calls are in the order in which they began, however they ended', () => {
  const entries = toEntries(toIntent('1'), toIntent('2'), toIntent('3'), toOutcome('3'), toOutcome('1'), toOutcome('2'))
  expect(toCalls(entries).map(({ callId }) => callId)).toEqual(['1', '2', '3'])
})

test('an outcome whose intent is not among the entries is still a call', () => {
  expect(toCalls(toEntries(toOutcome('1')))).toMatchObject([
    { callId: '1', state: 'succeeded', tool: 'learning.hello', caller: null, input: null },
  ])
})

test('the steps of a run are one row: who asked what, which stages passed, how it ended', () => {
  const gate = toStep('gate', { details: { caller: { name: 'agent', session: 's' }, question: 'Who?' } })
  const end = toStep('end', { details: { durationMs: 5 } })
  expect(toCalls(toEntries(gate, toStep('plan'), end))).toMatchObject([
    {
      callId: 'run',
      tool: 'agent.ask',
      state: 'succeeded',
      caller: { name: 'agent', session: 's' },
      input: { question: 'Who?' },
      checks: { gate: 'passed', plan: 'passed' },
      durationMs: 5,
    },
  ])
})

test('a run that a stage stopped was refused, one that failed otherwise failed, one without an end was interrupted', () => {
  const end = (details: StepRecord['details']) => toStep('end', { passed: false, details })
  const blocked = [toStep('gate'), toStep('plan', { passed: false }), end({ code: 'plan_not_json' })]
  expect(toCalls(toEntries(...blocked))).toMatchObject([{ state: 'refused', errorCode: 'plan_not_json' }])
  expect(toCalls(toEntries(toStep('gate'), end({ code: 'model_error' })))).toMatchObject([{ state: 'failed' }])
  const ran = [toStep('gate'), toStep('output', { passed: false }), end({ code: 'invalid_output', ran: true })]
  expect(toCalls(toEntries(...ran))).toMatchObject([{ state: 'failed', checks: { output: 'failed' } }])
  expect(toCalls(toEntries(toStep('gate'), toStep('catalogue')))).toMatchObject([{ state: 'interrupted' }])
})

test('a run whose beginning is not among the entries is still a row', () => {
  expect(toCalls(toEntries(toStep('end')))).toMatchObject([{ callId: 'run', state: 'succeeded', caller: null }])
})

function toStep(stage: StepRecord['stage'], more: Partial<StepRecord> = {}): StepRecord {
  const at = '2026-01-02T03:04:05.678Z'
  return { kind: 'step', callId: 'run', at, tool: 'agent.ask', stage, passed: true, details: {}, ...more }
}

function toEntries(...records: LedgerRecord[]): LedgerEntry[] {
  return records.map((record, index) => ({ seq: index + 1, record, hash: '' }))
}
