import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { AnswerPrincipal } from './storage.ts'

/** One record of the ledger, by `kind`. */
export type LedgerRecord = IntentRecord | OutcomeRecord | RefusalRecord | StepRecord

/** Of every record. */
interface AnyRecord {
  /** It was kept in a journal of its server while the database was unavailable, and merged later. */
  readonly journaled?: true
}

/** The request and the decision about it. */
interface AskedRecord extends AnyRecord {
  readonly callId: string
  /** ISO time. */
  readonly at: string
  readonly caller: RecordedCaller
  readonly tool: string
  readonly contractDigest: string | null
  readonly inputDigest: string | null
  /** The input with secrets redacted and long text truncated; null if it could not be stored. */
  readonly input: JsonValue
  readonly checks: CheckRecord
  readonly decision: { readonly action: string; readonly rule: string; readonly reason: string } | null
  /** Digest of the settings, and of the rules that ask or deny, by which it was decided. */
  readonly policyVersion?: string
  /** `by`: who answered. `via`: where, such as `terminal`, `queue` or `--yes`. */
  readonly approval: {
    readonly answer: string
    readonly by: string
    readonly via?: string
    /** Those who answered that an issuer vouches for, with the groups that entitled them. */
    readonly principals?: readonly AnswerPrincipal[]
    readonly id?: string
    /** Context for the reader, such as that a client declined without asking a person. */
    readonly note?: string
    /** Milliseconds from the question to its answer; absent if no one was asked or no one answered. */
    readonly waitedMs?: number
  } | null
  /** The run of a workflow, and its step, that made the call. */
  readonly run?: { readonly id: string; readonly step: string }
}

/** A caller as the ledger records it. All but its name is absent in older records, and where it is not known. */
interface RecordedCaller {
  readonly name: string
  readonly session?: string
  /** How it authenticated: `token`, `jwt`, `cookie`, `stdio` or `cli`. Absent: it called in this process. */
  readonly via?: NonNullable<Caller['via']>
  /** Who issued its token, and the claim `sub` there if that is not its name. */
  readonly issuer?: string
  readonly subject?: string
  /** The first 50 of its groups. */
  readonly groups?: readonly string[]
}

/** A call that passed every check. Stored before the tool runs. */
export interface IntentRecord extends AskedRecord {
  readonly kind: 'intent'
}

/** How a call with an intent ended. Stored before the call is acknowledged. */
export interface OutcomeRecord extends AnyRecord {
  readonly kind: 'outcome'
  readonly callId: string
  readonly at: string
  readonly tool: string
  readonly success: boolean
  readonly errorCode: string | null
  /** How the tool violated its contract; null if it did not. */
  readonly violation: string | null
  readonly durationMs: number
  readonly checks: CheckRecord
  /** The person who said how it ended, because its process ended before. */
  readonly by?: string
}

/** A call that a check rejected before it ran. */
export interface RefusalRecord extends AskedRecord {
  readonly kind: 'refusal'
  readonly errorCode: string
  /** How the tool's `validate` violated the contract; absent if it did not. */
  readonly violation?: string
  readonly durationMs: number
}

/**
 * One stage of an agent run. All records of a run share its id; the first has the stage `gate`, the last `end`. Calls made
 * by the run have their own ids and records, which `details` of the stage `call` reference.
 */
export interface StepRecord extends AnyRecord {
  readonly kind: 'step'
  /** The id of the run. */
  readonly callId: string
  readonly at: string
  readonly tool: 'agent.ask' | 'agent.chat'
  readonly stage: 'gate' | 'catalogue' | 'plan' | 'call' | 'output' | 'grounding' | 'end'
  readonly passed: boolean
  /** Redacted. Stage `gate`: `caller`. Stage `end`: `durationMs`, and `code` if the run failed. */
  readonly details: JsonObject
}

/** Result of each pipeline check by name. Checks that were not reached are absent. */
export type CheckRecord = { readonly [check: string]: 'passed' | 'failed' | 'not_needed' }
