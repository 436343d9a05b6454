import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { type ArchivedEntry, writeArchive } from '../ledger-archive.ts'
import { type ChainPlace, chainStart, toChainStart, toEntryHash } from '../ledger-chain.ts'
import type { ProofStore } from '../proof/proof-store.ts'
import type { ArchivedSegment, ArchiveOptions } from '../storage.ts'
import type { Connection, Query } from './connection.ts'
import { inRange, type LedgerReader, maxWindow } from './ledger-reader.ts'
import { dropEmptyPartitions } from './schema.ts'

/** Of one file. */
const maxEntries = 50_000
const pageSize = 1000
/** Entries deleted per commit. */
const chunkSize = 5000
/** Archives down to this share of the limit, so that archiving is not needed again at once. */
const keptShare = 0.9
/** What an entry takes in tables and indexes besides its text, roughly. */
const overheadBytes = 600
/** A process that archives is presumed dead if it says nothing for this long. */
const leaseMs = 120_000

interface ArchiverOptions {
  readonly reader: LedgerReader
  readonly proof: ProofStore
  /** Where files are written; undefined if nowhere. */
  readonly folder: string | undefined
  /** Archived entries are counted no more. */
  readonly countAll: () => Promise<void>
}

interface Row {
  readonly seq: number
  readonly writer: string
  readonly n: number
  readonly text: string
  readonly hash: string
}

/**
 * Moves the oldest entries of a tenant into archive files, by one process at a time. A file is fsynced before one commit notes
 * it, and where each chain continues; from then on its entries count as archived. They are deleted afterwards, little by
 * little, and by the next archiver if this one is killed. Months without entries of any tenant are dropped.
 */
