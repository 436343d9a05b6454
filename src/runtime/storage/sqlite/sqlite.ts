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

export interface SqliteStorageOptions {
  /** Made if absent, for this user alone. Holds the file `toolpact.db`, what SQLite keeps beside it, and journals. */
  readonly directory: string
  /** Waits for the disk at every append, not only where a call changes something. */
  readonly fsyncAll?: boolean
  /**
   * `read`: a state of an older version is read as it is and not migrated, and one that cannot be written is read all the
   * same. Nothing can be written then. Default: `write`.
   */
  readonly access?: 'read' | 'write'
  /** How long to wait while another process writes. Default: 5 seconds. */
  readonly lockTimeoutMs?: number
  /** Receives a line for the operator about each failure to write, with what to do, and about the recovery. */
  readonly report?: (message: string) => void
}

/** Keeps everything in one SQLite file that any number of processes may share. */
export function openSqliteStorage(options: SqliteStorageOptions): Storage {
  const { directory, fsyncAll = false, lockTimeoutMs = 5000, report = () => {} } = options
  const readOnly = options.access === 'read' ? openIfReadOnly(directory) : undefined
  const database = readOnly ?? openDatabase({ directory, lockTimeoutMs, report })
  const health = trackHealth(report)
  const commits = readOnly ? refuseCommits(database.path) : createGroupCommit(database, health)
  const journal = openJournal(directory)
  const note = openHeadNote(directory)
  let closed = false

  /** Writes the head as it is, down to the disk. A failure is recorded by `health`. */
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
      // The head of the last commit is noted once its promise has resolved.
      await undefined
      note.close()
    },
  }
}
