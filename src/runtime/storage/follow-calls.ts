import type { CallState } from './call-record.ts'
import type { LedgerEntry, StepRecord } from './storage.ts'

/** A call that has begun and not ended, as far as its entries were followed. */
export interface OpenCall {
  /** Position of its first entry. */
  readonly first: number
  readonly waitedMs: number
  /** A stage of this agent run has failed. */
  readonly hasFailed: boolean
}

export interface OpenCalls {
  get(callId: string): OpenCall | undefined
  set(callId: string, call: OpenCall): unknown
  delete(callId: string): unknown
}

/** What one entry means for its call. */
export interface Progress {
  /** Position of the call's first entry: this one, if there was none before. */
  readonly first: number
  readonly ended?: CallEnd
}

export interface CallEnd {
  readonly state: Exclude<CallState, 'interrupted'>
  readonly code: string | null
  /** Without the time that a person took to answer; null if unknown. */
  readonly durationMs: number | null
  readonly isViolation: boolean
}

/** Follows calls entry by entry, in order, without holding those that have ended. */
export function followEntry({ seq, record }: Pick<LedgerEntry, 'seq' | 'record'>, open: OpenCalls): Progress {
  const { callId } = record
  if (record.kind === 'refusal') {
    const { errorCode: code, durationMs, violation } = record
    return { first: seq, ended: { state: 'refused', code, durationMs, isViolation: violation !== undefined } }
  }
  if (record.kind === 'intent') {
    open.set(callId, { first: seq, waitedMs: record.approval?.waitedMs ?? 0, hasFailed: false })
    return { first: seq }
  }
  const { first, waitedMs, hasFailed } = open.get(callId) ?? { first: seq, waitedMs: 0, hasFailed: false }
  if (record.kind === 'step' && record.stage !== 'end') {
    open.set(callId, { first, waitedMs, hasFailed: hasFailed || !record.passed })
    return { first }
  }
  open.delete(callId)
  if (record.kind === 'step') return { first, ended: toRunEnd(record, hasFailed) }
  const state = record.success ? 'succeeded' : 'failed'
  const durationMs = Math.max(0, record.durationMs - waitedMs)
  return { first, ended: { state, code: record.errorCode, durationMs, isViolation: record.violation !== null } }
}

function toRunEnd({ passed, details }: StepRecord, hasFailed: boolean): CallEnd {
  const { code, durationMs, ran } = details
  const state = passed ? 'succeeded' : hasFailed && ran !== true ? 'refused' : 'failed'
  return {
    state,
    code: typeof code === 'string' ? code : null,
    durationMs: typeof durationMs === 'number' ? durationMs : null,
    isViolation: false,
  }
}
