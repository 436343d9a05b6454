import { type ChainPlace, chainStart, followChain, type StoredEntry, toChainStart } from '../ledger-chain.ts'
import type { LedgerVerdict } from '../storage.ts'
import type { Connection } from './connection.ts'
import { findSpan } from './ledger-reader.ts'

interface Run {
  readonly seq: number
  readonly count: number
  readonly writer: string
  readonly n: number
}

const pageSize = 1000

/**
 * Checks every entry against the chain of its writer, that the order of all chains has no gap, and that each chain ends with
 * its head. Entries that are appended meanwhile may be left out. With `afterSeq`, earlier entries are taken as they are.
 */
export async function verifyLedger(
  connection: Connection,
  { afterSeq = 0 }: { readonly afterSeq?: number } = {},
): Promise<LedgerVerdict> {
  const { tenant, query } = connection
  for (;;) {
    const [before] = await query<Span>(findSpan, tenant)
    const verdict = await verifyOnce(connection, before!, afterSeq)
    const [after] = await query<Span>(findSpan, tenant)
    // Another process archived entries in the meantime.
    if (verdict.intact || after!.archived === before!.archived) return verdict
  }
}

interface Span {
  readonly last: number
  readonly archived: number
}

async function verifyOnce(
  { tenant, query }: Connection,
  { last, archived }: Span,
  afterSeq: number,
): Promise<LedgerVerdict> {
  const origins = await query<{ writer: string; n: number; hash: string }>(findOrigins, tenant)
  const archivedPlaces = new Map(origins.map(({ writer, n, hash }) => [writer, { seq: n, hash }]))
  const places = new Map<string, ChainPlace>()
  const [begun] = await query<{ seq: number | null }>(findRunOf, tenant, afterSeq)
  const from = Math.max(archived, (begun!.seq ?? 1) - 1)
  let seq = from
  let head = chainStart.hash
  for (;;) {
    const runs = await query<Run>(findRuns, tenant, seq)
    for (const run of runs) {
      if (run.seq !== seq + 1) return broken(seq, run.seq > seq + 1 ? `Missing: entries ${seq + 1} to ${run.seq - 1}.` : `Entry ${run.seq} occurs twice.`) // biome-ignore format: one line
      const place = places.get(run.writer) ?? (await findPlace(run))
      if (run.n !== place.seq + 1) return broken(seq, `The order skips entries of the chain ${run.writer} after its entry ${place.seq}.`) // biome-ignore format: one line
      const reached = await followRun(run, place)
      if ('reason' in reached) return reached
      places.set(run.writer, reached)
      seq += run.count
      head = reached.hash
    }
    if (runs.length < pageSize) break
  }
  if (seq < last) return broken(seq, `Missing at the end: entries ${seq + 1} to ${last}.`)
  for (const [writer, place] of archivedPlaces) if (!places.has(writer)) places.set(writer, place)
  const stored = await query<{ writer: string; n: number; hash: string }>(findHeads, tenant)
  for (const { writer, n, hash } of stored) {
    const place = places.get(writer)
    if (n < (place?.seq ?? 0)) return broken(seq, `The chain ${writer} has entries beyond its head.`)
    if (place && n === place.seq && hash !== place.hash) return broken(seq, `The head of the chain ${writer} does not match its last entry.`) // biome-ignore format: one line
    places.delete(writer)
  }
  const [headless] = places.keys()
  if (headless !== undefined) return broken(seq, `The chain ${headless} has no head.`)
  return { intact: true, entries: seq - archived, head, ...(archived > 0 && { archived }) }

  /** Where the chain of its first run was before it: archived, or not verified again. */
  async function findPlace(run: Run): Promise<ChainPlace> {
    const [before] = from > archived ? await query<ChainPlace>(findBefore, tenant, run.writer, run.n - 1) : []
    return before ?? archivedPlaces.get(run.writer) ?? { seq: 0, hash: toChainStart(run.writer) }
  }

  async function followRun(run: Run, from: ChainPlace): Promise<ChainPlace | Broken> {
    let place = from
    const end = run.n + run.count - 1
    while (place.seq < end) {
      const last = Math.min(end, place.seq + pageSize)
      const entries = await query<StoredEntry>(findEntries, tenant, run.writer, place.seq, last)
      const reached = followChain(place, entries)
      const at = run.seq + place.seq - run.n
      if ('intact' in reached) return broken(run.seq + reached.brokenAtSeq - run.n - 1, `In the chain ${run.writer}: ${reached.reason}`) // biome-ignore format: one line
      if (reached.seq < last) return broken(at + entries.length, `Missing: entries ${reached.seq + 1} to ${last} of the chain ${run.writer}.`) // biome-ignore format: one line
      place = reached
    }
    return place
  }
}

type Broken = Extract<LedgerVerdict, { intact: false }>

/** `before`: the last position that is intact. */
function broken(before: number, reason: string): Broken {
  return { intact: false, fault: 'chain', entries: before, brokenAtSeq: before + 1, reason }
}

const findOrigins = 'SELECT writer, n, hash FROM ledger_origins WHERE tenant = $1'
const findHeads = 'SELECT writer, n, hash FROM ledger_writers WHERE tenant = $1 AND n > 0'
const findRuns = `SELECT seq, count, writer, n FROM ledger_runs WHERE tenant = $1 AND seq > $2 ORDER BY seq LIMIT ${pageSize}`
const findRunOf = 'SELECT max(seq) AS seq FROM ledger_runs WHERE tenant = $1 AND seq <= $2'
const findBefore = 'SELECT n AS seq, hash FROM ledger WHERE tenant = $1 AND writer = $2 AND n = $3'
const findEntries =
  'SELECT n AS seq, text, hash FROM ledger WHERE tenant = $1 AND writer = $2 AND n > $3 AND n <= $4 ORDER BY n'
