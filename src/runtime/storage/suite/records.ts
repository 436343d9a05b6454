import type { IntentRecord, OutcomeRecord, RefusalRecord, StepRecord } from '../storage.ts'

/** Records as the pipeline makes them, for tests of the storage. */
export function toIntent(callId: string, more: Partial<IntentRecord> = {}): IntentRecord {
  return {
    kind: 'intent',
    callId,
    at: '2026-01-02T03:04:05.678Z',
    caller: { name: 'test' },
    tool: 'learning.hello',
    contractDigest: `sha256:${'a'.repeat(64)}`,
    inputDigest: `sha256:${'b'.repeat(64)}`,
    input: { name: 'Ada' },
    checks: { resolve: 'passed', bound: 'passed', input: 'passed', rate: 'not_needed', decide: 'passed' },
    decision: { action: 'allow', rule: 'contract', reason: 'It only reads.' },
    approval: null,
    ...more,
  }
}

export function toOutcome(callId: string, more: Partial<OutcomeRecord> = {}): OutcomeRecord {
  return {
    kind: 'outcome',
    callId,
    at: '2026-01-02T03:04:05.690Z',
    tool: 'learning.hello',
    success: true,
    errorCode: null,
    violation: null,
    durationMs: 12,
    checks: { run: 'passed', output: 'passed' },
    ...more,
  }
}

export function toRefusal(callId: string, more: Partial<RefusalRecord> = {}): RefusalRecord {
  return { ...toIntent(callId), kind: 'refusal', errorCode: 'denied', durationMs: 1, ...more }
}

export function toStep(callId: string, stage: StepRecord['stage'], more: Partial<StepRecord> = {}): StepRecord {
  const { at } = toIntent(callId)
  return { kind: 'step', callId, at, tool: 'agent.ask', stage, passed: true, details: {}, ...more }
}
