import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { chainStart, type StoredEntry } from '../ledger-chain.ts'
import { limitTo, matchesQuery } from '../ledger-query.ts'
import type { LedgerEntry, LedgerHead, LedgerQuery } from '../storage.ts'
import type { Connection, Query } from './connection.ts'

/** Positions that one statement looks at; more with each statement, if few of them match. */
const minWindow = 1000
export const maxWindow = 64_000

/** A range of positions, inclusive. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** Reads entries by their place in the order of all chains. */
export function createLedgerReader({ tenant, query }: Connection) {
  async function head(): Promise<LedgerHead> {
    const { last } = await span()
    if (last === 0) return chainStart
    const [entry] = await select(query, { first: last, last })
    return entry ? { seq: last, hash: entry.hash } : { ...chainStart, seq: last }
  }

  /** The positions in the database; `first` is beyond `last` if there are none. */
  async function span(on: Query = query): Promise<Range> {
    const [row] = await on<{ last: number; archived: number }>(findSpan, tenant)
    return { first: row!.archived + 1, last: row!.last }
  }

  async function read(wanted: LedgerQuery): Promise<LedgerEntry[]> {
    const { afterSeq = 0, callId, callIdPrefix, first, last } = wanted
    const limit = last ?? first ?? Number.POSITIVE_INFINITY
    if (limit <= 0) return []
    if (callId !== undefined || callIdPrefix !== undefined) return [...limitTo(await readCalls(wanted), wanted)]
    const all = await span()
    let range = { first: Math.max(all.first, afterSeq + 1), last: all.last }
    let size = minWindow
    const found: StoredEntry[] = []
    while (range.first <= range.last && found.length < limit) {
      const window =
        last === undefined
          ? { first: range.first, last: Math.min(range.last, range.first + size - 1) }
          : { first: Math.max(range.first, range.last - size + 1), last: range.last }
      const left = limit - found.length
      const rows = await select(query, window, { ...wanted, limit: left, isBackward: last !== undefined })
      found.push(...rows)
      range = last === undefined ? { ...range, first: window.last + 1 } : { ...range, last: window.first - 1 }
      if (rows.length < size / 2) size = Math.min(size * 2, maxWindow)
    }
    if (last !== undefined) found.reverse()
    return found.map(toEntry)
  }

  async function readCalls(wanted: LedgerQuery): Promise<LedgerEntry[]> {
    const { callId, callIdPrefix = '' } = wanted
    const [operator, id] =
      callId === undefined ? ['LIKE', `${callIdPrefix.replace(/[\\%_]/g, '\\$&')}%`] : ['=', callId]
    const find = `${placed} WHERE own.tenant = $1 AND own.call_id ${operator} $2 ORDER BY seq`
    const rows = await query<StoredEntry>(find, tenant, id)
    return rows.map(toEntry).filter(({ seq, record }) => matchesQuery({ seq, ...record }, wanted))
  }

  /** Every entry of these calls, in order. */
  async function readAllOf(callIds: readonly string[]): Promise<LedgerEntry[]> {
    const rows = await query<StoredEntry>(
      `${placed} WHERE own.tenant = $1 AND own.call_id = ANY($2::text[]) ORDER BY seq`,
      tenant,
      callIds,
    )
    return rows.map(toEntry)
  }

  /** Calls with an entry in the range that has this tool, caller and time. */
  async function findIds(range: Range, { tool, caller, since, until }: Conditions & { caller?: string; until?: Date }) {
    const rows = await query<{ id: string }>(
      `SELECT DISTINCT own.call_id AS id ${inRange} AND ($4::text IS NULL OR own.tool = $4)
       AND ($5::text IS NULL OR own.caller = $5) AND ($6::text IS NULL OR own.at >= $6) AND ($7::text IS NULL OR own.at < $7)`,
      ...[tenant, range.first, range.last, tool ?? null, caller ?? null],
      since?.toISOString() ?? null,
      until?.toISOString() ?? null,
    )
    return rows.map(({ id }) => id)
  }

  function select(
    on: Query,
    { first, last }: Range,
    { tool, since, limit = Number.POSITIVE_INFINITY, isBackward = false }: Conditions = {},
  ): Promise<StoredEntry[]> {
    return on<StoredEntry>(
      `SELECT run.seq + own.n - run.n AS seq, own.text, own.hash ${inRange}
       AND ($4::text IS NULL OR own.tool = $4) AND ($5::text IS NULL OR own.at >= $5)
       ORDER BY 1 ${isBackward ? 'DESC' : 'ASC'} LIMIT $6`,
      ...[tenant, first, last, tool ?? null, since?.toISOString() ?? null, Number.isFinite(limit) ? limit : null],
    )
  }

  return { head, span, read, readAllOf, findIds, select: (range: Range, on: Query = query) => select(on, range) }
}

export type LedgerReader = ReturnType<typeof createLedgerReader>

interface Conditions {
  readonly tool?: string
  readonly since?: Date
  readonly limit?: number
  readonly isBackward?: boolean
}

/** The last position, and the last archived one. */
export const findSpan = `
  SELECT seq AS last, (SELECT coalesce(max(last), 0) FROM ledger_archives WHERE tenant = $1) AS archived
  FROM ledger_head WHERE tenant = $1
`

/**
 * Entries at the positions `$2` to `$3`, found through the runs that contain them. The limit, which is never reached, makes Postgres
 * use the index for each run: its estimates of such ranges are so wrong that it would read the whole table.
 */
export const inRange = `
  FROM ledger_runs AS run CROSS JOIN LATERAL (
    SELECT * FROM ledger AS entry WHERE entry.tenant = $1 AND entry.writer = run.writer AND entry.month = run.month
      AND entry.n BETWEEN greatest(run.n, run.n + $2 - run.seq) AND least(run.n + run.count - 1, run.n + $3 - run.seq)
    ORDER BY entry.n LIMIT ${maxWindow}
  ) AS own
  WHERE run.tenant = $1 AND run.seq <= $3
    AND run.seq >= coalesce((SELECT max(seq) FROM ledger_runs WHERE tenant = $1 AND seq <= $2), 0)
`

/** Entries with their position. Those without one are left out. */
const placed = `
  SELECT run.seq + own.n - run.n AS seq, own.text, own.hash FROM ledger AS own JOIN LATERAL (
    SELECT seq, n, count FROM ledger_runs AS run
    WHERE run.tenant = own.tenant AND run.writer = own.writer AND run.n <= own.n ORDER BY run.n DESC LIMIT 1
  ) AS run ON own.n < run.n + run.count
`

export function toEntry({ seq, text, hash }: StoredEntry): LedgerEntry {
  try {
    return { seq, record: JSON.parse(text), hash }
  } catch (cause) {
    throw new ToolpactError(
      'storage_unavailable',
      `Entry ${seq} of the ledger was damaged. Run toolpact ledger --verify.`,
      { cause },
    )
  }
}
