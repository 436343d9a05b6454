import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { chainStart } from './ledger-chain.ts'
import { toStorageError } from './sqlite-error.ts'

/** One connection to the state file, with its statements prepared when first needed. */
export interface Database {
  readonly path: string
  sql(text: string): StatementSync
  /** `FULL`: a commit waits for the disk. `NORMAL`: it survives the death of this process, not a loss of power. */
  setSynchronous(level: 'FULL' | 'NORMAL'): void
  readonly isTransaction: boolean
  /** Moves the write-ahead log into the file if it has so many pages. This waits for the disk: do it after answering. */
  checkpointFrom(pages: number): void
  close(): void
}

const schemaVersion = 8
/** "pact" in ASCII, so that programs that look at files can tell what this one is. */
const applicationId = 0x70616374

export function openDatabase(directory: string, lockTimeoutMs: number): Database {
  const path = join(directory, 'toolpact.db')
  const connection = openConnection(directory, path, lockTimeoutMs)
  const statements = new Map<string, StatementSync>()
  let synchronous = 'NORMAL'
  let closed = false

  function sql(text: string): StatementSync {
    if (closed) throw new Error('The storage is closed. Open it again to use it.')
    let statement = statements.get(text)
    if (!statement) {
      statement = connection.prepare(text)
      statements.set(text, statement)
    }
    return statement
  }

  function setSynchronous(level: 'FULL' | 'NORMAL') {
    if (level === synchronous) return
    connection.exec(`PRAGMA synchronous = ${level}`)
    synchronous = level
  }

  function checkpointFrom(pages: number) {
    try {
      const { log, checkpointed } = sql('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number }
      if (log - checkpointed < pages) return
      connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
      // The next write begins the log anew and waits for the disk. Let it be this one, which changes nothing.
      connection.exec(`PRAGMA application_id = ${applicationId}`)
    } catch {
      // Nothing is lost: the log only stays long, and the next commit tells if the disk is at fault.
    }
  }

  /**
   * The last connection to close moves the whole log into the file, which waits for the disk several times. A
   * read-only connection cannot, so let that be the last: the log stays, and it is as safe as its commits were.
   */
  function close() {
    closed = true
    const last = openReader(path)
    connection.close()
    last?.close()
  }

  return {
    path,
    sql,
    setSynchronous,
    get isTransaction() {
      return connection.isTransaction
    },
    checkpointFrom,
    close,
  }
}

function openConnection(directory: string, path: string, lockTimeoutMs: number): DatabaseSync {
  try {
    createPrivately(directory, path)
    return retryWhileBusy(() => connect(path, lockTimeoutMs), lockTimeoutMs)
  } catch (error) {
    throw toStorageError(error, path)
  }
}

/** While one process turns a new file into a write-ahead one, SQLite tells another at once that it is busy. */
function retryWhileBusy<Result>(job: () => Result, timeoutMs: number): Result {
  const end = Date.now() + timeoutMs
  while (true) {
    try {
      return job()
    } catch (error) {
      const isBusy = ((error as { errcode?: number }).errcode ?? 0) % 256 === 5
      if (!isBusy || Date.now() >= end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function createPrivately(directory: string, path: string) {
  // An import of node:fs would load all of its streams too, which takes longer than everything else here.
  const { closeSync, mkdirSync, openSync, statSync } = process.getBuiltinModule('node:fs')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const mode = statSync(directory).mode & 0o777
  if (mode & 0o022 && process.platform !== 'win32') {
    throw new Error(
      `Others may write in the state directory ${directory} (mode ${mode.toString(8)}). Take that away with chmod go-w, or choose another directory.`,
    )
  }
  // SQLite would make the file readable for all; the log and the index beside it take over the mode of the file.
  closeSync(openSync(path, 'a', 0o600))
}

function connect(path: string, lockTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: lockTimeoutMs })
  try {
    const version = readVersion(connection)
    if (version >= 0 && version < schemaVersion) createSchema(connection)
    else if (version !== schemaVersion) {
      throw new Error(
        `The state file ${path} has version ${version}, and this Toolpact knows version ${schemaVersion}. Update Toolpact, or choose another state directory.`,
      )
    }
    // On macOS only a full fsync reaches the disk; elsewhere that setting changes nothing.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA fullfsync = 1')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function readVersion(connection: DatabaseSync): number {
  return connection.prepare('PRAGMA user_version').get()!.user_version as number
}

/** Several processes may come here at once: one makes the tables that are missing, the others find them. */
function createSchema(connection: DatabaseSync) {
  connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  if (readVersion(connection) === 0) connection.exec(schema)
  if (readVersion(connection) === 1) connection.exec(questionsSchema)
  if (readVersion(connection) === 2) connection.exec(ruleUsesSchema)
  if (readVersion(connection) === 3) connection.exec(repliesSchema)
  if (readVersion(connection) === 4) connection.exec(evidenceSchema)
  if (readVersion(connection) === 5) connection.exec(sessionsSchema)
  if (readVersion(connection) === 6) connection.exec(journalsSchema)
  if (readVersion(connection) === 7) connection.exec(bindingsSchema)
  connection.exec('COMMIT')
}

const schema = `
  CREATE TABLE ledger (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  INSERT INTO head VALUES (1, ${chainStart.seq}, '${chainStart.hash}');
  CREATE TABLE uses (key TEXT NOT NULL, until REAL NOT NULL) STRICT;
  CREATE INDEX uses_of_key ON uses (key, until);
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    by TEXT NOT NULL, expires_at REAL NOT NULL
  ) STRICT;
  PRAGMA application_id = ${applicationId};
  CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  PRAGMA user_version = 1;
`

const questionsSchema = `
  CREATE TABLE questions (
    id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    asked_at REAL NOT NULL, expires_at REAL NOT NULL, details TEXT NOT NULL, answer TEXT, by TEXT
  ) STRICT;
  PRAGMA user_version = 2;
`

const ruleUsesSchema = `
  CREATE TABLE rule_uses (rule TEXT PRIMARY KEY, count INTEGER NOT NULL, last_used_at REAL NOT NULL) STRICT;
  PRAGMA user_version = 3;
`

const repliesSchema = `
  CREATE TABLE replies (
    key TEXT PRIMARY KEY, input_digest TEXT NOT NULL, expires_at REAL NOT NULL, reply TEXT
  ) STRICT;
  CREATE INDEX replies_by_expiry ON replies (expires_at);
  PRAGMA user_version = 4;
`

const evidenceSchema = `
  CREATE TABLE evidence (seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
  PRAGMA user_version = 5;
`

const sessionsSchema = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, about TEXT NOT NULL, status TEXT NOT NULL, started_at REAL NOT NULL, used_at REAL NOT NULL,
    turn INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE session_entries (
    session TEXT NOT NULL, seq INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, seq)
  ) STRICT;
  CREATE TABLE session_images (
    seq INTEGER PRIMARY KEY, session TEXT NOT NULL, step INTEGER NOT NULL, path TEXT NOT NULL, before BLOB,
    state TEXT NOT NULL, after TEXT, UNIQUE (session, step, path)
  ) STRICT;
  PRAGMA user_version = 6;
`

const journalsSchema = `
  CREATE TABLE journals (name TEXT PRIMARY KEY, taken INTEGER NOT NULL, is_left INTEGER NOT NULL) STRICT;
  PRAGMA user_version = 7;
`

/** What was asked or granted before has no caller, so no call finds or uses it. */
const bindingsSchema = `
  ALTER TABLE approvals ADD COLUMN caller TEXT NOT NULL DEFAULT '';
  ALTER TABLE approvals ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
  ALTER TABLE approvals ADD COLUMN for_tool INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN caller TEXT NOT NULL DEFAULT '';
  ALTER TABLE questions ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
  ALTER TABLE questions ADD COLUMN answer_ms REAL NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN waiter TEXT;
  ALTER TABLE questions ADD COLUMN waits_until REAL NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN for_tool INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE questions ADD COLUMN is_used INTEGER NOT NULL DEFAULT 0;
  PRAGMA user_version = ${schemaVersion};
`

function openReader(path: string): DatabaseSync | undefined {
  try {
    const reader = new DatabaseSync(path, { readOnly: true })
    reader.prepare('SELECT seq FROM head').get()
    return reader
  } catch {
    return undefined
  }
}
