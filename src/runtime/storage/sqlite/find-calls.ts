import { setImmediate as turn } from 'node:timers/promises'
import { type CallsPage, type CallsQuery, defaultCallsLimit, type FoundCall } from '../call-record.ts'
import { matchesCallsQuery, toFoundCalls } from '../calls.ts'
import type { LedgerEntry } from '../storage.ts'
import type { Database } from './database.ts'
import { totalsVersion } from './later-schema.ts'
import { blockSize, findBlocks, lastIndexed, type Range } from './ledger-blocks.ts'
import type { LedgerReader } from './ledger-reader.ts'
import { followTail } from './ledger-tail.ts'

/** Entries that one search reads, which takes about 60 ms. */
const maxEntries = 24 * blockSize
/** Blocks that are looked up in the index at once. */
const maxBlocks = 16
const maxTurnMs = 10

/**
 * Searches backwards, block by block, and only in blocks that may contain matches. A call is found in the block of its first
 * entry; `ledger_late` leads to its other entries. Entries that are not indexed yet are searched first, as a whole. All entries
 * of a call name its tool, so entries of other tools are not read.
 */
export async function findCalls(database: Database, reader: LedgerReader, query: CallsQuery): Promise<CallsPage> {
  const { limit = defaultCallsLimit, before = Number.MAX_SAFE_INTEGER } = query
  const { sql } = database
  const indexed = lastIndexed(sql)
  const { tool } = query
  const tail = followTail(sql, reader.read({ afterSeq: indexed, ...(tool !== undefined && { tool }) }), indexed)
  const found: FoundCall[] = take(tail.entries.filter(({ seq }) => !tail.late.has(seq)))
  const hasTools = database.version >= totalsVersion
  const options = { limit: maxBlocks, ended: [...tail.late.values()], hasTools }
  let searched = 0
  let end = Math.min(before, indexed + 1)
  let turnedAt = performance.now()
  while (found.length < limit) {
    const blocks = findBlocks(sql, { ...query, before: end }, options)
    for (const block of blocks) {
      if (found.length >= limit) break
      if (searched >= maxEntries) return { calls: found, before: end, searched }
      found.push(...take(readBlock(block)))
      searched += block.last - block.first + 1
      end = block.first
      if (performance.now() - turnedAt < maxTurnMs) continue
      await turn()
      turnedAt = performance.now()
    }
    if (blocks.length < maxBlocks) break
  }
  if (found.length < limit) return { calls: found, before: null }
  const calls = found.slice(0, limit)
  const last = calls.at(-1)?.seq ?? before
  return { calls, before: last > reader.readOrigin().seq + 1 ? last : null }

  function take(entries: readonly LedgerEntry[]): FoundCall[] {
    return toFoundCalls(entries)
      .filter((call) => matchesCallsQuery(call, query))
      .reverse()
  }

  /** The entries of all calls that begin in the block. */
  function readBlock({ first, last }: Range): LedgerEntry[] {
    const own = reader.readRange({ first, last }, query)
    if (own.length === 0) return []
    const foreign = new Set(
      sql('SELECT seq FROM ledger_late WHERE seq BETWEEN ? AND ?')
        .all(first, last)
        .map(({ seq }) => seq),
    )
    const entries = new Map(own.filter(({ seq }) => !foreign.has(seq)).map((entry) => [entry.seq, entry]))
    const later = sql('SELECT seq FROM ledger_late WHERE first BETWEEN ? AND ? ORDER BY seq').all(first, last)
    for (const { seq } of later as unknown as { seq: number }[])
      for (const entry of reader.readRange({ first: seq, last: seq })) entries.set(seq, entry)
    for (const entry of tail.entries) {
      const begun = tail.late.get(entry.seq)
      if (begun !== undefined && begun >= first && begun <= last) entries.set(entry.seq, entry)
    }
    return [...entries.values()]
  }
}
