import type { JsonObject } from '../../contract/json.ts'
import type { CallsPage, CallsQuery } from './call-record.ts'
import type { Connections } from './connections.ts'
import type { LedgerRecord } from './ledger-record.ts'
import type { LedgerStats, StatsQuery, ToolTotals } from './ledger-stats.ts'
import type { Notes } from './notes.ts'
import type { OperatorState } from './operator-state.ts'
import type { ProofStore } from './proof/proof-store.ts'
import type { Replies } from './replies.ts'
import type { Runs } from './runs.ts'
import type { Sessions } from './sessions.ts'
import type { SignIns } from './sign-ins.ts'
import type { Tasks } from './tasks.ts'

export type { CallRecord, CallState, CallsPage, CallsQuery, FoundCall } from './call-record.ts'
export type {
  CheckRecord,
  IntentRecord,
  LedgerRecord,
  OutcomeRecord,
  RefusalRecord,
  StepRecord,
} from './ledger-record.ts'
export type { LedgerStats, StatsQuery, ToolStats, ToolTotals } from './ledger-stats.ts'
export type { Notes } from './notes.ts'
export type { Claim, Replies } from './replies.ts'

/** The port that holds all state. `openMemoryStorage` and `openSqliteStorage` implement it; `toolpact/storage/suite` tests it. */
export interface Storage extends OperatorState {
  readonly ledger: Ledger
  readonly counters: Counters
  readonly approvals: Approvals
  readonly notes: Notes
  readonly ruleUses: RuleUses
  readonly replies: Replies
  readonly evidence: Evidence
  readonly sessions: Sessions
  /** The Merkle tree over the ledger and its checkpoints. Without it, nothing is sealed and no entry can be proven. */
  readonly proof?: ProofStore
  /** Calls that continue after their request was answered. Without it, MCP clients are offered no tasks. */
  readonly tasks?: Tasks
  /** Links to the console and sessions of people. Without it, they end with the process that made them. */
  readonly signIns?: SignIns
  /** Connections of callers to servers that require a login. Without it, there can be none. */
  readonly connections?: Connections
  /** Runs of workflows. Without it, workflows cannot be called. */
  readonly runs?: Runs
  /** Makes a small commit to check whether records can be written. */
  health(): Promise<StorageHealth>
  /** Waits for pending writes. Afterwards every method rejects with the code `closed`. */
  close(): Promise<void>
}

/** Whether records can be stored, for health checks and operators. */
export interface StorageHealth {
  readonly isWritable: boolean
  /** Milliseconds since 1970; null before the first commit of this process. */
  readonly lastCommitAt: number | null
  /** The last failed write and what to do about it; not reset by a recovery. For operators only: it contains paths. */
  readonly lastFailure: { readonly at: number; readonly message: string } | null
  /** Lines in journals that were forged, changed or removed, and were not imported. They are kept as evidence. */
  readonly refusedLines?: number
  /** Records of calls that only read are kept in a journal on this machine, until the storage takes them; since when. */
  readonly journal?: { readonly since: number; readonly records: number; readonly isFull: boolean }
}

/** The append-only record of every call, in a hash chain. */
export interface Ledger {
  /**
   * Resolves once the record is stored: if `durable` it survives a power failure (fsync), otherwise a crash of this process.
   * Rejects if it could not be stored. Records of one process keep their order.
   */
  append(record: LedgerRecord, options: { durable: boolean }): Promise<void>
  /** Entries in order of `seq`, oldest first. */
  read(query?: LedgerQuery): Promise<LedgerEntry[]>
  /** The newest entry; position 0 in an empty ledger. */
  head(): Promise<LedgerHead>
  /** A page of calls and agent runs, newest first. Must stay fast in a long ledger: a search may stop early, see `searched`. */
  calls(query?: CallsQuery): Promise<CallsPage>
  /** Statistics for plots. Must not read every entry of a long ledger. */
  stats(query: StatsQuery): Promise<LedgerStats>
  /** Totals of every tool that was called, or of one; most calls first. */
  totals(tool?: string): Promise<ToolTotals[]>
  /** Calls `onChange` soon after any process appended entries. Returns what stops it. */
  watch(onChange: () => unknown): () => void
  /** Checks entries against the hash chain: every one, or those after a position. An engine may always check every one. */
  verify(options?: { readonly afterSeq?: number }): Promise<LedgerVerdict>
  /** Moves the oldest entries into archive files. Verification then starts from the last archived entry. */
  archive(options: ArchiveOptions): Promise<ArchivedSegment[]>
  /** Every archive file, oldest first. */
  archives(): Promise<ArchivedSegment[]>
}

