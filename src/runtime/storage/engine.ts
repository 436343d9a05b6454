/** What programs that implement a storage engine import, as `toolpact/storage`. `toolpact/storage/suite` tests an engine. */
export type { Image } from '../../contract/image.ts'
export type { JsonObject, JsonValue } from '../../contract/json.ts'
export type { Rule, RuleAction, RuleScope } from '../../contract/rule.ts'
export { ToolpactError, type ToolpactErrorCode, toClosedError } from '../../contract/toolpact-error.ts'
export { StateError } from '../../state/state-error.ts'
export { defaultCallsLimit } from './call-record.ts'
export {
  type ConnectionChange,
  type ConnectionKey,
  type ConnectionLease,
  type Connections,
  type ConnectionsQuery,
  maxConnections,
  type NewConnection,
  type StoredConnection,
} from './connections.ts'
export { chainStart, toEntryHash, verifyChain } from './ledger-chain.ts'
export { limitTo, matchesQuery } from './ledger-query.ts'
export { maxToolStats } from './ledger-stats.ts'
export { openMemoryStorage } from './memory/memory.ts'
export {
  type LockStore,
  type OperatorState,
  type Repaired,
  type RuleStore,
  RulesError,
  type TrustedFile,
  type TrustStore,
} from './operator-state.ts'
export { openPostgresStorage, type PostgresStorageOptions } from './postgres/open-postgres.ts'
export {
  type CheckpointQuery,
  type NewLeaf,
  type OwnKey,
  type ProofStore,
  type ProvableEntry,
  type ReceivedCheckpoint,
  type ReceivedCheckpoints,
  recentCheckpoints,
  type SealedHash,
  type StoredCheckpoint,
  type TreeExtension,
} from './proof/proof-store.ts'
export { extendTree, type Sealer, type SealOptions, type Signer, seal } from './proof/sealer.ts'
export type { Tile, Tree } from './proof/tree.ts'
export {
  findRunLimit,
  type NewRun,
  type ReadyRun,
  type ReadyRuns,
  type RunChange,
  type RunClaim,
  type RunEnd,
  type RunLease,
  type RunLimit,
  type RunState,
  type Runs,
  type RunsQuery,
  type RunTexts,
  runLimits,
  type StepState,
  type StoredRun,
  type StoredStep,
} from './runs.ts'
export { scanCalls, scanStats, scanTotals } from './scan-ledger.ts'
export {
  maxEntries,
  maxEntryCharacters,
  maxImageBytes,
  maxSessions,
  type NewSession,
  type SessionStatus,
  type SessionSummary,
  type Sessions,
  toEntryText,
  toNoSession,
} from './sessions.ts'
export { maxSignIns, type SignInKey, type SignIns, type StoredSignIn } from './sign-ins.ts'
export { openSqliteStorage, type SqliteStorageOptions } from './sqlite/sqlite.ts'
export {
  type Answered,
  type Approval,
  type ApprovalBinding,
  type ApprovalQuestion,
  type Approvals,
  type ArchivedSegment,
  type ArchiveOptions,
  bindingParts,
  type CallRecord,
  type CallState,
  type CallsPage,
  type CallsQuery,
  type CheckRecord,
  type Claim,
  type Counters,
  type Difference,
  type Evidence,
  type FoundCall,
  findExceeded,
  type GivenAnswer,
  type IntentRecord,
  type Ledger,
  type LedgerEntry,
  type LedgerHead,
  type LedgerQuery,
  type LedgerRecord,
  type LedgerStats,
  type LedgerVerdict,
  maxEvidence,
  type Notes,
  type OutcomeRecord,
  type QuestionState,
  type QueueLimit,
  queueLimits,
  type RefusalRecord,
  type RememberedQuestion,
  type Replies,
  type Resumed,
  type RuleUse,
  type RuleUses,
  type StatsQuery,
  type StepRecord,
  type Storage,
  type StorageHealth,
  type Taken,
  type ToolStats,
  type ToolTotals,
  type Waiter,
} from './storage.ts'
export {
  type ClaimedTask,
  findTaskLimit,
  type NewTask,
  type StoredTask,
  type TaskChange,
  type TaskLease,
  type TaskLimit,
  type TaskPage,
  type TaskState,
  type Tasks,
  taskLimits,
  type WaitingTask,
} from './tasks.ts'
export {
  type CreatedToken,
  createTokenStore,
  type RotateOptions,
  type Token,
  type TokenDocuments,
  type TokenOptions,
  type TokenStore,
  type TokenUses,
} from './tokens.ts'
