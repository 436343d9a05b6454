import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ToolpactError, toClosedError } from '../../../contract/toolpact-error.ts'
import { identify, isSameFile } from './file-identity.ts'
import { applicationId, bringUpToDate, readVersion } from './schema.ts'
import { toMovedError, toStorageError } from './sqlite-error.ts'
import { cacheStatements } from './statement-cache.ts'

/** One connection to the state file. Statements are prepared with their first use. */
export interface Database {
  readonly path: string
  /** Schema version. Lower than the current one only if open for reading. */
  readonly version: number
  sql(text: string): StatementSync
  /** `FULL`: commits are fsynced. `NORMAL`: commits survive a crash of this process, but not a power failure. */
  setSynchronous(level: 'FULL' | 'NORMAL'): void
  readonly isTransaction: boolean
  /** Throws if the open file is no longer the one at its path: writes to it would be lost. */
  requireInPlace(): void
  /** Checkpoints the WAL if it has this many pages. Waits for the disk: call it after answering callers. */
  checkpointFrom(pages: number): void
  /** Checkpoints and truncates the WAL, unless another connection is using it. */
  truncateLog(): void
  close(): void
}

interface DatabaseOptions {
  readonly directory: string
  readonly lockTimeoutMs: number
  /** Receives a line for the operator, such as the path of a migration backup. */
  readonly report: (message: string) => void
}

/** Opens the state file for writing. Creates it if absent, and migrates an older one. */
export function openDatabase({ directory, lockTimeoutMs, report }: DatabaseOptions): Database {
  const path = join(directory, 'toolpact.db')
  const connection = openConnection(directory, path, { lockTimeoutMs, report })
  const prepare = cacheStatements(connection)
  const inPlace = [path, `${path}-wal`, `${path}-shm`].map((file) => ({ file, identity: identify(file) }))
  let synchronous = 'NORMAL'
  let closed = false

  function sql(text: string): StatementSync {
    if (closed) throw toClosedError()
    return prepare(text)
  }

  function setSynchronous(level: 'FULL' | 'NORMAL') {
    if (level === synchronous) return
    connection.exec(`PRAGMA synchronous = ${level}`)
    synchronous = level
  }

  function requireInPlace() {
    for (const { file, identity } of inPlace) if (!isSameFile(identify(file), identity)) throw toMovedError(file)
  }

  function checkpointFrom(pages: number) {
    try {
      const { log, checkpointed } = sql('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number }
      if (log - checkpointed < pages) return
      connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
      // The next write restarts the WAL and waits for the disk. Do it now, with a write that changes nothing.
      connection.exec(`PRAGMA application_id = ${applicationId}`)
    } catch {
      // The WAL stays long, and the next commit reports a disk failure.
    }
  }

  /** Does not wait for other connections, since that would block this process. */
  function truncateLog() {
    try {
      connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The next checkpoint tries again.
    } finally {
      connection.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`)
    }
  }

  /**
   * The last connection to close checkpoints the whole WAL, which waits for the disk several times. A read-only connection
   * cannot, so it closes last: the WAL stays, as durable as its commits were.
   */
  function close() {
    closed = true
    const last = openReader(path)
    connection.close()
    last?.close()
  }

  return {
    path,
    version: readVersion(connection),
    sql,
    setSynchronous,
    get isTransaction() {
      return connection.isTransaction
    },
    requireInPlace,
    checkpointFrom,
    truncateLog,
    close,
  }
}

type ConnectionOptions = Omit<DatabaseOptions, 'directory'>

function openConnection(directory: string, path: string, options: ConnectionOptions): DatabaseSync {
  try {
    createPrivately(directory, path)
    const created = identify(path)
    const connection = retryWhileBusy(() => connect(path, options), options.lockTimeoutMs)
    if (isSameFile(identify(path), created)) return connection
    connection.close()
    throw toMovedError(path)
  } catch (error) {
    throw toStorageError(error, path)
  }
}

/** While one process switches a new file to WAL mode, SQLite ignores the busy timeout of others. */
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
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const mode = statSync(directory).mode & 0o777
  if (mode & 0o022 && process.platform !== 'win32') {
    throw new ToolpactError(
      'storage_unavailable',
      `Others may write in the state directory ${directory} (mode ${mode.toString(8)}). Take that away with chmod go-w, or choose another directory.`,
    )
  }
  // SQLite would create a world-readable file; the -wal and -shm files inherit its mode.
  // An existing file is not opened here: closing it would release POSIX locks of other connections of this process.
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) closeSync(openSync(path, 'a', 0o600))
  else if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  else accessSync(path, constants.W_OK)
}

function connect(path: string, { lockTimeoutMs, report }: ConnectionOptions): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: lockTimeoutMs })
  try {
    bringUpToDate(connection, path, report)
    // On macOS only a full fsync reaches the disk; elsewhere the setting has no effect.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA fullfsync = 1')
    // A long read makes the WAL grow. After a checkpoint it shrinks to this size.
    connection.exec(`PRAGMA journal_size_limit = ${maxIdleLogBytes}`)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const maxIdleLogBytes = 16 * 1024 * 1024

function openReader(path: string): DatabaseSync | undefined {
  try {
    const reader = new DatabaseSync(path, { readOnly: true })
    // Any read opens the WAL. This one does not parse the schema.
    reader.prepare('PRAGMA schema_version').get()
    return reader
  } catch {
    return undefined
  }
}
