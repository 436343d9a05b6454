import type { LedgerQuery, LedgerRecord } from './storage.ts'

/** Whether an entry is what the query looks for, apart from how many of them it wants. */
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

/** The newest or the oldest of the entries that match, as the query wants them. */
export function limitTo<Entry>(entries: readonly Entry[], { first, last }: LedgerQuery): readonly Entry[] {
  if (last !== undefined) return last === 0 ? [] : entries.slice(-last)
  return first === undefined ? entries : entries.slice(0, first)
}
