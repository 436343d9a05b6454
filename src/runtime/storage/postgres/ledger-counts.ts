import { countSpans, findSpan } from '../count-spans.ts'
import { followEntry, type OpenCall } from '../follow-calls.ts'
import { addHistogram } from '../histogram.ts'
import type { LedgerStats, StatsQuery, ToolTotals } from '../ledger-stats.ts'
import { type Counted, type CountedTool, createTally, type Tally } from '../tally.ts'
import { toBuckets, toStats, toTotals } from '../to-stats.ts'
import type { Connection, Query } from './connection.ts'
import { type LedgerReader, toEntry } from './ledger-reader.ts'

/** Entries that are counted in one transaction. */
const blockSize = 2000
/** Blocks that are counted in the background at once. With one, counts fell ever further behind more than 2000 entries per second. */
const maxBlocksAtOnce = 20

/** Counts calls for plots, once each, by one process at a time. */
export function createLedgerCounts({ tenant, query, transaction }: Connection, reader: LedgerReader) {
  /** Counts everything that has its place in the ledger. */
  async function countAll(): Promise<void> {
    while (await countBlock('')) {}
  }

  /** The same in the background: leaves it to another process that is at it. */
  async function countSome(): Promise<void> {
    for (let blocks = 0; blocks < maxBlocksAtOnce && (await countBlock('SKIP LOCKED')); blocks++) {}
  }

  /** Returns whether there may be more. */
  async function countBlock(locking: string): Promise<boolean> {
    const find = 'SELECT seq FROM ledger_counted WHERE tenant = $1'
    const [before] = await query<{ seq: number }>(find, tenant)
    if (before!.seq >= (await reader.span()).last) return false
    return transaction(async (query) => {
      const [counted] = await query<{ seq: number }>(`${find} FOR UPDATE ${locking}`, tenant)
      if (!counted) return false
      const { first, last } = await reader.span(query)
      const from = Math.max(first, counted.seq + 1)
      const to = Math.min(last, from + blockSize - 1)
      if (from > to) return false
      const entries = (await reader.select({ first: from, last: to }, query)).map(toEntry)
      const open = await readOpen(query, [...new Set(entries.map(({ record }) => record.callId))])
      const known = new Set(open.keys())
      const tally = createTally()
      for (const entry of entries) tally.add(entry, followEntry(entry, open))
      await storeOpen(query, open, known)
      await storeCounts(query, tally)
      await query('UPDATE ledger_counted SET seq = $2 WHERE tenant = $1', tenant, to)
      return to < last
    })
  }

  async function readOpen(query: Query, callIds: readonly string[]): Promise<Map<string, OpenCall>> {
    const find = `SELECT call_id AS id, first, waited_ms AS "waitedMs", has_failed AS "hasFailed" FROM ledger_open WHERE tenant = $1 AND call_id = ANY($2::text[])`
    const rows = await query<OpenCall & { id: string }>(find, tenant, callIds)
    return new Map(rows.map(({ id, first, waitedMs, hasFailed }) => [id, { first, waitedMs, hasFailed }]))
  }

  async function storeOpen(query: Query, open: ReadonlyMap<string, OpenCall>, known: ReadonlySet<string>) {
    const ended = [...known].filter((id) => !open.has(id))
    await query('DELETE FROM ledger_open WHERE tenant = $1 AND call_id = ANY($2::text[])', tenant, ended)
    const calls = [...open.values()]
    await query(
      keepOpen,
      ...[tenant, [...open.keys()], calls.map(({ first }) => `${first}`)],
      calls.map(({ waitedMs }) => `${waitedMs}`),
      calls.map(({ hasFailed }) => `${hasFailed}`),
    )
  }

  async function storeCounts(query: Query, { spans, tools }: Tally) {
    let newest = 0
    for (const { spanMs } of countSpans)
      for (const counted of spans(spanMs)) {
        await addSpan(query, spanMs, counted)
        newest = Math.max(newest, counted.start)
      }
    // A clock that was wrong once must not delete everything.
    const now = Math.min(newest, Date.now())
    for (const { spanMs, keptMs } of countSpans)
      await query(
        'DELETE FROM ledger_spans WHERE tenant = $1 AND span = $2 AND start < $3',
        tenant,
        spanMs,
        now - keptMs,
      )
    for (const [tool, { calls, failed, refused, since, callers }] of tools) {
      await query(addTool, tenant, tool, calls, failed, refused, since)
      for (const [caller, count] of callers) await query(addCaller, tenant, tool, caller, count)
    }
  }

  async function addSpan(query: Query, spanMs: number, { start, tool, state, code, ...counts }: Counted) {
    const key = [tenant, spanMs, start, tool, state, code] as const
    const [known] = await query<SpanRow>(findSpanRow, ...key)
    const durations = known ? JSON.parse(known.durations) : {}
    addHistogram(durations, counts.durations)
    await query(keepSpan, ...key, counts.count, counts.violations, JSON.stringify(durations))
  }

  async function stats(wanted: StatsQuery): Promise<LedgerStats> {
    await countAll()
    const buckets = toBuckets(wanted)
    const rows = await query<SpanRow>(findSpans, tenant, findSpan(buckets), buckets.from, buckets.to)
    return toStats(
      rows.map((row) => ({ ...row, durations: JSON.parse(row.durations) })),
      buckets,
    )
  }

  async function totals(tool?: string): Promise<ToolTotals[]> {
    await countAll()
    const ofTool = 'WHERE tenant = $1 AND ($2::text IS NULL OR tool = $2)'
    const tools = new Map<string, CountedTool>()
    const find = `SELECT tool, calls, failed, refused, since FROM ledger_tools ${ofTool}`
    for (const { tool: name, ...total } of await query<CountedTool & { tool: string }>(find, tenant, tool ?? null))
      tools.set(name, { ...total, callers: new Map() })
    const findCallers = `SELECT tool, caller, calls FROM ledger_callers ${ofTool}`
    type Row = { tool: string; caller: string; calls: number }
    for (const { tool: name, caller, calls } of await query<Row>(findCallers, tenant, tool ?? null))
      tools.get(name)?.callers.set(caller, calls)
    return toTotals(tools)
  }

  return { countAll, countSome, stats, totals }
}

