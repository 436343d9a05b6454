import { openStateFiles } from '../files/state-files.ts'
import { trackHealth } from '../health.ts'
import {
  type Claim,
  type Counters,
  type Evidence,
  maxEvidence,
  type Notes,
  type Replies,
  type RuleUses,
  type Storage,
  type Taken,
} from '../storage.ts'
import { openSqliteApprovals } from './approvals.ts'
import { openSqliteConnections } from './connections.ts'
import { type Database, openDatabase } from './database.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { openJournal } from './journal.ts'
import { openJournalKeys } from './journal-key.ts'
import { openSqliteLedger } from './ledger.ts'
import { openHeadNote } from './ledger-head.ts'
import { openIfReadOnly, openReadOnlyLedger, refuseCommits } from './read-only.ts'
import { openRefusedLines } from './refused-lines.ts'
import { openSqliteRuns } from './runs.ts'
import { openSqliteSessions } from './sessions.ts'
import { openSqliteSignIns } from './sign-ins.ts'
import { toStorageError } from './sqlite-error.ts'
import { openSqliteTasks } from './tasks.ts'
import { createUpkeep, type UpkeepOptions } from './upkeep.ts'
import { watchState } from './watch.ts'
import { shareWriteTurns } from './write-turns.ts'

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
  /**
   * Loads the secret that authenticates journals, if it is kept outside the directory. Undefined: this process has none, and
   * uses no journal. Default: one that is stored in the database.
   */
  readonly journalSecret?: (ledgerId: string) => Promise<Uint8Array | undefined>
  /** Where archives of the ledger are written. Default: `archive` in the directory. */
  readonly archiveFolder?: string
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
  const turns = shareWriteTurns()
  const commits = readOnly ? refuseCommits(database.path) : createGroupCommit(database, { health, turns })
  let secret: Uint8Array | undefined
  const loadSecret =
    options.journalSecret && (async (ledgerId: string) => (secret = await options.journalSecret!(ledgerId)))
  const journal = openJournal(directory, openJournalKeys(database, loadSecret))
  const refusedLines = openRefusedLines(directory, report)
  const note = openHeadNote(directory)
  const { watch, end: endWatch } = watchState(directory)
  let closed = false

  /** Rewrites the head with fsync. `health` records a failure. */
  async function probe() {
    const batch = commits.next()
    batch.durable = true
    await batch.add(() => database.sql('UPDATE head SET seq = seq WHERE id = 1').run()).catch(() => {})
  }

  function openUpkeep({ onTaken, onFailed }: Pick<UpkeepOptions, 'onTaken' | 'onFailed'>) {
    const place = () => ({ directory, owner: journal.owner, lockTimeoutMs, secret, turns: turns.shared })
    return createUpkeep({ place, turns, onTaken, onFailed })
  }

  const opened = readOnly
    ? openReadOnlyLedger(database, { journal, note, watch, refusedLines })
    : openSqliteLedger(database, commits, {
        ...{ journal, note, fsyncAll, report, watch, refusedLines, openUpkeep },
        archiveFolder: options.archiveFolder,
      })

  return {
    ...openStateFiles(() => directory),
    ledger: opened.ledger,
    ...(opened.proof && { proof: opened.proof }),
    counters: openSqliteCounters(database, commits),
    approvals: openSqliteApprovals(database, commits, watch),
    notes: openSqliteNotes(database, commits),
    ruleUses: openSqliteRuleUses(database, commits),
    replies: openSqliteReplies(database, commits),
    evidence: openSqliteEvidence(database, commits),
    sessions: openSqliteSessions(database, commits),
    tasks: openSqliteTasks(database, commits, watch),
    signIns: openSqliteSignIns(database, commits),
    connections: openSqliteConnections(database, commits),
    runs: openSqliteRuns(database, commits, watch),
    async health() {
      if (readOnly) return { isWritable: false, lastCommitAt: null, lastFailure: null }
      await probe()
      return { ...health.now(), refusedLines: refusedLines.list().reduce((sum, { count }) => sum + count, 0) }
    },
    async close() {
      if (closed) return
      closed = true
      endWatch()
      await opened.end?.()
      database.close()
      // The head of the last commit is written in a microtask after its promise resolves.
      await undefined
      note.close()
    },
  }
}

/** Each use is a row that expires one window later. */
function openSqliteCounters(database: Database, commits: GroupCommit): Counters {
  async function take(key: string, limit: { count: number; windowMs: number }, now: number): Promise<Taken> {
    return commits.next().add(() => takeNow(key, limit, now))
  }

  function takeNow(key: string, { count, windowMs }: { count: number; windowMs: number }, now: number): Taken {
    const until = now + windowMs
    // A use expires later than one window from now only if the clock moved back.
    database.sql('UPDATE uses SET until = ?1 WHERE key = ?2 AND until > ?1').run(until, key)
    database.sql('DELETE FROM uses WHERE key = ? AND until <= ?').run(key, now)
    database.sql(sweep).run(now)
    if (count < 1) return { taken: false, retryAfterMs: windowMs }
    const blocking = database.sql(blockingUse).get(key, count - 1)
    if (blocking) return { taken: false, retryAfterMs: (blocking.until as number) - now }
    database.sql('INSERT INTO uses (key, until) VALUES (?, ?)').run(key, until)
    return { taken: true }
  }

  return { take }
}