/** Which entries to archive. With both limits, an entry is archived if it exceeds either. */
export interface ArchiveOptions {
  /** Archives entries that are older than this. */
  readonly before?: Date
  /** Archives entries until the ledger is smaller than this. */
  readonly maxBytes?: number
  /** `all`: also returns free space to the file system, which can block other processes for a while. */
  readonly reclaim?: 'all'
}

/** A file of archived entries. */
export interface ArchivedSegment {
  /** `seq` of its first and last entry. */
  readonly first: number
  readonly last: number
  /** Hash of its last entry. */
  readonly hash: string
  /** Path at the time of archiving. The file may have been moved or deleted since. */
  readonly file: string
  /** ISO time. */
  readonly archivedAt: string
}

/** Selects ledger entries. All conditions must match. */
export interface LedgerQuery {
  readonly afterSeq?: number
  readonly tool?: string
  readonly callId?: string
  /** Prefix of the call id. */
  readonly callIdPrefix?: string
  readonly since?: Date
  /** Returns only the oldest matches. Use it with `afterSeq` to read a long ledger in pages. */
  readonly first?: number
  /** Returns only the newest matches. Overrides `first`. */
  readonly last?: number
}

/** A record with its position in the chain. `hash` is SHA-256 over the previous hash and the record's JSON as stored. */
export interface LedgerEntry {
  readonly seq: number
  readonly record: LedgerRecord
  readonly hash: string
}

/** Position and hash of the newest entry. */
export type LedgerHead = Pick<LedgerEntry, 'seq' | 'hash'>

/** The result of verifying the chain. */
export type LedgerVerdict =
  | {
      readonly intact: true
      readonly entries: number
      readonly head: string
      /** Number of archived entries before these, if any. */
      readonly archived?: number
    }
  | {
      readonly intact: false
      /**
       * `chain`: an entry was changed, removed, inserted or reordered. `shortened`: the newest entries are missing.
       * `replaced`: this is a different ledger. Both are detected by the head that is stored beside the database. `journal`:
       * the chain is intact, but records that were to enter it were forged, changed or removed in a journal.
       */
      readonly fault: 'chain' | 'shortened' | 'replaced' | 'journal'
      readonly entries: number
      readonly brokenAtSeq: number
      readonly reason: string
    }

/** Rate limits over sliding windows. */
export interface Counters {
  /**
   * Counts a use of `key` unless that would exceed `count` uses within any window of `windowMs`. A use exactly `windowMs`
   * after an earlier one is outside its window. If the clock moves back, earlier uses count for `windowMs` from then on.
   */
  take(key: string, limit: { count: number; windowMs: number }, now: number): Promise<Taken>
}

