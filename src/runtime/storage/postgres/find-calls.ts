import { type CallsPage, type CallsQuery, defaultCallsLimit, type FoundCall } from '../call-record.ts'
import { matchesCallsQuery, toFoundCalls } from '../calls.ts'
import { type LedgerReader, maxWindow } from './ledger-reader.ts'

/** Positions that one search looks at. Text and outcomes are compared here, and need every call of the range. */
const maxPositions = { compared: 12_288, selected: 400_000 }
const minWindow = 512
const windows = { compared: 2048, selected: maxWindow }

/**
 * Searches backwards. A call belongs where it began: the index by call finds its other entries, however late it ended. The
 * database selects by tool, caller and time.
 */
export async function findCalls(reader: LedgerReader, query: CallsQuery): Promise<CallsPage> {
  const { limit = defaultCallsLimit, before = Number.MAX_SAFE_INTEGER } = query
  const kind = query.tool === undefined && query.caller === undefined ? 'compared' : 'selected'
  const { first, last } = await reader.span()
  const found: FoundCall[] = []
  let end = Math.min(before, last + 1)
  let searched = 0
  let size = minWindow
  while (found.length < limit && end > first) {
    if (searched >= maxPositions[kind]) return { calls: found, before: end, searched }
    const range = { first: Math.max(first, end - size), last: end - 1 }
    const ids = await reader.findIds(range, query)
    const entries = ids.length === 0 ? [] : await reader.readAllOf(ids)
    const calls = toFoundCalls(entries).filter(({ seq }) => seq >= range.first && seq <= range.last)
    found.push(...calls.filter((call) => matchesCallsQuery(call, query)).reverse())
    searched += end - range.first
    end = range.first
    if (ids.length < minWindow) size = Math.min(size * 2, windows[kind])
  }
  if (found.length < limit) return { calls: found, before: null }
  const calls = found.slice(0, limit)
  const oldest = calls.at(-1)?.seq ?? before
  return { calls, before: oldest > first ? oldest : null }
}
