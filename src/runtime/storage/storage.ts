import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { OperatorState } from './operator-state.ts'
import type { Sessions } from './sessions.ts'

/** The port through which everything that outlives a call is kept. `openMemoryStorage` and `openSqliteStorage` implement it. */
export interface Storage extends OperatorState {
  readonly ledger: Ledger
  readonly counters: Counters
  readonly approvals: Approvals
  readonly notes: Notes
  readonly ruleUses: RuleUses
  readonly replies: Replies
  readonly evidence: Evidence
  readonly sessions: Sessions
  /** Whether records can be written. Makes a small commit to find out. */
  health(): Promise<StorageHealth>
  /** Waits for what is under way. After it nothing may be called. */
  close(): Promise<void>
}

export interface StorageHealth {
  readonly isWritable: boolean
  /** Milliseconds since 1970; null before the first commit of this process. */
  readonly lastCommitAt: number | null
  /** The last failure to write, with what to do about it. It stays after a recovery. For operators: it names paths. */
  readonly lastFailure: { readonly at: number; readonly message: string } | null
}

export interface Ledger {
  /**
   * Resolves once the record is kept: on disk (fsync) when `durable`, else safe from the death of this process.
   * Rejects when it could not be kept. Records of one process keep their order.
   */
  append(record: LedgerRecord, options: { durable: boolean }): Promise<void>
  /** Entries in order of `seq`, oldest first. */
  read(query?: LedgerQuery): Promise<LedgerEntry[]>
  /** Checks every entry against the hash chain. */
  verify(): Promise<LedgerVerdict>
  /** Moves the oldest entries into files beside the ledger. What is left is verified from the last that was archived. */
  archive(options: ArchiveOptions): Promise<ArchivedSegment[]>
  /** Every file that entries were moved into, oldest first. */
  archives(): Promise<ArchivedSegment[]>
}

export interface ArchiveOptions {
  /** Archives entries up to the first that is not older. */
  readonly before?: Date
  /** Archives entries until the ledger takes less space than this. */
  readonly maxBytes?: number
  /** `all`: gives space back to the system even if that keeps other processes out for a while. */
  readonly reclaim?: 'all'
}

export interface ArchivedSegment {
  /** Numbers of its first and last entry. */
  readonly first: number
  readonly last: number
  /** Of its last entry. */
  readonly hash: string
  /** Path of the file when it was written. It may have been moved or deleted since. */
  readonly file: string
  /** ISO time. */
  readonly archivedAt: string
}

export interface LedgerQuery {
  readonly afterSeq?: number
  readonly tool?: string
  readonly callId?: string
  /** Only of calls whose id begins so. */
  readonly callIdPrefix?: string
  readonly since?: Date
  /** Only the oldest ones that match. With `afterSeq` this reads a long ledger page by page. */
  readonly first?: number
  /** Only the newest ones that match. Goes before `first`. */
  readonly last?: number
}

/** A record in its place in the chain: `hash` is SHA-256 over the hash before it and the record's JSON, as it was written. */
export interface LedgerEntry {
  readonly seq: number
  readonly record: LedgerRecord
  readonly hash: string
}

export type LedgerVerdict =
  | {
      readonly intact: true
      readonly entries: number
      readonly head: string
      /** How many older entries are in archives, if any: these entries follow the last of them. */
      readonly archived?: number
    }
  | {
      readonly intact: false
      /**
       * `chain`: an entry was changed, removed, added or moved. `shortened`: the newest entries are gone. `replaced`: it is
       * another ledger than the one that was here. The last two are told by the head noted beside the database.
       */
      readonly fault: 'chain' | 'shortened' | 'replaced'
      readonly entries: number
      readonly brokenAtSeq: number
      readonly reason: string
    }

export type LedgerRecord = IntentRecord | OutcomeRecord | RefusalRecord | StepRecord

/** What was asked and decided. */
interface AskedRecord {
  readonly callId: string
  /** ISO time. */
  readonly at: string
  readonly caller: { readonly name: string; readonly session?: string }
  readonly tool: string
  readonly contractDigest: string | null
  readonly inputDigest: string | null
  /** The input with secrets redacted and long text shortened; null where it was not fit to keep. */
  readonly input: JsonValue
  readonly checks: CheckRecord
  readonly decision: { readonly action: string; readonly rule: string; readonly reason: string } | null
  /** `by`: who answered. `via`: where, such as `terminal`, `queue` or `--yes`. */
  readonly approval: {
    readonly answer: string
    readonly by: string
    readonly via?: string
    readonly id?: string
    /** What else a reader of the ledger should know, such as a client that refused without asking a person. */
    readonly note?: string
  } | null
}

/** A call that passed every check before the run. Kept before anything runs. */
export interface IntentRecord extends AskedRecord {
  readonly kind: 'intent'
}

