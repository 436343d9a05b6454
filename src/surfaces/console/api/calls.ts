import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import type { CheckState } from './api.ts'
import type { Principal } from './questions.ts'
import type { StepOfRun } from './runs.ts'

export type CallState = 'succeeded' | 'failed' | 'refused' | 'interrupted' | 'running'

/** A call or an agent run as a row. */
export interface CallRow {
  /** Position of its first entry in the ledger; pages are ordered by it. */
  readonly seq: number
  readonly callId: string
  readonly at: string
  readonly tool: string
  readonly caller: string | null
  readonly state: CallState
  readonly code: string | null
  readonly durationMs: number | null
  /** Of an agent run: its stages, in their own names. */
  readonly checks: { readonly [check: string]: CheckState }
  readonly isRun: boolean
  /** The tool broke its contract. */
  readonly isViolation: boolean
  /** A few words of the redacted input. */
  readonly inputText: string
  readonly approvedBy: string | null
}

export interface CallQuery {
  readonly tool?: string
  readonly caller?: string
  /** A state, or an error code. */
  readonly outcome?: string
  readonly since?: string
  readonly until?: string
  /** Text of the redacted input. */
  readonly text?: string
  /** Rows before this position; absent: the newest. */
  readonly before?: number
  /** Default: 50, at most 200. */
  readonly limit?: number
}

export interface CallPage {
  /** Newest first. */
  readonly calls: readonly CallRow[]
  /** Where to continue; null at the beginning of the ledger. */
  readonly before: number | null
  /** The search stopped after reading this many entries, to stay fast; continue with `before`. */
  readonly searched?: number
}

export interface CallStory {
  readonly call: CallRow
  readonly session: string | null
  readonly principal?: Principal
  /** The run of a workflow that made the call, and its step. */
  readonly run?: StepOfRun
  /** The call started a run of a workflow, which has the same id. */
  readonly hasRun: boolean
  readonly input: JsonValue
  readonly contractDigest: string | null
  readonly inputDigest: string | null
  readonly decision: { readonly action: string; readonly rule: string; readonly reason: string } | null
  readonly approval: {
    readonly answer: string
    readonly by: string
    readonly via?: string
    readonly note?: string
  } | null
  readonly violation: string | null
  /** It was recorded in a journal of its server while the database was unavailable, and merged later. */
  readonly journaled?: true
  readonly hasEvidence: boolean
  /** Its entries in the ledger. */
  readonly entries: readonly {
    readonly seq: number
    readonly kind: string
    readonly at: string
    readonly hash: string
  }[]
  /** Of an agent run: its stages in order, with what they recorded. */
  readonly stages?: readonly {
    readonly at: string
    readonly stage: string
    readonly passed: boolean
    readonly details: JsonObject
    /** The call that the stage made. */
    readonly callId?: string
  }[]
  /** A question about this call that still waits. */
  readonly questionId?: string
}

export interface EvidenceResponse {
  /** What the tool really returned. For people only. */
  readonly text: string
}

export type VerifyResponse =
  | {
      readonly intact: true
      readonly entries: number
      readonly head: string
      readonly archived?: number
      /** Null if the storage of the server does not seal its ledger: then only the chain was verified. */
      readonly seal: SealCheck | null
    }
  | { readonly intact: false; readonly entries: number; readonly fault: string; readonly reason: string }

/** How the ledger compares with its checkpoints. */
export interface SealCheck {
  /** Entries that the newest one covers. */
  readonly size: number
  readonly checkpoints: number
  /** Places elsewhere whose checkpoints were compared, and that could not be asked. */
  readonly places: { readonly compared: number; readonly failed: number }
  /** What this does not prove. */
  readonly limits: readonly string[]
}
