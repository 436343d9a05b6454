import { setImmediate as turn } from 'node:timers/promises'
import { findSpan } from '../count-spans.ts'
import type { LedgerStats, StatsQuery, ToolTotals } from '../ledger-stats.ts'
import type { Counted } from '../tally.ts'
import { toBuckets, toStats, toTotals } from '../to-stats.ts'
import type { Database } from './database.ts'
import { lastIndexed } from './ledger-blocks.ts'
import { readSpans, readTools } from './ledger-counts.ts'
import type { LedgerReader } from './ledger-reader.ts'
import { followTail } from './ledger-tail.ts'

/** Spans read between two turns of the event loop. With 100 counts each, that takes about 20 ms. */
const spansAtOnce = 100

/** From the counts of indexed entries, and the entries that are not indexed yet. */
export async function readStats(database: Database, reader: LedgerReader, query: StatsQuery): Promise<LedgerStats> {
  const { sql } = database
  const buckets = toBuckets(query)
  const spanMs = findSpan(buckets)
  const counted: Counted[] = []
  const indexed = lastIndexed(sql)
  counted.push(...followTail(sql, reader.read({ afterSeq: indexed }), indexed).tally.spans(spanMs))
  for (let from = buckets.from; from < buckets.to; ) {
    const to = Math.min(from + spansAtOnce * spanMs, buckets.to)
    for (const span of readSpans(sql, spanMs, { from, to })) counted.push(span)
    from = to
    if (from < buckets.to) await turn()
  }
  // Another block was indexed and counted in the meantime.
  if (lastIndexed(sql) !== indexed) return readStats(database, reader, query)
  return toStats(counted, buckets)
}

export function readTotals({ sql }: Database, reader: LedgerReader, tool?: string): ToolTotals[] {
  const tools = readTools(sql, tool)
  const indexed = lastIndexed(sql)
  for (const [name, counted] of followTail(sql, reader.read({ afterSeq: indexed }), indexed).tally.tools) {
    if (tool !== undefined && name !== tool) continue
    const total = tools.get(name) ?? { calls: 0, failed: 0, refused: 0, since: counted.since, callers: new Map() }
    tools.set(name, total)
    total.calls += counted.calls
    total.failed += counted.failed
    total.refused += counted.refused
    if (counted.since < total.since) total.since = counted.since
    for (const [caller, calls] of counted.callers) total.callers.set(caller, (total.callers.get(caller) ?? 0) + calls)
  }
  return toTotals(tools)
}
