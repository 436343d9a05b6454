import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { toEntryHash } from '../../src/runtime/storage/ledger-chain.ts'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { LedgerRecord, Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import type { PostgresCluster } from '../../test/helpers/postgres-cluster.ts'
import { quantile } from '../print-table.ts'
import { readPostmaster } from '../processors.ts'
import type { Table } from '../table.ts'
import { createWorkCounter } from './calls.ts'
import type { MeasuredAppends } from './measured.ts'
import { measureRounds, toRoundsTable } from './rounds.ts'

const rounds = 10
const batch = 64
const writers = 4
const batchOfWriter = 20
/** Rows in a commit, for the cost of a commit and that of a row. */
const batches = [4, 16, 64]
/** Of one contender in one round; longer where processor times matter, which are counted in steps of 10 ms. */
const sampleMs = 250
const longSampleMs = 500

/** Appends to the ledger beside bare inserts with the same durability; one chain per writer beside one for all. */
export async function* measureAppends(
  cluster: PostgresCluster,
  keep: (appends: MeasuredAppends[]) => void,
): AsyncGenerator<Table> {
  // biome-ignore format: one line
  const postmaster = readPostmaster(cluster.directory)
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const sqlite = openSqliteStorage({ directory: join(folder, 'state') })
  const storages = await Promise.all(
    Array.from({ length: writers }, (_, index) => openPostgresStorage({ url: cluster.url, tenant: `appends-${index === 0 ? 'one' : 'many'}` })), // biome-ignore format: one line
  )
  const [one, ...rest] = storages as [Storage, ...Storage[]]
  const many = [await openPostgresStorage({ url: cluster.url, tenant: 'appends-many' }), ...rest]
  const bareSqlite = openBareSqlite(join(folder, 'bare.db'))
  const bare = Array.from({ length: writers }, () => openBarePostgres(cluster.url))
  cluster.psql(`
    CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL, hash text NOT NULL);
    CREATE TABLE bare_head (one int PRIMARY KEY, hash text NOT NULL);
    INSERT INTO bare_head VALUES (1, repeat('0', 64))
  `)
  try {
    const contenders = [
      { name: 'Postgres: bare insert of 64 rows', run: forAWhile(() => bare[0]!.insert(batch), batch) },
      {
        name: 'Postgres: 64 ledger appends at once',
        run: forAWhile(() => append(one, batch), batch),
        onRound: () => upkeep(one),
      },
      { name: 'SQLite: bare transaction of 64 inserts', run: forAWhile(async () => bareSqlite.insert(batch), batch) },
      { name: 'SQLite: 64 ledger appends at once', run: forAWhile(() => append(sqlite, batch), batch) },
    ]
    yield toRoundsTable(
      { title: 'Ledger, one writer, every commit on disk: appends against bare inserts', unit: 'rows' },
      contenders,
      await measureRounds(contenders, { rounds, postmaster }),
    )

    const chains = [
      { name: 'no chain: bare inserts', run: each((index) => bare[index]!.insert(batchOfWriter)) },
      {
        name: 'one chain per writer: the ledger',
        run: each((index) => append(many[index]!, batchOfWriter)),
        onRound: () => upkeep(many[0]!),
      },
      { name: 'one chain for all writers', run: each((index) => bare[index]!.chain(batchOfWriter)) },
    ]
    yield toRoundsTable(
      { title: `Postgres, ${writers} writers at once, ${batchOfWriter} rows in a commit: one chain per writer against one for all`, unit: 'rows' }, // biome-ignore format: one line
      chains,
      await measureRounds(chains, { rounds, postmaster }),
    )

    const counter = createWorkCounter(cluster)
    const work = batches.map(() => ({ operations: 0, commits: 0, walBytes: 0 }))
    const sizes = batches.map((rows, index) => ({
      name: `${rows} in a commit`,
      run: forAWhile(() => append(one, rows), rows, longSampleMs),
      async onRound(operations: number) {
        counter.count(work[index]!, operations)
        await upkeep(one)
      },
    }))
    const found = await measureRounds(sizes, { rounds, postmaster })
    yield toRoundsTable({ title: 'Postgres, one writer: appends by rows in a commit', unit: 'rows' }, sizes, found)
    const appends = batches.map((rowsPerCommit, index): MeasuredAppends => {
      const { perSecond, postgres } = found[index]!
      const { operations, walBytes } = work[index]!
      return { rowsPerCommit, perSecond: quantile(perSecond, 0.5), postgres, walBytesPerRow: walBytes / operations }
    })
    keep(appends)
  } finally {
    await Promise.all([sqlite, ...storages, many[0]!].map((storage) => storage.close()))
    await Promise.all(bare.map(({ close }) => close()))
    bareSqlite.close()
    rmSync(folder, { recursive: true })
  }
}

/** An intent, and then its outcome, as calls make them. */
const toRecord = (() => {
  let open: string | undefined
  return (): LedgerRecord => {
    const at = new Date().toISOString()
    const callId = open ?? randomUUID()
    const isOutcome = open !== undefined
    open = isOutcome ? undefined : callId
    return isOutcome ? toOutcome(callId, { at }) : toIntent(callId, { at })
  }
})()

function append({ ledger }: Storage, rows: number) {
  return Promise.all(Array.from({ length: rows }, () => ledger.append(toRecord(), { durable: true })))
}

/** Orders and counts new entries, which servers do a second later: then another contender would be measured. */
function upkeep({ ledger }: Storage) {
  return ledger.totals()
}

/** Returns the number of rows. */
function forAWhile(job: () => Promise<unknown>, rows: number, ms = sampleMs): () => Promise<number> {
  return async () => {
    const end = performance.now() + ms
    let made = 0
    while (performance.now() < end) {
      await job()
      made += rows
    }
    return made
  }
}

function each(job: (writer: number) => Promise<unknown>): () => Promise<number> {
  return async () => {
    const made = await Promise.all(Array.from({ length: writers }, (_, index) => forAWhile(() => job(index), batchOfWriter)())) // biome-ignore format: one line
    return made.reduce((sum, rows) => sum + rows, 0)
  }
}

/** The same texts and hashes as the ledger stores, in a table of their own. */
function openBarePostgres(url: string) {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  const texts = (rows: number) => Array.from({ length: rows }, () => JSON.stringify(toRecord()))
  const follow = (start: string, all: readonly string[]) => {
    let last = start
    return all.map((text) => {
      last = toEntryHash(last, text)
      return last
    })
  }
  return {
    async insert(rows: number) {
      const all = texts(rows)
      await client`INSERT INTO bare (text, hash) SELECT * FROM unnest(${all}::text[], ${follow('0'.repeat(64), all)}::text[])`
    },
    async chain(rows: number) {
      const all = texts(rows)
      await client.begin(async (own) => {
        const [head] = await own`SELECT hash FROM bare_head WHERE one = 1 FOR UPDATE`
        const hashes = follow(head!.hash, all)
        await own`WITH added AS (INSERT INTO bare (text, hash) SELECT * FROM unnest(${all}::text[], ${hashes}::text[]))
          UPDATE bare_head SET hash = ${hashes.at(-1)!} WHERE one = 1`
      })
    },
    close: () => client.end(),
  }
}

function openBareSqlite(path: string) {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE entries (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL)')
  const statement = database.prepare('INSERT INTO entries (text, hash) VALUES (?, ?)')
  return {
    insert(rows: number) {
      database.exec('BEGIN IMMEDIATE')
      for (let count = 0; count < rows; count++) {
        const text = JSON.stringify(toRecord())
        statement.run(text, toEntryHash('0'.repeat(64), text))
      }
      database.exec('COMMIT')
    },
    close: () => database.close(),
  }
}