type SpanRow = Omit<Counted, 'durations'> & { readonly durations: string }

const keepOpen = `
  INSERT INTO ledger_open SELECT $1, call.id, call.first::bigint, call.waited::float8, call.failed::boolean
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS call (id, first, waited, failed)
  ON CONFLICT (tenant, call_id) DO UPDATE SET
  first = excluded.first, waited_ms = excluded.waited_ms, has_failed = excluded.has_failed
`
const findSpanRow = `
  SELECT durations FROM ledger_spans
  WHERE tenant = $1 AND span = $2 AND start = $3 AND tool = $4 AND state = $5 AND code = $6
`
const keepSpan = `
  INSERT INTO ledger_spans AS own VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (tenant, span, start, tool, state, code) DO UPDATE SET
  count = own.count + excluded.count, violations = own.violations + excluded.violations, durations = excluded.durations
`
const findSpans = `
  SELECT start, tool, state, code, count, violations, durations FROM ledger_spans
  WHERE tenant = $1 AND span = $2 AND start >= $3 AND start < $4
`
const addTool = `
  INSERT INTO ledger_tools AS own VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, tool) DO UPDATE SET
  calls = own.calls + excluded.calls, failed = own.failed + excluded.failed, refused = own.refused + excluded.refused,
  since = least(own.since, excluded.since)
`
const addCaller = `
  INSERT INTO ledger_callers AS own VALUES ($1, $2, $3, $4) ON CONFLICT (tenant, tool, caller) DO UPDATE SET
  calls = own.calls + excluded.calls
`
