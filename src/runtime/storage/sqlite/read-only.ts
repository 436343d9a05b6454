import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ProofStore } from '../proof/proof-store.ts'
import type { Ledger } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Journal } from './journal.ts'
import { journalKeyVersion, proofVersion } from './later-schema.ts'
import type { HeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { readPlainJournals } from './plain-journals.ts'
import { openSqliteProof } from './proof.ts'
import { toNew } from './read-journals.ts'
import { type RefusedLines, withRefused } from './refused-lines.ts'
import { isCurrent, readVersion, requireKnown } from './schema.ts'
import { toStorageError } from './sqlite-error.ts'
import { cacheStatements } from './statement-cache.ts'
import type { StateWatch } from './watch.ts'

/**
 * Opens a state that can only be read: on a read-only disk, of another user, or of an older version, which opening for
 * writing would migrate. Undefined if the state is writable or does not exist.
 */
export function openIfReadOnly(directory: string): Database | undefined {
  const path = join(directory, 'toolpact.db')
  if (!existsSync(path)) return undefined
  const database = openForReading(path)
  if (!isCurrent(database.version) || !isWritable(path) || !isWritable(directory)) return database
  database.close()
  return undefined
}

/** Rejects every write. */
export function refuseCommits(path: string): GroupCommit {
  const refusal = new Error(`The state ${path} is open for reading, so nothing can be written to it.`)
  const batch = { durable: false, add: () => Promise.reject(refusal) }
  return { next: () => batch, later: () => batch, now() {}, onQuiet() {}, checkpoint() {}, end() {} }
}

interface ReadOnlyOptions {
  readonly journal: Journal
  readonly note: HeadNote
  readonly watch: StateWatch['watch']
  readonly refusedLines: RefusedLines
}

/** Includes acknowledged records that are only in journals. Verification covers the chain only. */
export function openReadOnlyLedger(
  database: Database,
  { journal, note, watch, refusedLines }: ReadOnlyOptions,
): { readonly ledger: Ledger; readonly proof?: ProofStore; readonly end?: undefined } {
  const reader = createLedgerReader(database, { note, pending: readPending })

  function readPending(): string[] {
    const taken = new Map<string, number>()
    if (database.version >= journalsVersion)
      for (const row of database.sql('SELECT name, taken FROM journals').all())
        taken.set(row.name as string, row.taken as number)
    if (database.version < journalKeyVersion)
      return readPlainJournals(dirname(database.path)).flatMap(({ name, lines }) => lines.slice(taken.get(name) ?? 0))
    const takenOf = ({ owner }: { owner: string }) => taken.get(owner) ?? 0
    return journal.others(takenOf).flatMap((other) => toNew(other, takenOf(other)).map(({ text }) => text))
  }

  /** With the key for journals, if it is kept elsewhere. */
  const prepared =
    <Args extends unknown[], Result>(job: (...args: Args) => Result | Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await journal.prepare()
      return job(...args)
    }

  const refused = refuseCommits(database.path)
  const ledger: Ledger = {
    append: () => refused.next().add(() => {}),
    read: prepared((query = {}) => reader.read(query)),
    head: prepared(reader.head),
    calls: prepared((query = {}) => reader.calls(query)),
    stats: prepared(reader.stats),
    totals: prepared(reader.totals),
    watch: (onChange) => watch({ version: () => reader.head().seq }, onChange),
    verify: async (options) => withRefused(await reader.verify(options), refusedLines, journal),
    archive: () => refused.next().add(() => []),
    archives: reader.archives,
  }
  if (database.version < proofVersion) return { ledger }
  return { ledger, proof: openSqliteProof(database, refused, { reader, importJournals: async () => {} }) }
}

const journalsVersion = 7

function openForReading(path: string): Database {
  let copy: string | undefined
  let connection: DatabaseSync
  try {
    try {
      connection = connect(path)
    } catch (error) {
      // SQLite needs a -shm file to read a WAL. If it cannot create one, read a copy of the state.
      if ((error as { errcode?: number }).errcode !== cannotOpen) throw error
      copy = copyState(path)
      connection = connect(join(copy, 'toolpact.db'))
    }
    const version = readVersion(connection)
    requireKnown(version, path)
    return toDatabase(path, { connection, version, copy })
  } catch (error) {
    if (copy !== undefined) remove(copy)
    throw toStorageError(error, path)
  }
}

const cannotOpen = 14

function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  readVersion(connection)
  return connection
}

function toDatabase(
  path: string,
  { connection, version, copy }: { connection: DatabaseSync; version: number; copy: string | undefined },
): Database {
  return {
    path,
    version,
    sql: cacheStatements(connection),
    setSynchronous() {},
    isTransaction: false,
    requireInPlace() {},
    checkpointFrom() {},
    truncateLog() {},
    close() {
      connection.close()
      if (copy !== undefined) remove(copy)
    },
  }
}

function copyState(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-state-'))
  for (const end of ['', '-wal'])
    if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, join(folder, `toolpact.db${end}`))
  return folder
}

function remove(folder: string) {
  rmSync(folder, { recursive: true, force: true })
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
