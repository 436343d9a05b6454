import type { ProofStore } from '../proof/proof-store.ts'
import type { Ledger, LedgerVerdict, Notes } from '../storage.ts'
import { createArchiver } from './archive.ts'
import type { Connection } from './connection.ts'
import { findCalls } from './find-calls.ts'
import { createLedgerCounts } from './ledger-counts.ts'
import type { createLedgerOrder } from './ledger-order.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { openLedgerWriter } from './ledger-writer.ts'
import { findRefusedFiles } from './outage-file.ts'
import type { OutageJournal } from './outage-journal.ts'
import { openPostgresProof } from './proof.ts'
import { verifyLedger } from './verify-ledger.ts'

/** How long after an append its chain is ordered and counted, unless a reader needs it sooner. */
const upkeepMs = 1000
const watchMs = 400

interface LedgerOptions {
  readonly notes: Notes
  readonly report: (message: string) => void
  readonly order: ReturnType<typeof createLedgerOrder>
  readonly journal: OutageJournal | undefined
  readonly archiveFolder: string | undefined
  /** Where journals of outages are; undefined if there can be none. */
  readonly outageFolder: string | undefined
}

/**
 * The ledger of all replicas. Each process appends to a chain of its own; readers give every acknowledged entry its place
 * first, so all of them see the same order.
 */
export function openPostgresLedger(
  connection: Connection,
  { notes, report, journal, archiveFolder, outageFolder, order: { order, orderSome } }: LedgerOptions,
): { readonly ledger: Ledger; readonly proof: ProofStore; end(): Promise<void> } {
  const reader = createLedgerReader(connection)
  const { countAll, countSome, stats, totals } = createLedgerCounts(connection, reader)
  const proof = openPostgresProof(connection, { reader, order, notes })
  const writer = openLedgerWriter(connection, { report, onAppend: keepUp, journal })
  const watchers = new Set<() => unknown>()
  let upkeep: NodeJS.Timeout | undefined
  let watching: NodeJS.Timeout | undefined
  let seen: number | undefined
  let isLooking = false

  function keepUp() {
    upkeep ??= setTimeout(() => {
      upkeep = undefined
      // A reader reports what fails; the next append tries again.
      orderSome()
        .then(countSome)
        .catch(() => {})
    }, upkeepMs).unref()
  }

  async function look() {
    if (isLooking) return
    isLooking = true
    try {
      await order()
      const { last } = await reader.span()
      const isNew = seen !== undefined && seen !== last
      seen = last
      if (isNew) for (const onChange of watchers) onChange()
    } catch {
      // The next look tries again.
    } finally {
      isLooking = false
    }
  }

  function watch(onChange: () => unknown): () => void {
    const own = () => onChange()
    watchers.add(own)
    seen ??= 0
    watching ??= setInterval(look, watchMs).unref()
    return () => {
      watchers.delete(own)
      if (watchers.size === 0) stopWatching()
    }
  }

  function stopWatching() {
    clearInterval(watching)
    watching = undefined
    seen = undefined
  }

  /** What was refused makes an intact ledger suspect: an acknowledged record may be missing in it. */
  async function withRefused(verdict: LedgerVerdict): Promise<LedgerVerdict> {
    if (!verdict.intact || outageFolder === undefined) return verdict
    const files = findRefusedFiles(outageFolder, await proof.ledgerId())
    if (files.length === 0) return verdict
    const { entries, archived = 0 } = verdict
    const reason = `Records of calls during an outage of Postgres were changed or written by someone else, so they are not in the ledger. Read ${files.join(', ')}, find out who can write to that directory, and move ${files.length === 1 ? 'the file' : 'the files'} away once you have.`
    return { intact: false, fault: 'journal', entries, brokenAtSeq: archived + entries + 1, reason }
  }

  const ledger: Ledger = {
    append: writer.append,
    read: (query = {}) => order().then(() => reader.read(query)),
    head: () => order().then(reader.head),
    calls: (query = {}) => order().then(() => findCalls(reader, query)),
    stats: (query) => order().then(() => stats(query)),
    totals: (tool) => order().then(() => totals(tool)),
    watch,
    verify: (options) =>
      order()
        .then(() => verifyLedger(connection, options))
        .then(withRefused),
    ...createArchiver(connection, { reader, proof, folder: archiveFolder, countAll: () => order().then(countAll) }),
  }

  return {
    ledger,
    proof,
    async end() {
      watchers.clear()
      stopWatching()
      clearTimeout(upkeep)
      await writer.end()
      await journal?.end()
    },
  }
}
