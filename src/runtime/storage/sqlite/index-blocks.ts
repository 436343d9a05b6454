import type { StatementSync } from 'node:sqlite'
import { type CallEnd, followEntry } from '../follow-calls.ts'
import type { StoredEntry } from '../ledger-chain.ts'
import { createTally, toCaller } from '../tally.ts'
import { blockSize, lastIndexed } from './ledger-blocks.ts'
import { storeCounts } from './ledger-counts.ts'
import { idLength } from './ledger-groups.ts'
import { followIndexed } from './open-calls.ts'
import { readIndexed } from './read-indexed.ts'

/** Writes the index that `ledger-blocks.ts` describes. */
type Sql = (text: string) => StatementSync

/** Indexes and counts up to `max` complete blocks. Must run within a transaction. Returns whether there were as many. */
export function indexBlocks(sql: Sql, max: number): boolean {
  let blocks = 0
  while (blocks < max && indexBlock(sql)) blocks += 1
  return blocks === max
}

function indexBlock(sql: Sql): boolean {
  const entries = readEntries(sql, lastIndexed(sql), blockSize)
  if (entries.length < blockSize) return false
  const block = beginBlock(sql, entries[0]!.seq)
  for (const entry of entries) block.add(entry)
  block.store()
  return true
}

type IndexedEntry = Pick<StoredEntry, 'seq' | 'text'>

function readEntries(sql: Sql, after: number, limit: number): IndexedEntry[] {
  return sql('SELECT seq, text FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?').all(after, limit) as unknown as IndexedEntry[] // biome-ignore format: one line
}

/** Entries that follow each other. */
interface Block {
  readonly first: number
  /** Position of the last entry so far. */
  last(): number
  add(entry: IndexedEntry): void
  /** Must run within a transaction. */
  store(): void
}

function beginBlock(sql: Sql, first: number): Block {
  const open = followIndexed(sql)
  const tally = createTally()
  const keys = { tools: new Set<string>(), callers: new Set<string>(), outcomes: new Set<string>() }
  const late: { seq: number; first: number; ended: CallEnd | undefined }[] = []
  const ids: string[] = []
  let last = first - 1
  let [minAt, maxAt] = ['~', '']

  function add({ seq, text }: IndexedEntry) {
    last = seq
    const record = readIndexed(text)
    ids.push(record ? record.callId.slice(0, idLength) : '')
    if (!record) return
    const progress = followEntry({ seq, record }, open)
    tally.add({ seq, record }, progress)
    if (progress.first < first) late.push({ seq, first: progress.first, ended: progress.ended })
    keys.tools.add(record.tool)
    const caller = toCaller(record)
    if (caller !== undefined) keys.callers.add(caller)
    for (const outcome of toOutcomes(progress.ended)) keys.outcomes.add(outcome)
    if (record.at > maxAt) maxAt = record.at
    if (record.at < minAt) minAt = record.at
  }

  function store() {
    const [tools, callers, outcomes] = [keys.tools, keys.callers, keys.outcomes].map((set) => JSON.stringify([...set]))
    sql('INSERT INTO ledger_blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(first, last, minAt, maxAt, tools!, callers!, outcomes!, `\n${ids.join('\n')}`) // biome-ignore format: one line
    for (const { seq, first, ended } of late) {
      sql('INSERT INTO ledger_late VALUES (?, ?)').run(seq, first)
      for (const outcome of toOutcomes(ended)) sql(addOutcome).run(JSON.stringify(outcome), first)
    }
    storeCounts(sql, tally)
    open.store()
  }

  return { first, last: () => last, add, store }
}

/**
 * Indexes entries while they are imported, since reading and parsing them later takes longer, and keeping them until then leaves
 * garbage that V8 has moved to the old generation.
 */
export interface ImportIndex {
  /** Must run within the transaction that imports the entry. */
  add(entry: IndexedEntry): void
  /** After the transaction has failed. */
  forget(): void
}

export function indexImports(sql: Sql): ImportIndex {
  let block: Block | undefined
  /** What was indexed and archived when the block began. */
  let begun: string | undefined

  function begin(seq: number): Block | undefined {
    const after = lastIndexed(sql)
    // Then `indexBlocks` goes first.
    if (seq - after > blockSize) return undefined
    begun = toState(sql)
    const started = beginBlock(sql, after + 1)
    for (const entry of readEntries(sql, after, seq - after - 1)) started.add(entry)
    return started
  }

  return {
    add(entry) {
      if (block?.last() !== entry.seq - 1) block = begin(entry.seq)
      if (!block) return
      block.add(entry)
      if (block.last() - block.first < blockSize - 1) return
      // Otherwise another process was faster.
      if (toState(sql) === begun) block.store()
      block = undefined
    },
    forget() {
      block = undefined
    },
  }
}

function toState(sql: Sql): string {
  return `${lastIndexed(sql)} ${sql('SELECT seq FROM ledger_origin').get()!.seq}`
}

/** A call is looked up where it began, however late it ended. */
const addOutcome = `
  UPDATE ledger_blocks SET outcomes = outcomes || ?1
  WHERE first = (SELECT max(first) FROM ledger_blocks WHERE first <= ?2) AND instr(outcomes, ?1) = 0
`

function toOutcomes(ended: CallEnd | undefined): string[] {
  if (!ended) return []
  return ended.code === null ? [ended.state] : [ended.state, ended.code]
}
