import { openStateFiles } from '../files/state-files.ts'
import type { Storage } from '../storage.ts'
import { openSqliteApprovals } from './approvals.ts'
import { openSqliteCounters } from './counters.ts'
import { openDatabase } from './database.ts'
import { openSqliteEvidence } from './evidence.ts'
import { createGroupCommit } from './group-commit.ts'
import { trackHealth } from './health.ts'
import { openJournal } from './journal.ts'
import { openSqliteLedger } from './ledger.ts'
import { openHeadNote } from './ledger-head.ts'
import { openSqliteNotes } from './notes.ts'
import { openIfReadOnly, openReadOnlyLedger, refuseCommits } from './read-only.ts'
import { openSqliteReplies } from './replies.ts'
import { openSqliteRuleUses } from './rule-uses.ts'
import { openSqliteSessions } from './sessions.ts'

/** Where and how SQLite stores state. */
export interface SqliteStorageOptions {
  /** Created if absent, readable by this user only. Contains `toolpact.db`, its WAL, journals, and the files of operator state. */
  readonly directory: string
  /** Fsyncs every append, not only those of calls that change something. */
  readonly fsyncAll?: boolean
  /**
   * `read`: reads a state of an older version without migrating it, and a state on a read-only disk; writes are then
   * rejected. Default: `write`.
   */
  readonly access?: 'read' | 'write'
  /** How long to wait while another process writes. Default: 5 seconds. */
  readonly lockTimeoutMs?: number
  /** Receives a line for the operator for each write failure, with what to do, and for the recovery. */
  readonly report?: (message: string) => void
}

/** Stores records in one SQLite database, and operator state in files beside it. Any number of processes can share both. */
export function openSqliteStorage(options: SqliteStorageOptions): Storage {
  const { directory, fsyncAll = false, lockTimeoutMs = 5000, report = () => {} } = options
  const readOnly = options.access === 'read' ? openIfReadOnly(directory) : undefined
  const database = readOnly ?? openDatabase({ directory, lockTimeoutMs, report })
  const health = trackHealth(report)
  const commits = readOnly ? refuseCommits(database.path) : createGroupCommit(database, health)
  const journal = openJournal(directory)
  const note = openHeadNote(directory)
  let closed = false

  /** Rewrites the head with fsync. `health` records a failure. */
  async function probe() {
    const batch = commits.next()
    batch.durable = true
    await batch.add(() => database.sql('UPDATE head SET seq = seq WHERE id = 1').run()).catch(() => {})
  }

  return {
    ...openStateFiles(() => directory),
    ledger: readOnly
      ? openReadOnlyLedger(database, { journal, note })
      : openSqliteLedger(database, commits, { journal, note, fsyncAll, report }),
    counters: openSqliteCounters(database, commits),
    approvals: openSqliteApprovals(database, commits),
    notes: openSqliteNotes(database, commits),
    ruleUses: openSqliteRuleUses(database, commits),
    replies: openSqliteReplies(database, commits),
    evidence: openSqliteEvidence(database, commits),
    sessions: openSqliteSessions(database, commits),
    async health() {
      if (readOnly) return { isWritable: false, lastCommitAt: null, lastFailure: null }
      await probe()
      return health.now()
    },
    async close() {
      if (closed) return
      closed = true
      commits.end()
      database.close()
      // The head of the last commit is written in a microtask after its promise resolves.
      await undefined
      note.close()
    },
  }
}
