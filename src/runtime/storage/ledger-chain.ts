import { hash } from 'node:crypto'
import type { LedgerVerdict } from './storage.ts'

/** An entry as stored. The hash covers exactly this text, so verification does not parse or serialize it. */
export interface StoredEntry {
  readonly seq: number
  readonly text: string
  readonly hash: string
}

/** A position in the chain: number and hash of an entry. The head is the position of the newest entry. */
export interface ChainPlace {
  readonly seq: number
  readonly hash: string
}

export type ChainBreak = Extract<LedgerVerdict, { intact: false }>

/** The position before the first entry. */
export const chainStart: ChainPlace = { seq: 0, hash: '0'.repeat(64) }

/** The hash always has 64 characters, so the concatenation is unambiguous. */
export function toEntryHash(previousHash: string, text: string): string {
  return hash('sha256', previousHash + text)
}

/** Of several chains each begins with the name of its writer, so entries cannot move to another chain. */
export function toChainStart(writer: string): string {
  return toEntryHash(chainStart.hash, writer)
}

/**
 * Verifies a whole ledger. The head is stored apart from the entries, so removing the newest ones is detected too. Someone
 * who can rewrite every entry and the head can forge a chain: compare the head with one that was recorded elsewhere.
 */
export function verifyChain(entries: readonly StoredEntry[], head: ChainPlace): LedgerVerdict {
  const end = followChain(chainStart, entries)
  return 'intact' in end ? end : endChain(end, head)
}

/** Follows the chain through the next entries in `seq` order. Returns the position reached, or the first break. */
export function followChain(from: ChainPlace, entries: readonly StoredEntry[]): ChainPlace | ChainBreak {
  let place = from
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    if (entry.seq !== place.seq + 1) return toGap(place, entry)
    if (!follows(place, entry)) return toMismatch(place, entry, entries[index + 1])
    place = entry
  }
  return { seq: place.seq, hash: place.hash }
}

/** The verdict after the last entry. */
export function endChain(end: ChainPlace, head: ChainPlace): LedgerVerdict {
  if (end.seq < head.seq) {
    return broken(end.seq + 1, `Missing at the end: ${toRange(end.seq + 1, head.seq)}.`)
  }
  if (end.seq > head.seq) {
    const extra = toRange(head.seq + 1, end.seq)
    return broken(
      head.seq + 1,
      `Beyond the ledger's head there is more: ${extra}. It was added, or the head was changed.`,
    )
  }
  if (end.hash !== head.hash) {
    return broken(end.seq, `The ledger's head does not match entry ${end.seq}: one of them was changed.`)
  }
  return { intact: true, entries: end.seq, head: end.hash }
}

function follows(place: ChainPlace, entry: StoredEntry): boolean {
  return toEntryHash(place.hash, entry.text) === entry.hash
}

function toGap(place: ChainPlace, entry: StoredEntry): ChainBreak {
  if (entry.seq > place.seq) return broken(place.seq + 1, `Missing: ${toRange(place.seq + 1, entry.seq - 1)}.`)
  return broken(entry.seq, `An entry numbered ${entry.seq} stands after ${toName(place)}: it was added or moved.`)
}

/** The entry after a mismatch often shows what happened, since it was hashed over the original predecessor. */
function toMismatch(place: ChainPlace, entry: StoredEntry, next: StoredEntry | undefined): ChainBreak {
  const before = toName(place)
  if (next && follows(place, next)) {
    const reason = `Entry ${entry.seq} was added or moved: the one after it follows ${before}.`
    return broken(entry.seq, reason)
  }
  const cause = next && follows(entry, next) ? 'it was changed' : 'one of them was changed or moved'
  return broken(entry.seq, `Entry ${entry.seq} does not follow ${before}: ${cause}, or something between was removed.`)
}

function broken(brokenAtSeq: number, reason: string): ChainBreak {
  return { intact: false, fault: 'chain', entries: Math.max(brokenAtSeq - 1, 0), brokenAtSeq, reason }
}

function toName(place: ChainPlace): string {
  return place.seq === 0 ? 'the start of the ledger' : `entry ${place.seq}`
}

function toRange(first: number, last: number): string {
  return first === last ? `entry ${first}` : `entries ${first} to ${last}`
}
