import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { CallsQuery, LedgerQuery } from '../storage.ts'
import { blocksWithId, groupSize, idLength, lastGrouped } from './ledger-groups.ts'

/**
 * The index of the ledger: one row per block of entries, with their lookup keys. An index by call id made appends four times
 * slower, since ids are random and each touches another page; a block row is written once, in order, after callers were
 * answered. A lookup scans the blocks, for an id only the newest ones (`ledger-groups.ts`), then only entries of blocks that may
 * match. Derived data, not part of the chain.
 */
type Sql = (text: string) => StatementSync

/** A range of entries, inclusive. */
export interface Range {
  readonly first: number
  readonly last: number
}

export const blockSize = 512

/** Whether a complete block is not indexed yet. */
export function hasUnindexed(sql: Sql): boolean {
  const { seq } = sql('SELECT seq FROM head WHERE id = 1').get() ?? { seq: 0 }
  return (seq as number) - lastIndexed(sql) >= blockSize
}

/** Whether enough blocks for a group are not in one yet. */
export function hasUngrouped(sql: Sql): boolean {
  const archived = sql('SELECT seq FROM ledger_origin').get()!.seq as number
  return lastIndexed(sql) - Math.max(lastGrouped(sql), archived) >= groupSize * blockSize
}

/** Ranges that may contain matches, oldest first: indexed blocks, and the entries after them. */
export function findRanges(
  sql: Sql,
  { afterSeq = 0, tool, callId, callIdPrefix, since }: LedgerQuery,
  { hasGroups }: { hasGroups: boolean },
): Range[] {
  const indexed = lastIndexed(sql)
  const end = { first: Math.max(afterSeq, indexed) + 1, last: Number.MAX_SAFE_INTEGER }
  if (afterSeq >= indexed) return [end]
  const id = (callId ?? callIdPrefix)?.slice(0, idLength) || undefined
  const from = id !== undefined && hasGroups ? blocksWithId : 'ledger_blocks'
  const ofGroups = id !== undefined && hasGroups ? [id, `${id}\u{10ffff}`, lastGrouped(sql), `\n${id}`] : []
  const wanted: { where: string; value: SQLInputValue | undefined }[] = [
    { where: 'last > ?', value: afterSeq },
    { where: 'instr(tools, ?) > 0', value: toKey(tool) },
    { where: 'instr(ids, ?) > 0', value: hasGroups ? undefined : id && `\n${id}` },
    { where: 'max_at >= ?', value: since?.toISOString() },
  ]
  const used = wanted.filter(({ value }) => value !== undefined)
  const where = used.map(({ where }) => where).join(' AND ')
  const blocks = sql(`SELECT max(first, ?) AS first, last FROM ${from} WHERE ${where} ORDER BY first`)
  return [...(blocks.all(afterSeq + 1, ...ofGroups, ...used.map(({ value }) => value!)) as unknown as Range[]), end]
}

interface BlockOptions {
  readonly limit: number
  /** Whether the blocks of each tool are known. */
  readonly hasTools: boolean
  /** Positions of the first entries of calls that ended in entries that are not indexed yet. */
  readonly ended: readonly number[]
}

/** Indexed blocks with calls that may match, newest first. Blocks that begin at `before` or later are left out. */
export function findBlocks(
  sql: Sql,
  query: CallsQuery & { before: number },
  { limit, ended, hasTools }: BlockOptions,
): Range[] {
  const { tool, caller, outcome, since, until, before } = query
  const isEnd = outcome !== undefined && outcome !== 'interrupted'
  const wanted: Condition[] = [
    { where: 'instr(callers, ?) > 0', values: [toKey(caller)] },
    { where: 'max_at >= ?', values: [since?.toISOString()] },
    { where: 'min_at < ?', values: [until?.toISOString()] },
    {
      where: `(instr(outcomes, ?) > 0 OR ${hasEnded})`,
      values: isEnd ? [toKey(outcome), JSON.stringify(ended)] : [undefined],
    },
    { where: `(${hasOpen} AND ?)`, values: [outcome === 'interrupted' ? 1 : undefined] },
  ]
  const grouped = tool === undefined || !hasTools ? 0 : lastGrouped(sql)
  const newest = select('ledger_blocks AS block', [
    { where: 'first < ? AND first > ?', values: [before, grouped] },
    { where: 'instr(tools, ?) > 0', values: [toKey(tool)] },
    ...wanted,
  ])
  if (grouped === 0 || newest.length === limit) return newest
  const ofTool = { where: 'part.block < ? AND part.tool = ?', values: [Math.min(before, grouped), tool] }
  return [...newest, ...select(blocksOfTool, [ofTool, ...wanted], limit - newest.length)]

  function select(from: string, conditions: readonly Condition[], max = limit): Range[] {
    const used = conditions.filter(({ values }) => values[0] !== undefined)
    const where = used.map(({ where }) => where).join(' AND ')
    const order = from === blocksOfTool ? 'part.block' : 'first'
    const blocks = sql(`SELECT first, last FROM ${from} WHERE ${where} ORDER BY ${order} DESC LIMIT ?`)
    return blocks.all(...used.flatMap(({ values }) => values as SQLInputValue[]), max) as unknown as Range[]
  }
}

interface Condition {
  readonly where: string
  /** It is left out if the first one is undefined. */
  readonly values: readonly (SQLInputValue | undefined)[]
}

/** In groups. Reading the names in all blocks takes 3 ms per million entries. */
const blocksOfTool = 'ledger_tool_blocks AS part CROSS JOIN ledger_blocks AS block ON block.first = part.block'

const hasOpen = 'EXISTS (SELECT 1 FROM ledger_open AS call WHERE call.first BETWEEN block.first AND block.last)'
const hasEnded = 'EXISTS (SELECT 1 FROM json_each(?) WHERE value BETWEEN block.first AND block.last)'

/** Names are stored as JSON, so that one is found with its quotes. */
export function toKey(name: string | undefined): string | undefined {
  return name === undefined ? undefined : JSON.stringify(name)
}

/** Position of the last indexed entry. */
export function lastIndexed(sql: Sql): number {
  const found = sql('SELECT coalesce((SELECT max(last) FROM ledger_blocks WHERE first = (SELECT max(first) FROM ledger_blocks)), (SELECT seq FROM ledger_origin), 0) AS last').get() // biome-ignore format: one line
  return found!.last as number
}
