import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ProofStore } from '../proof/proof-store.ts'
import type { Ledger } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Journal } from './journal.ts'
import type { HeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { openSqliteProof } from './proof.ts'
import { isCurrent, proofVersion, readVersion, requireKnown } from './schema.ts'
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
  return { next: () => batch, later: () => batch, now() {}, onQuiet() {}, end() {} }
}

/** Includes acknowledged records that are only in journals. Verification covers the chain only. */
export function openReadOnlyLedger(
  database: Database,
  { journal, note, watch }: { journal: Journal; note: HeadNote; watch: StateWatch['watch'] },
): { readonly ledger: Ledger; readonly proof?: ProofStore } {
  const reader = createLedgerReader(database, { note, pending: readPending })

  function readPending(): string[] {
    const taken = new Map<string, number>()
    if (database.version >= journalsVersion)
      for (const row of database.sql('SELECT name, taken FROM journals').all())
        taken.set(row.name as string, row.taken as number)
    return journal.others().flatMap(({ name, lines }) => lines.slice(taken.get(name) ?? 0))
  }

  const refused = refuseCommits(database.path)
  const ledger: Ledger = {
    append: () => refused.next().add(() => {}),
    read: async (query = {}) => reader.read(query),
    head: async () => reader.head(),
    calls: async (query = {}) => reader.calls(query),
    stats: reader.stats,
    totals: reader.totals,
    watch: (onChange) => watch({ version: () => reader.head().seq }, onChange),
    verify: (options) => reader.verify(options),
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
