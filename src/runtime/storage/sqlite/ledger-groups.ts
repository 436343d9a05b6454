import type { StatementSync } from 'node:sqlite'

/**
 * Call ids of many blocks, sorted, so that a lookup takes one seek per group instead of reading the ids of every block. A group is
 * written once, in order: one index over all ids would touch a random page for each.
 */
type Sql = (text: string) => StatementSync

/** Blocks per group. Making a group blocks everything else for about 10 ms. */
export const groupSize = 32
/** Call ids are indexed by their first characters, which also serves prefix lookups. */
export const idLength = 8

/** Moves the ids of the next blocks into a group. Must run within a transaction. Returns whether there were enough blocks. */
export function groupBlocks(sql: Sql): boolean {
  const find = sql('SELECT first, last, ids FROM ledger_blocks WHERE first > ? ORDER BY first LIMIT ?')
  const blocks = find.all(lastGrouped(sql), groupSize) as unknown as { first: number; last: number; ids: string }[]
  if (blocks.length < groupSize) return false
  const { first } = blocks[0]!
  const { last } = blocks.at(-1)!
  const ids = blocks.flatMap((block) => [...new Set(block.ids.slice(1).split('\n'))].map((id) => ({ id, block: block.first }))) // biome-ignore format: one line
  ids.sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : one.block - other.block))
  const insert = sql('INSERT INTO ledger_ids VALUES (?, ?, ?)')
  for (const { id, block } of ids) insert.run(first, id, block)
  sql('INSERT INTO ledger_groups VALUES (?, ?)').run(first, last)
  sql("UPDATE ledger_blocks SET ids = '' WHERE first BETWEEN ? AND ?").run(first, last)
  return true
}

/** Position of the last entry whose id is in a group. */
export function lastGrouped(sql: Sql): number {
  const find = 'SELECT last FROM ledger_groups ORDER BY first DESC LIMIT 1'
  return (sql(find).get()?.last as number | undefined) ?? 0
}

/** After archiving: groups of which nothing is left. */
export function forgetGroups(sql: Sql, last: number): void {
  sql('DELETE FROM ledger_ids WHERE grp IN (SELECT first FROM ledger_groups WHERE last <= ?)').run(last)
  sql('DELETE FROM ledger_groups WHERE last <= ?').run(last)
}

/** Blocks that may have an id from `?` on and below the next `?`; those after `?` that may have the text `?`. */
export const blocksWithId = `(
  SELECT block.* FROM ledger_groups AS own
  CROSS JOIN ledger_ids AS part ON part.grp = own.first AND part.id >= ? AND part.id < ?
  CROSS JOIN ledger_blocks AS block ON block.first = part.block
  UNION SELECT * FROM ledger_blocks WHERE first > ? AND instr(ids, ?) > 0
)`