/** How a call that had an intent ended. Kept before it is acknowledged. */
export interface OutcomeRecord {
  readonly kind: 'outcome'
  readonly callId: string
  readonly at: string
  readonly tool: string
  readonly success: boolean
  readonly errorCode: string | null
  /** How the tool broke its contract, where it did. */
  readonly violation: string | null
  readonly durationMs: number
  readonly checks: CheckRecord
}

/** A call that a check stopped before it ran. */
export interface RefusalRecord extends AskedRecord {
  readonly kind: 'refusal'
  readonly errorCode: string
  /** How the tool's `validate` broke the contract; absent if it did not. */
  readonly violation?: string
  readonly durationMs: number
}

/**
 * One stage of a run of the agent. The records of a run share its id; the first is of the stage `gate`, the last of `end`.
 * A call that the run makes has an id and records of its own; `details` of the stage `call` name them.
 */
export interface StepRecord {
  readonly kind: 'step'
  /** The id of the run. */
  readonly callId: string
  readonly at: string
  readonly tool: 'agent.ask' | 'agent.chat'
  readonly stage: 'gate' | 'catalogue' | 'plan' | 'call' | 'output' | 'grounding' | 'end'
  readonly passed: boolean
  /** With secrets redacted. Of the stage `gate`: `caller`; of `end`: `code`, where it did not pass, and `durationMs`. */
  readonly details: JsonObject
}

/** Each check of the pipeline by name, with what became of it; a check that is not listed was not reached. */
export type CheckRecord = { readonly [check: string]: 'passed' | 'failed' | 'not_needed' }

export interface Counters {
  /**
   * Counts one use of `key` if that keeps the uses within any span of `windowMs` at `count` or fewer. A use exactly
   * `windowMs` after an earlier one is outside its span. If the clock moves back, uses count for `windowMs` from then.
   */
  take(key: string, limit: { count: number; windowMs: number }, now: number): Promise<Taken>
}

export type Taken = { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }

export interface Approvals {
  /** Rejects if an unused approval with that id exists. */
  grant(approval: Approval): Promise<void>
  /** Uses an approval up: returns it exactly once, only for the same binding and before it expires. */
  use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined>
  /** Why an unused approval of this caller for the same tool and input does not count; undefined if there is none. */
  explain(id: string, binding: ApprovalBinding, now: number): Promise<Difference | undefined>
  /**
   * Puts a question into the queue, unless that is full: then it returns the limit. Rejects if a question with that id
   * exists. An older pending question about the same call in the same workspace is withdrawn.
   */
  request(question: ApprovalQuestion, now: number): Promise<QueueLimit | undefined>
  /**
   * Looks for an earlier question about exactly this call. An answer that no call has acted on is used up by this: each
   * is returned once, across processes. A pending question gets `waiter`, if given, in place of the call that waited before.
   */
  resume(binding: ApprovalBinding, now: number, waiter?: Waiter): Promise<Resumed | undefined>
  /** Every remembered question, oldest first: the pending ones, and for an hour the others. */
  questions(now: number): Promise<RememberedQuestion[]>
  find(id: string, now: number): Promise<RememberedQuestion | undefined>
  /** What a person must see to decide, in full; undefined unless the question is pending. */
  details(id: string, now: number): Promise<JsonObject | undefined>
  /** Answers a question, unless it is answered or expired. A yes grants the approval with the question's id. */
  answer(id: string, answer: GivenAnswer, now: number): Promise<Answered>
  look(id: string, now: number): Promise<QuestionState>
  /**
   * Heartbeat of the waiting call: extends its wait and, if that is longer, the life of the question, unless it is
   * answered or expired. False if another call waits for the answer now.
   */
  extend(id: string, waiter: Waiter, now: number): Promise<boolean>
  /** Withdraws a question unless it is answered; returns its state just before. */
  withdraw(id: string, now: number): Promise<QuestionState>
  /** Ends a question in any state: no call will use its answer. */
  discard(id: string, now: number): Promise<void>
}

/** The one exact call that an approval is for. */
export interface ApprovalBinding {
  readonly tool: string
  readonly contractDigest: string
  readonly inputDigest: string
  /** Name of the caller. Its session is left out: a restarted client may use its approval. */
  readonly caller: string
  /** Real path of the workspace; empty if there is none. */
  readonly workspace: string
  /** Of the rules and policy settings under which the call asks. */
  readonly policyDigest: string
  /** Of what the call would change and where, as it was shown; empty if nothing was. */
  readonly previewDigest: string
}

/** Every part of a binding: all must be the same for an approval to count. */
export const bindingParts = [
  'tool',
  'contractDigest',
  'inputDigest',
  'caller',
  'workspace',
  'policyDigest',
  'previewDigest',
] as const satisfies readonly (keyof ApprovalBinding)[]

/** Why an approval of the same tool and input does not count for a call. */
export type Difference = 'expired' | 'workspace' | 'contract' | 'policy' | 'preview'

export interface Approval extends ApprovalBinding {
  readonly id: string
  readonly by: string
  readonly expiresAt: number
  /** The person also allowed further calls of the tool. */
  readonly forTool?: boolean
}

