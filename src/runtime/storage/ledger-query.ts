import type { LedgerQuery, LedgerRecord } from './storage.ts'

/** Whether an entry matches the conditions of a query, limits aside. */
export function matchesQuery(
  { seq, tool, callId, at }: Pick<LedgerRecord, 'tool' | 'callId' | 'at'> & { readonly seq: number },
  query: LedgerQuery,
): boolean {
  return (
    seq > (query.afterSeq ?? 0) &&
    (query.tool === undefined || tool === query.tool) &&
    (query.callId === undefined || callId === query.callId) &&
    (query.callIdPrefix === undefined || callId.startsWith(query.callIdPrefix)) &&
    (query.since === undefined || at >= query.since.toISOString())
  )
}

/** Applies `first` and `last` of a query to its matches. */
export function limitTo<Entry>(entries: readonly Entry[], { first, last }: LedgerQuery): readonly Entry[] {
  if (last !== undefined) return last === 0 ? [] : entries.slice(-last)
  return first === undefined ? entries : entries.slice(0, first)
}
