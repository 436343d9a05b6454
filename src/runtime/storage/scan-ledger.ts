import { type CallsPage, type CallsQuery, defaultCallsLimit } from './call-record.ts'
import { matchesCallsQuery, toFoundCalls } from './calls.ts'
import { followEntry, type OpenCall } from './follow-calls.ts'
import type { LedgerStats, StatsQuery, ToolTotals } from './ledger-stats.ts'
import type { LedgerEntry } from './storage.ts'
import { createTally } from './tally.ts'
import { toBuckets, toStats, toTotals } from './to-stats.ts'

/** Answers queries from all entries, for a ledger without an index. */
export function scanCalls(entries: readonly LedgerEntry[], query: CallsQuery): CallsPage {
  const { limit = defaultCallsLimit } = query
  const found = toFoundCalls(entries).filter((call) => matchesCallsQuery(call, query))
  const calls = found.reverse().slice(0, limit)
  return { calls, before: found.length > limit ? (calls.at(-1)?.seq ?? query.before ?? null) : null }
}

/** Computes statistics from all entries, for a ledger without an index. */
export function scanStats(entries: readonly LedgerEntry[], query: StatsQuery): LedgerStats {
  const buckets = toBuckets(query)
  return toStats(tally(entries).spans(buckets.bucketMs), buckets)
}

/** Computes the totals of each tool from all entries, for a ledger without an index. */
export function scanTotals(entries: readonly LedgerEntry[], tool?: string): ToolTotals[] {
  return toTotals(tally(entries).tools).filter((total) => tool === undefined || total.tool === tool)
}

function tally(entries: readonly LedgerEntry[]) {
  const counted = createTally()
  const open = new Map<string, OpenCall>()
  for (const entry of entries) counted.add(entry, followEntry(entry, open))
  return counted
}
