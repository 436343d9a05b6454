import type { ChainPlace } from '../ledger-chain.ts'

/** Hashes of what a thread has just imported, so that it need not read them back for the tree. */
export interface ImportedHashes {
  /** Of an entry that is inserted. */
  add(place: ChainPlace): void
  /** Those that were added are in the ledger. */
  commit(): void
  /** After a transaction that failed. */
  forget(): void
  /** Exactly `limit` after a position, which are kept no longer; undefined if some of them must be read. */
  take(seq: number, limit: number): readonly ChainPlace[] | undefined
}

/** While the tree is behind. */
const maxKept = 8192

export function keepImported(): ImportedHashes {
  /** Without gaps. */
  let kept: ChainPlace[] = []
  let committed = 0

  return {
    add(place) {
      if (kept.length === maxKept || (kept.length > 0 && kept.at(-1)!.seq !== place.seq - 1)) this.forget()
      kept.push(place)
    },
    commit() {
      committed = kept.length
    },
    forget() {
      kept = []
      committed = 0
    },
    take(seq, limit) {
      const from = kept.length === 0 ? -1 : seq + 1 - kept[0]!.seq
      if (from < 0 || from + limit > committed) return undefined
      const found = kept.slice(from, from + limit)
      kept = kept.slice(from + limit)
      committed -= from + limit
      return found
    },
  }
}
