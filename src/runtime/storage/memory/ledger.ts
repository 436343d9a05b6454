import { type ChainPlace, chainStart, type StoredEntry, toEntryHash, verifyChain } from '../ledger-chain.ts'
import { limitTo, matchesQuery } from '../ledger-query.ts'
import type { ProofStore } from '../proof/proof-store.ts'
import { scanCalls, scanStats, scanTotals } from '../scan-ledger.ts'
import type { Ledger, LedgerEntry, LedgerRecord } from '../storage.ts'
import { createChanges } from './changes.ts'
import { openMemoryProof } from './proof.ts'

/** The record is stored as text, so that callers cannot mutate it; these fields are for queries. */
interface IndexedEntry extends StoredEntry, Pick<LedgerRecord, 'tool' | 'callId' | 'at'> {}

export function openMemoryLedger(mustBeOpen: () => void): { readonly ledger: Ledger; readonly proof: ProofStore } {
  const entries: IndexedEntry[] = []
  const { changed, watch } = createChanges()
  let head: ChainPlace = chainStart

  function readAll(): LedgerEntry[] {
    mustBeOpen()
    return entries.map(toEntry)
  }

  const ledger: Ledger = {
    async append(record) {
      mustBeOpen()
      const { tool, callId, at } = record
      const text = JSON.stringify(record)
      head = { seq: head.seq + 1, hash: toEntryHash(head.hash, text) }
      entries.push({ ...head, text, tool, callId, at })
      changed()
    },
    async read(query = {}) {
      mustBeOpen()
      const found = entries.filter((entry) => matchesQuery(entry, query))
      return limitTo(found, query).map(toEntry)
    },
    async head() {
      mustBeOpen()
      return head
    },
    calls: async (query = {}) => scanCalls(readAll(), query),
    stats: async (query) => scanStats(readAll(), query),
    totals: async (tool) => scanTotals(readAll(), tool),
    watch,
    async verify() {
      mustBeOpen()
      return verifyChain(entries, head)
    },
    // Nothing outlives the process, so there is nothing to archive.
    archive: async () => [],
    archives: async () => [],
  }
  return { ledger, proof: openMemoryProof(entries, mustBeOpen) }
}

function toEntry({ seq, text, hash }: StoredEntry): LedgerEntry {
  return { seq, record: JSON.parse(text), hash }
}