/** Whether a use was counted, or how long to wait. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }

/** Approvals, and the queue of questions that wait for a person. */
export interface Approvals {
  /** Rejects with `exists_already` if there is an unused approval with that id. */
  grant(approval: Approval): Promise<void>
  /** Consumes an approval: returns it exactly once, only for the same binding and before it expires. */
  use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined>
  /** Why an unused approval of this caller for the same tool and input does not apply; undefined if there is none. */
  explain(id: string, binding: ApprovalBinding, now: number): Promise<Difference | undefined>
  /**
   * Queues a question, or returns the limit that it would exceed. Rejects with `exists_already` if the id is taken. Withdraws
   * an older pending question about the same call in the same workspace, unless a call waits for it.
   */
  request(question: ApprovalQuestion, now: number): Promise<QueueLimit | undefined>
  /**
   * Finds an earlier question about exactly this call. Consumes an unused answer: each is returned once, across processes.
   * `waiter`, if given, replaces the call that waited for a pending question.
   */
  resume(binding: ApprovalBinding, now: number, waiter?: Waiter): Promise<Resumed | undefined>
  /** Pending questions, and others for an hour after they ended; oldest first. */
  questions(now: number): Promise<RememberedQuestion[]>
  find(id: string, now: number): Promise<RememberedQuestion | undefined>
  /** Everything that a person must see to decide; undefined unless the question is pending. */
  details(id: string, now: number): Promise<JsonObject | undefined>
  /**
   * Answers a pending question. A no ends it. The yes that completes `peopleNeeded` grants an approval with the question's id;
   * people are told apart by name, and a second yes of the same person changes nothing.
   */
  answer(id: string, answer: GivenAnswer, now: number): Promise<Answered>
  look(id: string, now: number): Promise<QuestionState>
  /**
   * Heartbeat of the waiting call: extends its wait and, if that is later, the expiry of a pending question. False if another
   * call waits for the answer now.
   */
  extend(id: string, waiter: Waiter, now: number): Promise<boolean>
  /** Withdraws a pending question. Returns its state before that. */
  withdraw(id: string, now: number): Promise<QuestionState>
  /** Ends a question in any state; its answer can no longer be used. */
  discard(id: string, now: number): Promise<void>
  /** Calls `onChange` soon after any process asked, answered or ended a question. Questions also expire. Returns what stops it. */
  watch(onChange: () => unknown): () => void
}

/** The one exact call that an approval is for. */
export interface ApprovalBinding {
  readonly tool: string
  readonly contractDigest: string
  readonly inputDigest: string
  /** Name of the caller, without its session, so that a restarted client can use its approval. */
  readonly caller: string
  /** Real path of the workspace; empty if there is none. */
  readonly workspace: string
  /** Of the rules and policy settings that apply to the call. */
  readonly policyDigest: string
  /** Of the preview that was shown; empty if there was none. */
  readonly previewDigest: string
}

/** Every part of a binding. All must match for an approval to apply. */
// biome-ignore format: one line
export const bindingParts = ['tool', 'contractDigest', 'inputDigest', 'caller', 'workspace', 'policyDigest', 'previewDigest'] as const satisfies readonly (keyof ApprovalBinding)[]

/** Why an approval of the same tool and input does not apply to a call. */
export type Difference = 'expired' | 'workspace' | 'contract' | 'policy' | 'preview'

/** A yes to one exact call, used once. */
export interface Approval extends ApprovalBinding {
  readonly id: string
  /** Who said yes; several names are joined. */
  readonly by: string
  /** Everyone who said yes, if there are several. */
  readonly people?: readonly string[]
  /** Those of them that an issuer vouches for. */
  readonly principals?: readonly AnswerPrincipal[]
  /** Where the last yes was given. */
  readonly via?: string
  readonly expiresAt: number
  /** The person also allowed further calls of this tool. */
  readonly forTool?: boolean
}

/** A call that needs a person's answer. */
export interface ApprovalQuestion extends ApprovalBinding {
  readonly id: string
  readonly askedAt: number
  /** It can be answered until just before this time. */
  readonly expiresAt: number
  /** An answer can be used for at least this long after it is given. Default: 0, until the question expires. */
  readonly answerMs?: number
  /** How many different people must say yes. Default: 1. */
  readonly peopleNeeded?: number
  /** The call that waits for the answer, if any. */
  readonly waiter?: Waiter
  /** A few short values for lists. Deleted with the answer. */
  readonly summary: JsonObject
  /** Everything that a person must see to decide. Deleted with the answer. */
  readonly details: JsonObject
}

