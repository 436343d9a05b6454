import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { proveInclusion } from '../../src/runtime/storage/proof/proofs.ts'
import { extendTree } from '../../src/runtime/storage/proof/sealer.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import { openPostgresCluster } from '../../test/helpers/postgres-cluster.ts'
import { decideAim, isNoisy, toNoise } from '../noise.ts'
import { quantile, toBytes, toTime } from '../print-table.ts'
import { readPostmaster, watchProcessors } from '../processors.ts'
import type { Table } from '../table.ts'
import type { Engine, MeasuredGrowth } from './measured.ts'

const sizes = [10_000, 100_000, 1_000_000, 10_000_000]
const samples = 30
/** Short ledgers are verified several times: the processor time of other processes is known to 10 ms only. */
const verifiedEntries = 500_000
/** Largest growth of a read that counts as flat, from the first size to the last. */
const flat = 2

type Growth = { readonly [engine in Engine]: readonly MeasuredGrowth[] }

/** Reads, sealing and verification while a ledger grows, up to `entries`. */
export async function measureGrowth(entries: number, run: string): Promise<Growth> {
  // Entries need not survive a power failure here, and are made faster so. A vacuum after the load would count as verification.
  const cluster = await openPostgresCluster(['autovacuum=off', 'fsync=off', 'synchronous_commit=off', 'shared_buffers=512MB', 'max_wal_size=8GB']) // biome-ignore format: one line
  const directory = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const tenant = 'growth'
  const postmaster = readPostmaster(cluster.directory)
  const tables = ['ledger_tiles', 'ledger_runs'].map((name) => `pg_total_relation_size('toolpact.${name}')`).join(' + ')
  const partitions = "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = 'toolpact.ledger'::regclass" // biome-ignore format: one line
  const inPostgres = () => Number(cluster.psql(`SELECT (${partitions}) + ${tables}`))
  const postgres = await openPostgresStorage({ url: cluster.url, tenant, timeoutMs: 60_000 })
  const sqlite = openSqliteStorage({ directory })
  const before = inPostgres()
  try {
    return {
      sqlite: await grow(sqlite, { entries, run, toSize: () => sizeOf(directory) }),
      postgres: await grow(postgres, { entries, run, postmaster, toSize: () => inPostgres() - before }),
    }
  } finally {
    await Promise.all([postgres.close(), sqlite.close()])
    cluster.remove()
    rmSync(directory, { recursive: true })
  }
}

interface GrowOptions {
  readonly entries: number
  readonly run: string
  readonly toSize: () => number
  readonly postmaster?: number
}

async function grow(storage: Storage, { entries, run, toSize, postmaster }: GrowOptions): Promise<MeasuredGrowth[]> {
  const found: MeasuredGrowth[] = []
  const { ledger } = storage
  const proof = storage.proof!
  let made = 0
  let lastId = ''
  for (const size of sizes.filter((one) => one <= entries)) {
    const added = size - made
    while (made < size) {
      const ids = Array.from({ length: Math.min(1000, (size - made) / 2) }, () => randomUUID())
      await Promise.all(ids.flatMap((id) => [ledger.append(toIntent(id), { durable: true }), ledger.append(toOutcome(id), { durable: true })])) // biome-ignore format: one line
      made += ids.length * 2
      lastId = ids[0]!
    }
    // Gives new entries their place and counts them, as the upkeep of a server does.
    await ledger.totals()
    const used = watchProcessors([], postmaster)
    const sealMs = await time(() => extendTree(proof))
    const { client, postgres } = used()
    const middle = Math.floor(size / 3)
    const [entry] = await ledger.read({ afterSeq: middle, first: 1 })
    const { callId } = entry!.record
    const reads = { newest: [] as number[], call: [] as number[], page: [] as number[], proof: [] as number[] }
    for (let sample = 0; sample < samples; sample++) {
      reads.newest.push(await time(() => ledger.read({ last: 50 })))
      reads.call.push(await time(() => ledger.read({ callId: sample % 2 ? callId : lastId })))
      reads.page.push(await time(() => ledger.calls({ limit: 50 })))
      reads.proof.push(await time(() => proveInclusion(proof.tile, middle, size)))
    }
    const verify = async () => {
      const verdict = await ledger.verify()
      if (!verdict.intact || verdict.entries !== size) throw new Error(`The ledger of ${size} entries does not verify: ${JSON.stringify(verdict)}`) // biome-ignore format: one line
    }
    // The code of the first size is compiled before it is measured.
    if (found.length === 0) for (let count = 0; count < 5; count++) await verify()
    const times = Math.max(1, Math.ceil(verifiedEntries / size))
    const usedToVerify = watchProcessors([], postmaster)
    const verifyMs = await time(async () => {
      for (let count = 0; count < times; count++) await verify()
    })
    const verifying = usedToVerify()
    found.push({
      run,
      entries: size,
      bytes: toSize(),
      sealing: { server: client / added, postgres: postgres / added },
      verifySeconds: verifyMs / 1000 / times,
      verifying: (verifying.client + verifying.postgres) / size / times,
      reads: { newest: median(reads.newest), call: median(reads.call), page: median(reads.page), proof: median(reads.proof) }, // biome-ignore format: one line
      noise: toNoise(reads.newest),
      sealUs: (sealMs * 1000) / added,
    })
  }
  return found
}

/** Rows of another run than this one are marked. */
export function toGrowthTable(engine: Engine, rows: readonly MeasuredGrowth[], run: string): Table {
  // Other runs met another machine, so verdicts are about this one alone.
  const own = rows.filter((row) => row.run === run)
  const [first, last] = [own[0], own.at(-1)!]
  const name = engine === 'postgres' ? 'Postgres' : 'SQLite'
  const growth = (of: (row: MeasuredGrowth) => number) => of(last) / of(first!)
  const perEntry = ({ verifySeconds, entries }: MeasuredGrowth) => (verifySeconds * 1e6) / entries
  const times = `from ${first!.entries.toLocaleString('en')} to ${last.entries.toLocaleString('en')} entries`
  const largest = Math.max(growth(({ reads }) => reads.newest), growth(({ reads }) => reads.call), growth(({ reads }) => reads.page)) // biome-ignore format: one line
  const noise = Math.max(first!.noise, last.noise)
  const others = rows.filter((row) => row.run !== run)
  return {
    title: `${name}: reading, sealing and verifying a ledger as it grows`,
    heading: ['entries', 'newest 50', 'one call', 'page of 50 calls', 'inclusion proof', 'sealing, per entry', 'verification of all', 'per entry', 'on disk, per entry'], // biome-ignore format: one line
    rows: rows.map((row) => [
      row.entries.toLocaleString('en'),
      ...[row.reads.newest, row.reads.call, row.reads.page, row.reads.proof].map(toTime),
      `${row.sealUs.toFixed(1)} µs`,
      `${row.verifySeconds.toFixed(2)} s`,
      `${perEntry(row).toFixed(1)} µs`,
      toBytes(row.bytes / row.entries),
    ]),
    notes: [
      decideAim({ what: `the slowest growing read ${times}`, most: flat }, [largest / noise, largest, largest * noise]),
      `Verification ${times}: ${growth(perEntry).toFixed(2)}× as long per entry.`,
      ...others.map(
        (row) =>
          `${row.entries.toLocaleString('en')} entries were measured in another run, on ${row.run.slice(0, 10)}${isNoisy(row.noise) ? ', while the machine was busy' : ''}.`,
      ),
    ],
  }
}

function median(times: readonly number[]): number {
  return quantile(times, 0.5)
}

async function time(job: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await job()
  return performance.now() - start
}

function sizeOf(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
}
