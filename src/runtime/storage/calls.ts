import type { JsonObject } from '../../contract/json.ts'
import type { CallRecord, CallsQuery, FoundCall } from './call-record.ts'
import type { IntentRecord, LedgerEntry, OutcomeRecord, RefusalRecord, StepRecord } from './storage.ts'

/** One row per call and run, in order of their first entry. */
export function toCalls(entries: readonly LedgerEntry[]): CallRecord[] {
  const calls = new Map<string, CallRecord>()
  for (const { record } of entries) {
    const { callId } = record
    if (record.kind === 'step') calls.set(callId, toRun(calls.get(callId), record))
    else if (record.kind === 'outcome') calls.set(callId, toEnded(calls.get(callId), record))
    else calls.set(callId, toAsked(record))
    if (record.journaled) calls.set(callId, { ...calls.get(callId)!, journaled: true })
  }
  return [...calls.values()]
}

/** The same, with the position of each first entry. */
export function toFoundCalls(entries: readonly LedgerEntry[]): FoundCall[] {
  const firsts = new Map<string, number>()
  for (const { seq, record } of entries) if (!firsts.has(record.callId)) firsts.set(record.callId, seq)
  return toCalls(entries).map((call) => ({ ...call, seq: firsts.get(call.callId)! }))
}

/** Whether a call matches the conditions of a query, its limit aside. */
export function matchesCallsQuery(call: FoundCall, query: CallsQuery): boolean {
  const { tool, caller, outcome, since, until, text, before } = query
  return (
    (before === undefined || call.seq < before) &&
    (tool === undefined || call.tool === tool) &&
    (caller === undefined || call.caller?.name === caller) &&
    (outcome === undefined || call.state === outcome || call.errorCode === outcome) &&
    (since === undefined || call.at >= since.toISOString()) &&
    (until === undefined || call.at < until.toISOString()) &&
    (text === undefined || JSON.stringify(call.input).toLowerCase().includes(text.toLowerCase()))
  )
}

function toAsked(record: IntentRecord | RefusalRecord): CallRecord {
  const { callId, at, caller, tool, input, inputDigest, checks, decision, approval, run } = record
  const asked = { callId, at, caller, tool, input, inputDigest, checks, decision, approval, ...(run && { run }) }
  if (record.kind === 'intent')
    return { ...asked, state: 'interrupted', errorCode: null, violation: null, durationMs: null }
  const { errorCode, violation = null, durationMs } = record
  return { ...asked, state: 'refused', errorCode, violation, durationMs }
}

function toEnded(begun: CallRecord | undefined, record: OutcomeRecord): CallRecord {
  const { callId, at, tool, success, checks, errorCode, violation, durationMs } = record
  const unknown = { callId, at, tool, caller: null, input: null, inputDigest: null, decision: null, approval: null }
  return { ...(begun ?? unknown), checks, state: success ? 'succeeded' : 'failed', errorCode, violation, durationMs }
}

/** A run as a row: stages become checks, and the question of its first stage becomes the input. */
function toRun(begun: CallRecord | undefined, { callId, at, tool, stage, passed, details }: StepRecord): CallRecord {
  const unknown = {
    callId,
    at,
    tool,
    caller: null,
    input: null,
    inputDigest: null,
    decision: null,
    approval: null,
    violation: null,
  }
  const state = { state: 'interrupted' as const, errorCode: null, durationMs: null }
  const run: CallRecord = { ...unknown, ...state, checks: {}, ...begun }
  if (stage === 'end') return { ...run, ...toRunEnd(run, passed, details) }
  // A chat repeats its stages at every step.
  const failed = !passed || run.checks[stage] === 'failed'
  const checks = { ...run.checks, [stage]: failed ? 'failed' : 'passed' } as const
  if (stage !== 'gate' || run.caller) return { ...run, checks }
  const { caller, ...input } = details
  return { ...run, checks, caller: (caller ?? { name: 'agent' }) as unknown as IntentRecord['caller'], input }
}

function toRunEnd({ checks }: CallRecord, passed: boolean, { code, durationMs, ran }: JsonObject) {
  const refused = !passed && ran !== true && Object.values(checks).includes('failed')
  return {
    state: passed ? ('succeeded' as const) : refused ? ('refused' as const) : ('failed' as const),
    errorCode: typeof code === 'string' ? code : null,
    durationMs: typeof durationMs === 'number' ? durationMs : null,
  }
}