/** A call that waits for an answer until `waitsUntil`, which it can extend. */
export interface Waiter {
  readonly callId: string
  readonly waitsUntil: number
}

/** Limits of pending questions, per caller and in total. `bytes` counts the details. */
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

/** The limit that another question would exceed. The first one is never rejected for its bytes: the contract limits its input. */
export function findExceeded(bytes: number, used: { caller: QueueUse; total: QueueUse }): QueueLimit | undefined {
  for (const scope of ['caller', 'total'] as const) {
    const limit = queueLimits[scope]
    if (used[scope].questions >= limit.questions) return { scope, unit: 'questions', max: limit.questions }
    if (used[scope].questions > 0 && used[scope].bytes + bytes > limit.bytes)
      return { scope, unit: 'bytes', max: limit.bytes }
  }
  return undefined
}

/** Someone who answered and signed in at an issuer: who they are there, and the groups that entitled them to answer. */
export interface AnswerPrincipal {
  readonly name: string
  readonly issuer: string
  readonly subject: string
  readonly groups: readonly string[]
}

/** A person's answer to a question. */
export interface GivenAnswer {
  readonly answer: 'yes' | 'no'
  readonly by: string
  /** Who that is, if an issuer vouches for them. */
  readonly principal?: Omit<AnswerPrincipal, 'name'>
  /** Where it was given. */
  readonly via?: string
  /** With a yes: also allow further calls of this tool. */
  readonly forTool?: boolean
}

/**
 * `outdated`: there is a yes to the same tool and input that does not apply to this call. `waitedMs`: from the question to its
 * answer.
 */
export type Resumed =
  | { readonly state: 'pending'; readonly id: string; readonly expiresAt: number }
  | ({
      readonly state: 'answered'
      readonly id: string
      readonly people?: readonly string[]
      readonly principals?: readonly AnswerPrincipal[]
      readonly waitedMs: number
    } & Omit<GivenAnswer, 'principal'>)
  | { readonly state: 'outdated'; readonly difference: Difference }

/** `isUsed`: a call has used the answer. `expired`: it can no longer be answered, or never existed. */
export type QuestionState =
  | { readonly state: 'pending' }
  | { readonly state: 'expired' }
  | { readonly state: 'answered'; readonly answer: 'yes' | 'no'; readonly by: string; readonly isUsed: boolean }

/** A question without its details. The summary is empty unless it is pending. */
export type RememberedQuestion = Omit<ApprovalQuestion, 'answerMs' | 'waiter' | 'details'> & {
  /** Of the details. */
  readonly bytes: number
  /** People who have said yes. */
  readonly approvedBy: readonly string[]
  readonly peopleNeeded: number
  /** Id of the call that waits for the answer; null if none does. */
  readonly awaitedBy: string | null
} & QuestionState

/**
 * Whether the answer was accepted: if so, whether a call waits for it, when it expires and how many people must still say
 * yes; otherwise the question's state, which is pending if this person has said yes before.
 */
export type Answered =
  | { readonly taken: true; readonly isAwaited: boolean; readonly expiresAt: number; readonly missing: number }
  | ({ readonly taken: false } & QuestionState)

/** How often each rule decided. Stored apart from the rules, so that a call does not rewrite a file that people edit. */
export interface RuleUses {
  /** Counts one use. Never waits for the disk. */
  count(rule: string, now: number): Promise<void>
  /** Uses by rule id. */
  read(): Promise<ReadonlyMap<string, RuleUse>>
  /** Deletes the uses of a removed rule. */
  forget(rule: string): Promise<void>
}

/** How often a rule decided a call. */
export interface RuleUse {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number
}

/** Raw output of tools that violated their contracts. For people, never for a model. */
export interface Evidence {
  /** Stores the text for a call. Only the newest `maxEvidence` are kept. */
  keep(callId: string, text: string): Promise<void>
  get(callId: string): Promise<string | undefined>
}

/** Number of calls whose evidence is stored. */
export const maxEvidence = 200