export function createArchiver(connection: Connection, { reader, proof, folder, countAll }: ArchiverOptions) {
  const { tenant, query, transaction } = connection
  const holder = randomUUID()

  async function archive(options: ArchiveOptions): Promise<ArchivedSegment[]> {
    if (folder === undefined)
      throw new ToolpactError('storage_unavailable', 'A server must not keep archives of a shared ledger where they may end with it. Set ledger.archiveFolder to a folder that all servers share.') // biome-ignore format: one line
    if (!(await lease(leaseMs))) return []
    try {
      await countAll()
      // What is archived stays in the tree, so it must be there first.
      const { extendTree } = await import('../proof/sealer.ts')
      const { size } = await extendTree(proof)
      const last = Math.min(await findLast(options), (await proof.base()) + size)
      const segments: ArchivedSegment[] = []
      await deleteArchived()
      for (let from = await findArchived(); from.seq < last; from = await findArchived()) {
        const segment = await writeSegment(folder, from, Math.min(last, from.seq + maxEntries))
        if (!segment) break
        segments.push(segment)
        await deleteArchived()
      }
      await dropEmptyPartitions(connection)
      return segments
    } finally {
      await lease(0)
    }
  }

  /** Takes the right to archive, extends it, or gives it back. */
  async function lease(ms: number): Promise<boolean> {
    return (await query(takeLease, tenant, leaseNote, holder, ms)).length > 0
  }

  /** The end of the last archive. */
  async function findArchived(on: Query = query): Promise<ChainPlace> {
    const [last] = await on<ChainPlace>(findEnd, tenant)
    return last ?? chainStart
  }

  /** The last position to archive. */
  async function findLast({ before, maxBytes }: ArchiveOptions): Promise<number> {
    return Math.max(before ? await findLastBefore(before) : 0, maxBytes === undefined ? 0 : await findExcess(maxBytes))
  }

  /** The position before the first entry that is younger. */
  async function findLastBefore(before: Date): Promise<number> {
    const { first, last } = await reader.span()
    for (let from = first; from <= last; from += maxWindow) {
      const to = Math.min(last, from + maxWindow - 1)
      const [younger] = await query<{ seq: number }>(findYounger, tenant, from, to, before.toISOString())
      if (younger) return younger.seq - 1
    }
    return last
  }

  /** By the size of the oldest and the newest entries: measuring all would read all, and tables are shared by tenants. */
  async function findExcess(maxBytes: number): Promise<number> {
    const { first, last } = await reader.span()
    if (first > last) return 0
    const ends = [
      { first, last: Math.min(last, first + pageSize - 1) },
      { first: Math.max(first, last - pageSize + 1), last },
    ]
    const sample = (await Promise.all(ends.map((range) => reader.select(range)))).flat()
    const bytes = sample.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / sample.length + overheadBytes
    const used = bytes * (last - first + 1)
    return used <= maxBytes ? 0 : last - Math.floor((keptShare * maxBytes) / bytes)
  }

  /** Undefined if another process archived in the meantime. */
  async function writeSegment(folder: string, from: ChainPlace, last: number): Promise<ArchivedSegment | undefined> {
    const ledger = await proof.ledgerId()
    const own = join(folder, ledger)
    mkdirSync(own, { recursive: true, mode: 0o700 })
    const toName = (seq: number) => String(seq).padStart(12, '0')
    const file = join(own, `ledger-${toName(from.seq + 1)}-${toName(last)}.jsonl.gz`)
    const origins = await query<ChainPlace & { writer: string }>(findOrigins, tenant)
    const places = new Map(origins.map(({ writer, seq, hash }) => [writer, { seq, hash }]))
    const { hash } = await writeArchive(file, { version: 2, ledger, after: from, pages: readPages(places, from.seq, last) }) // biome-ignore format: one line
    const segment = { first: from.seq + 1, last, hash, file, archivedAt: new Date().toISOString() }
    for (const { writer, seq } of origins) if (places.get(writer)?.seq === seq) places.delete(writer)
    return (await noteSegment(segment, places)) ? segment : undefined
  }

  /** Moves `places` along. A broken chain is not archived: the ledger stays as it is, for a person to investigate. */
  async function* readPages(
    places: Map<string, ChainPlace>,
    from: number,
    last: number,
  ): AsyncGenerator<ArchivedEntry[]> {
    let writer: string | undefined
    for (let first = from + 1; first <= last; first += pageSize) {
      const to = Math.min(last, first + pageSize - 1)
      const rows = await query<Row>(findRows, tenant, first, to)
      if (rows.length < to - first + 1) throw toBroken()
      const page = rows.map(({ seq, n, text, hash, ...row }, index): ArchivedEntry => {
        const before = places.get(row.writer) ?? { seq: 0, hash: toChainStart(row.writer) }
        if (seq !== first + index || n !== before.seq + 1 || toEntryHash(before.hash, text) !== hash) throw toBroken()
        const run = row.writer === writer ? {} : { run: { writer: row.writer, n, previous: before.hash } }
        writer = row.writer
        places.set(writer, { seq: n, hash })
        return { seq, text, hash, ...run }
      })
      if (!(await lease(leaseMs))) throw toOvertaken()
      yield page
    }
  }

  /** Whether it is the next one. From then on, entries up to its end are archived. */
  async function noteSegment(
    { first, last, hash, file, archivedAt }: ArchivedSegment,
    places: ReadonlyMap<string, ChainPlace>,
  ): Promise<boolean> {
    return transaction(async (query) => {
      // The order changes meanwhile by no other process.
      await query('SELECT seq FROM ledger_head WHERE tenant = $1 FOR UPDATE', tenant)
      if ((await findArchived(query)).seq !== first - 1) return false
      await query(splitRun, tenant, last)
      await query('INSERT INTO ledger_archives VALUES ($1, $2, $3, $4, $5, $6)', tenant, first, last, hash, file, archivedAt) // biome-ignore format: one line
      const chains = [...places]
      await query(
        keepOrigins,
        tenant,
        chains.map(([writer]) => writer),
        chains.map(([, { seq }]) => `${seq}`),
        chains.map(([, { hash }]) => hash),
      )
      return true
    })
  }

  async function deleteArchived(): Promise<void> {
    const { seq: last } = await findArchived()
    for (;;) {
      const runs = await query<Run>(findArchivedRuns, tenant, last)
      if (runs.length === 0) return
      await transaction((query) => deleteSome(query, runs))
      if (!(await lease(leaseMs))) throw toOvertaken()
    }
  }

  /** The first of these runs. The last one may be deleted in part. */
  async function deleteSome(query: Query, runs: readonly Run[]) {
    let left = chunkSize
    const deleted: Run[] = []
    for (const run of runs) {
      if (left === 0) break
      const count = Math.min(run.count, left)
      left -= count
      deleted.push({ ...run, count })
      if (count < run.count) await query(shortenRun, tenant, run.seq, count)
      else await query('DELETE FROM ledger_runs WHERE tenant = $1 AND seq = $2', tenant, run.seq)
    }
    await query(
      deleteEntries,
      tenant,
      deleted.map(({ writer }) => writer),
      deleted.map(({ month }) => `${month}`),
      deleted.map(({ n }) => `${n}`),
      deleted.map(({ n, count }) => `${n + count - 1}`),
    )
  }

  return {
    archive,
    archives: () => query<ArchivedSegment>(findArchives, tenant),
  }
}

