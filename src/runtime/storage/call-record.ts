import type { IntentRecord } from './ledger-record.ts'

/** One call or agent run, assembled from its ledger entries. */
export interface CallRecord extends Pick<IntentRecord, 'callId' | 'at' | 'tool' | 'checks'> {
  /** `interrupted`: there is no outcome. The process crashed, or the call is still running. */
  readonly state: CallState
  /** Null, like `input`, `decision` and `approval`, if the entries contain only the outcome. */
  readonly caller: IntentRecord['caller'] | null
  readonly input: IntentRecord['input']
  /** Of the input before secrets were redacted; null if the entries contain only the outcome. */
  readonly inputDigest: string | null
  readonly decision: IntentRecord['decision']
  readonly approval: IntentRecord['approval']
  /** The run of a workflow, and its step, that made the call. */
  readonly run?: NonNullable<IntentRecord['run']>
  readonly errorCode: string | null
  readonly violation: string | null
  readonly durationMs: number | null
  /** Some of its records were kept in a journal while the database was unavailable, and merged later. */
  readonly journaled?: true
}

/** How a call ended, or that it did not. */
export type CallState = 'succeeded' | 'failed' | 'refused' | 'interrupted'

/** A call or agent run with the position of its first entry. */
export interface FoundCall extends CallRecord {
  readonly seq: number
}

/** Selects calls and agent runs. All conditions must match. */
export interface CallsQuery {
  readonly tool?: string
  /** Name of the caller. */
  readonly caller?: string
  /** A state or an error code. */
  readonly outcome?: string
  /** Calls that began at this time or later. */
  readonly since?: Date
  /** Calls that began before this time. */
  readonly until?: Date
  /** Calls whose redacted input contains this text as JSON, in upper or lower case. */
  readonly text?: string
  /** Calls before this position. */
  readonly before?: number
  /** Default: 50. */
  readonly limit?: number
}

/** Calls per page if the query names no limit. */
export const defaultCallsLimit = 50

/** One page of calls. */
export interface CallsPage {
  /** Newest first, by the position of their first entry. */
  readonly calls: readonly FoundCall[]
  /** The `before` of the next page; null if there are no older calls. */
  readonly before: number | null
  /** The search stopped after reading this many entries, to return soon. Continue with `before`; the page may be empty. */
  readonly searched?: number
}
