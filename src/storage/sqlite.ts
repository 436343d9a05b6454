import { createGroupCommit } from './group-commit.ts'
import { openJournal } from './journal.ts'
import { openSqliteApprovals } from './sqlite-approvals.ts'
import { openSqliteCounters } from './sqlite-counters.ts'
import { openDatabase } from './sqlite-database.ts'
import { openSqliteEvidence } from './sqlite-evidence.ts'
import { openSqliteLedger } from './sqlite-ledger.ts'
import { openSqliteNotes } from './sqlite-notes.ts'
import { openSqliteReplies } from './sqlite-replies.ts'
import { openSqliteRuleUses } from './sqlite-rule-uses.ts'
import { openSqliteSessions } from './sqlite-sessions.ts'
import type { Storage } from './storage.ts'

export interface SqliteStorageOptions {
  /** Made if absent, for this user alone. Holds the file `toolpact.db`, what SQLite keeps beside it, and journals. */
  readonly directory: string
  /** Waits for the disk at every append, not only where a call changes something. */
  readonly fsyncAll?: boolean
  /** How long to wait while another process writes. Default: 5 seconds. */
  readonly lockTimeoutMs?: number
}

/** Keeps everything in one SQLite file that any number of processes may share. */
export function openSqliteStorage(options: SqliteStorageOptions): Storage {
  const { directory, fsyncAll = false, lockTimeoutMs = 5000 } = options
  const database = openDatabase(directory, lockTimeoutMs)
  const commits = createGroupCommit(database)
  let closed = false
  return {
    ledger: openSqliteLedger(database, commits, { journal: openJournal(directory), fsyncAll }),
    counters: openSqliteCounters(database, commits),
    approvals: openSqliteApprovals(database, commits),
    notes: openSqliteNotes(database, commits),
    ruleUses: openSqliteRuleUses(database, commits),
    replies: openSqliteReplies(database, commits),
    evidence: openSqliteEvidence(database, commits),
    sessions: openSqliteSessions(database, commits),
    async close() {
      if (closed) return
      closed = true
      commits.end()
      database.close()
    },
  }
}
