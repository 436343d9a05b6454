import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { LedgerQuery } from '../storage.ts'

/**
 * The index of the ledger: one row per block of entries, with their lookup keys. An index by call id made appends four times
 * slower, since ids are random and each touches another page; a block row is written once, in order, after callers were
 * answered. A lookup scans the blocks, then only entries of blocks that may match. Derived data, not part of the chain.
 */
type Sql = (text: string) => StatementSync

/** A range of entries, inclusive. */
export interface Range {
  readonly first: number
  readonly last: number
}

const blockSize = 512
/** Call ids are indexed by their first characters, which also serves prefix lookups. */
const idLength = 8

/** Indexes the next complete block, if any. Must run within a transaction. */
export function indexBlock(sql: Sql): boolean {
  const entries = sql('SELECT seq, text FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?').all(
    lastIndexed(sql),
    blockSize,
  )
  if (entries.length < blockSize) return false
  const ids: string[] = []
  const tools = new Set<string>()
  let maxAt = ''
  for (const { text } of entries) {
    const { callId, tool, at } = readRecord(text as string)
    ids.push(`\n${`${callId}`.slice(0, idLength)}`)
    tools.add(`${tool}`)
    if (`${at}` > maxAt) maxAt = `${at}`
  }
  const { seq: first } = entries[0]!
  const { seq: last } = entries.at(-1)!
  const insert = sql('INSERT INTO ledger_blocks VALUES (?, ?, ?, ?, ?)')
  insert.run(first!, last!, ids.join(''), `\n${[...tools].join('\n')}\n`, maxAt)
  return true
}

/** Whether a complete block is not indexed yet. */
export function hasUnindexed(sql: Sql): boolean {
  const { seq } = sql('SELECT seq FROM head WHERE id = 1').get() ?? { seq: 0 }
  return (seq as number) - lastIndexed(sql) >= blockSize
}

/** Ranges that may contain matches, oldest first: indexed blocks, and the entries after them. */
export function findRanges(sql: Sql, { afterSeq = 0, tool, callId, callIdPrefix, since }: LedgerQuery): Range[] {
  const end = { first: Math.max(afterSeq, lastIndexed(sql)) + 1, last: Number.MAX_SAFE_INTEGER }
  const id = callId ?? callIdPrefix
  const wanted: { where: string; value: SQLInputValue | undefined }[] = [
    { where: 'last > ?', value: afterSeq },
    { where: 'instr(tools, ?) > 0', value: tool && `\n${tool}\n` },
    { where: 'instr(ids, ?) > 0', value: id && `\n${id.slice(0, idLength)}` },
    { where: 'max_at >= ?', value: since?.toISOString() },
  ]
  const used = wanted.filter(({ value }) => value !== undefined)
  const where = used.map(({ where }) => where).join(' AND ')
  const blocks = sql(`SELECT max(first, ?) AS first, last FROM ledger_blocks WHERE ${where} ORDER BY first`)
  return [...(blocks.all(afterSeq + 1, ...used.map(({ value }) => value!)) as unknown as Range[]), end]
}

function lastIndexed(sql: Sql): number {
  const found = sql('SELECT coalesce((SELECT max(last) FROM ledger_blocks WHERE first = (SELECT max(first) FROM ledger_blocks)), (SELECT seq FROM ledger_origin), 0) AS last').get() // biome-ignore format: one line
  return found!.last as number
}

/** Verification reports a damaged entry; it must not prevent indexing of others. */
function readRecord(text: string): { callId?: unknown; tool?: unknown; at?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
