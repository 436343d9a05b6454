import type { JsonObject } from '../../contract/json.ts'
import type { IntentRecord, LedgerEntry, OutcomeRecord, RefusalRecord, StepRecord } from './storage.ts'

/** One call or agent run, assembled from its ledger entries. */
export interface CallRecord extends Pick<IntentRecord, 'callId' | 'at' | 'tool' | 'checks'> {
  /** `interrupted`: there is no outcome. The process crashed, or the call is still running. */
  readonly state: 'succeeded' | 'failed' | 'refused' | 'interrupted'
  /** Null, like `input`, `decision` and `approval`, if the entries contain only the outcome. */
  readonly caller: IntentRecord['caller'] | null
  readonly input: IntentRecord['input']
  readonly decision: IntentRecord['decision']
  readonly approval: IntentRecord['approval']
  readonly errorCode: string | null
  readonly violation: string | null
  readonly durationMs: number | null
}

/** One row per call and run, in order of their first entry. */
export function toCalls(entries: readonly LedgerEntry[]): CallRecord[] {
  const calls = new Map<string, CallRecord>()
  for (const { record } of entries) {
    const { callId } = record
    if (record.kind === 'step') calls.set(callId, toRun(calls.get(callId), record))
    else if (record.kind === 'outcome') calls.set(callId, toEnded(calls.get(callId), record))
    else calls.set(callId, toAsked(record))
  }
  return [...calls.values()]
}

function toAsked(record: IntentRecord | RefusalRecord): CallRecord {
  const { callId, at, caller, tool, input, checks, decision, approval } = record
  const asked = { callId, at, caller, tool, input, checks, decision, approval }
  if (record.kind === 'intent')
    return { ...asked, state: 'interrupted', errorCode: null, violation: null, durationMs: null }
  const { errorCode, violation = null, durationMs } = record
  return { ...asked, state: 'refused', errorCode, violation, durationMs }
}

function toEnded(begun: CallRecord | undefined, record: OutcomeRecord): CallRecord {
  const { callId, at, tool, success, checks, errorCode, violation, durationMs } = record
  const unknown = { callId, at, tool, caller: null, input: null, decision: null, approval: null }
  return { ...(begun ?? unknown), checks, state: success ? 'succeeded' : 'failed', errorCode, violation, durationMs }
}

/** A run as a row: stages become checks, and the question of its first stage becomes the input. */
function toRun(begun: CallRecord | undefined, { callId, at, tool, stage, passed, details }: StepRecord): CallRecord {
  const unknown = { callId, at, tool, caller: null, input: null, decision: null, approval: null, violation: null }
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