/** A call that needs a person's answer. */
export interface ApprovalQuestion extends ApprovalBinding {
  readonly id: string
  readonly askedAt: number
  /** From this moment on it can no longer be answered. */
  readonly expiresAt: number
  /** An answer can be used for at least this long after it is given. Default: 0, until the question expires. */
  readonly answerMs?: number
  /** The call that waits for the answer, if one does. */
  readonly waiter?: Waiter
  /** What a list shows: a few short values. Forgotten with the answer. */
  readonly summary: JsonObject
  /** What a person must see to decide, in full; forgotten with the answer. */
  readonly details: JsonObject
}

/** A call that waits for the answer until then, unless it extends that. */
export interface Waiter {
  readonly callId: string
  readonly waitsUntil: number
}

/** How much may be pending, of one caller and in total. `bytes`: of the details. */
export const queueLimits = {
  caller: { questions: 1000, bytes: 33_554_432 },
  total: { questions: 10_000, bytes: 134_217_728 },
} as const

/** A limit that a question would exceed. */
export interface QueueLimit {
  readonly scope: 'caller' | 'total'
  readonly unit: 'questions' | 'bytes'
  readonly max: number
}

interface QueueUse {
  readonly questions: number
  readonly bytes: number
}

/** The limit that one more question exceeds. Bytes do not refuse the first question: the contract bounds its input. */
export function findExceeded(bytes: number, used: { caller: QueueUse; total: QueueUse }): QueueLimit | undefined {
  for (const scope of ['caller', 'total'] as const) {
    const limit = queueLimits[scope]
    if (used[scope].questions >= limit.questions) return { scope, unit: 'questions', max: limit.questions }
    if (used[scope].questions > 0 && used[scope].bytes + bytes > limit.bytes)
      return { scope, unit: 'bytes', max: limit.bytes }
  }
  return undefined
}

export interface GivenAnswer {
  readonly answer: 'yes' | 'no'
  readonly by: string
  /** With a yes: also allow further calls of this tool. */
  readonly forTool?: boolean
}

/** `outdated`: there is a yes to an earlier call of the tool with the same input that does not count for this one. */
export type Resumed =
  | { readonly state: 'pending'; readonly id: string; readonly expiresAt: number }
  | ({ readonly state: 'answered'; readonly id: string } & GivenAnswer)
  | { readonly state: 'outdated'; readonly difference: Difference }

/** `isUsed`: a call has acted on the answer. `expired`: it can no longer be answered, or never existed. */
export type QuestionState =
  | { readonly state: 'pending' }
  | { readonly state: 'expired' }
  | { readonly state: 'answered'; readonly answer: 'yes' | 'no'; readonly by: string; readonly isUsed: boolean }

/** Without its details. The summary is empty unless it is pending. */
export type RememberedQuestion = Omit<ApprovalQuestion, 'answerMs' | 'waiter' | 'details'> & {
  /** Of the details. */
  readonly bytes: number
} & QuestionState

/** Whether the answer counts, and if so, whether a call waits for it and until when it can be used; else the state. */
export type Answered =
  | { readonly taken: true; readonly isAwaited: boolean; readonly expiresAt: number }
  | ({ readonly taken: false } & Exclude<QuestionState, { state: 'pending' }>)

/** Small values that outlive a process, by key. */
export interface Notes {
  get(key: string): Promise<JsonValue | undefined>
  /** Resolves once the value is safe from the death of this process. */
  set(key: string, value: JsonValue): Promise<void>
}

/** How often each rule decided. Kept apart from the rules, so that a call does not rewrite what a person reads. */
export interface RuleUses {
  /** Counts one use. It shares the commit of what is kept at the same time, and never waits for the disk. */
  count(rule: string, now: number): Promise<void>
  /** The uses of every rule that has any, by its id. */
  read(): Promise<ReadonlyMap<string, RuleUse>>
  /** For a rule that is no more. */
  forget(rule: string): Promise<void>
}

export interface RuleUse {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number
}

/** What tools said that broke their contracts, as text. For people, never for a model. */
export interface Evidence {
  /** Keeps it for a call. Only the newest `maxEvidence` are kept. */
  keep(callId: string, text: string): Promise<void>
  get(callId: string): Promise<string | undefined>
}

export const maxEvidence = 200

/** What was answered to calls that carry a key, so that a repeated one does nothing twice. */
export interface Replies {
  /**
   * Claims a key for a call with this input, unless it is taken. `other_input`: it was used for another call.
   * `under_way`: the first one has not ended, or its process died before it could say how.
   */
  claim(key: string, inputDigest: string, until: { readonly now: number; readonly expiresAt: number }): Promise<Claim>
  /** Keeps what the call that claimed the key was answered. */
  keep(key: string, reply: JsonObject): Promise<void>
  /** Gives the key back: the call did not run. */
  release(key: string): Promise<void>
}

export type Claim =
  | { readonly state: 'claimed' | 'under_way' | 'other_input' }
  | { readonly state: 'kept'; readonly reply: JsonObject }