interface Run {
  readonly seq: number
  readonly count: number
  readonly writer: string
  readonly n: number
  readonly month: number
}

function toBroken(): ToolpactError {
  return new ToolpactError('storage_unavailable', 'The ledger is broken, so nothing more was archived. Run toolpact ledger --verify.') // biome-ignore format: one line
}

function toOvertaken(): ToolpactError {
  return new ToolpactError('storage_unavailable', 'Another server archives the ledger now. Try again later.')
}

const leaseNote = 'ledger.archiver'
/** A value as JSON, like every note. */
const takeLease = `
  INSERT INTO notes AS own (tenant, key, value)
  SELECT $1, $2, json_build_object('holder', $3::text, 'until', extract(epoch FROM clock_timestamp()) * 1000 + $4::float8)::text
  ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value
  WHERE own.value::json ->> 'holder' = $3 OR (own.value::json ->> 'until')::float8 < extract(epoch FROM clock_timestamp()) * 1000
  RETURNING true AS taken
`
const findEnd = 'SELECT last AS seq, hash FROM ledger_archives WHERE tenant = $1 ORDER BY first DESC LIMIT 1'
const findArchives = `
  SELECT first, last, hash, file, archived_at AS "archivedAt" FROM ledger_archives WHERE tenant = $1 ORDER BY first
`
const findOrigins = 'SELECT writer, n AS seq, hash FROM ledger_origins WHERE tenant = $1'
const findYounger = `SELECT run.seq + own.n - run.n AS seq ${inRange} AND own.at >= $4 ORDER BY 1 LIMIT 1`
const findRows = `SELECT run.seq + own.n - run.n AS seq, own.writer, own.n, own.text, own.hash ${inRange} ORDER BY 1`
/** The run that goes beyond `$2` becomes two. */
const splitRun = `
  WITH run AS (
    SELECT * FROM ledger_runs WHERE tenant = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1
  ), first AS (
    UPDATE ledger_runs AS own SET count = $2 - run.seq + 1 FROM run
    WHERE own.tenant = $1 AND own.seq = run.seq AND run.seq + run.count - 1 > $2
  )
  INSERT INTO ledger_runs (tenant, seq, count, writer, n, month)
  SELECT $1, $2::bigint + 1, run.seq + run.count - 1 - $2, run.writer, run.n + $2 - run.seq + 1, run.month FROM run
  WHERE run.seq + run.count - 1 > $2
`
const keepOrigins = `
  INSERT INTO ledger_origins SELECT $1, chain.writer, chain.n::bigint, chain.hash
  FROM unnest($2::text[], $3::text[], $4::text[]) AS chain (writer, n, hash)
  ON CONFLICT (tenant, writer) DO UPDATE SET n = excluded.n, hash = excluded.hash
`
const findArchivedRuns = `
  SELECT seq, count, writer, n, month FROM ledger_runs WHERE tenant = $1 AND seq <= $2 ORDER BY seq LIMIT 500
`
const shortenRun = `
  UPDATE ledger_runs SET seq = seq + $3, n = n + $3, count = count - $3 WHERE tenant = $1 AND seq = $2
`
const deleteEntries = `
  DELETE FROM ledger AS entry USING unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS run (writer, month, n, last)
  WHERE entry.tenant = $1 AND entry.writer = run.writer AND entry.month = run.month::int
    AND entry.n BETWEEN run.n::bigint AND run.last::bigint
`