function openSqliteEvidence(database: Database, commits: GroupCommit): Evidence {
  return {
    async keep(callId, text) {
      // As JSON, because SQLite truncates text at a NUL character.
      const json = JSON.stringify(text)
      await commits.next().add(() => {
        database.sql('INSERT OR REPLACE INTO evidence (call_id, text) VALUES (?, ?)').run(callId, json)
        database.sql('DELETE FROM evidence WHERE seq <= (SELECT max(seq) FROM evidence) - ?').run(maxEvidence)
      })
    },
    async get(callId) {
      if (database.version < evidenceVersion) return undefined
      try {
        const row = database.sql('SELECT text FROM evidence WHERE call_id = ?').get(callId)
        return row && JSON.parse(row.text as string)
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
  }
}

function openSqliteNotes(database: Database, commits: GroupCommit): Notes {
  async function get(key: string) {
    try {
      const row = database.sql('SELECT value FROM notes WHERE key = ?').get(key)
      return row && JSON.parse(row.value as string)
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }
  return {
    get,
    async set(key, value) {
      const text = JSON.stringify(value)
      await commits.next().add(() => database.sql('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(key, text))
    },
    async setOnce(key, value) {
      const text = JSON.stringify(value)
      await commits.next().add(() => database.sql('INSERT OR IGNORE INTO notes VALUES (?, ?)').run(key, text))
      return get(key)
    },
    async replace(key, known, value) {
      const change = 'UPDATE notes SET value = ?3 WHERE key = ?1 AND value = ?2'
      const [before, text] = [JSON.stringify(known), JSON.stringify(value)]
      return commits.next().add(() => database.sql(change).run(key, before, text).changes > 0)
    },
  }
}

/**
 * A claim is not fsynced itself: the intent follows in the same WAL, is fsynced, and precedes the run. If a power failure loses
 * a reply, its claim remains, so the call is not repeated either way.
 */
function openSqliteReplies(database: Database, commits: GroupCommit): Replies {
  return {
    async claim(key, inputDigest, { now, expiresAt }) {
      return commits.next().add((): Claim => {
        database.sql('DELETE FROM replies WHERE expires_at <= ?').run(now)
        const added = database
          .sql('INSERT OR IGNORE INTO replies VALUES (?, ?, ?, NULL)')
          .run(key, inputDigest, expiresAt)
        if (added.changes === 1) return { state: 'claimed' }
        const found = database.sql('SELECT input_digest, reply FROM replies WHERE key = ?').get(key)!
        if (found.input_digest !== inputDigest) return { state: 'other_input' }
        return found.reply === null
          ? { state: 'in_flight' }
          : { state: 'kept', reply: JSON.parse(found.reply as string) }
      })
    },
    async keep(key, reply) {
      const text = JSON.stringify(reply)
      const keeping = 'UPDATE replies SET reply = ? WHERE key = ? AND reply IS NULL'
      await commits.next().add(() => database.sql(keeping).run(text, key))
    },
    async release(key) {
      await commits.next().add(() => database.sql('DELETE FROM replies WHERE key = ? AND reply IS NULL').run(key))
    },
  }
}

function openSqliteRuleUses(database: Database, commits: GroupCommit): RuleUses {
  return {
    async count(rule, now) {
      await commits.later().add(() => database.sql(countOne).run(rule, now))
    },
    async read() {
      try {
        const rows = database.sql('SELECT rule, count, last_used_at FROM rule_uses').all()
        return new Map(
          rows.map((row) => [
            row.rule as string,
            { count: row.count as number, lastUsedAt: row.last_used_at as number },
          ]),
        )
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
    async forget(rule) {
      await commits.next().add(() => database.sql('DELETE FROM rule_uses WHERE rule = ?').run(rule))
    },
  }
}

const countOne = `
  INSERT INTO rule_uses VALUES (?1, 1, ?2) ON CONFLICT (rule) DO UPDATE SET count = count + 1, last_used_at = ?2
`

/** Older states, open for reading, have no evidence. */
const evidenceVersion = 5

/** Each use sweeps this many of the oldest rows of any key, so that unused keys do not accumulate. */
const swept = 8

const sweep = `DELETE FROM uses WHERE rowid IN (SELECT rowid FROM uses ORDER BY rowid LIMIT ${swept}) AND until <= ?`

/** The use before the last `count - 1`: while it counts, so do those, and the limit is used up. */
const blockingUse = 'SELECT until FROM uses WHERE key = ? ORDER BY until DESC LIMIT 1 OFFSET ?'
