import type { StatementSync } from 'node:sqlite'
import { followEntry } from '../follow-calls.ts'
import type { LedgerEntry } from '../storage.ts'
import { createTally, type Tally } from '../tally.ts'
import { followIndexed } from './open-calls.ts'

/** The entries that are not indexed yet. */
export interface Tail {
  readonly entries: readonly LedgerEntry[]
  /** Of entries whose call began in an indexed block: the position of its first entry, by their own. */
  readonly late: ReadonlyMap<number, number>
  readonly tally: Tally
}

/** Entries after `indexed`: all, or all of a tool. */
export function followTail(
  sql: (text: string) => StatementSync,
  entries: readonly LedgerEntry[],
  indexed: number,
): Tail {
  const late = new Map<number, number>()
  const open = followIndexed(sql)
  const tally = createTally()
  for (const entry of entries) {
    const progress = followEntry(entry, open)
    tally.add(entry, progress)
    if (progress.first <= indexed) late.set(entry.seq, progress.first)
  }
  return { entries, late, tally }
}
