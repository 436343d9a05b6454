import { setTimeout as sleep } from 'node:timers/promises'
import { type CallRecord, toCalls } from '../../runtime/storage/calls.ts'
import type { Ledger, LedgerEntry, LedgerQuery } from '../../runtime/storage/storage.ts'

const pageSize = 1000
const pollMs = 250

export interface ReadCalls {
  readonly calls: CallRecord[]
  /** Sequence number of the last entry read. */
  readonly lastSeq: number
}

/** The newest matching calls, in the order they started. */
export async function readCalls(ledger: Ledger, query: LedgerQuery, limit: number): Promise<ReadCalls> {
  const entries = await readLast(ledger, query, limit)
  const calls = await complete(ledger, toCalls(entries))
  calls.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return { calls: calls.slice(-limit), lastSeq: entries.at(-1)?.seq ?? 0 }
}

/** A call has at most two entries, a run of the agent more. */
async function readLast(ledger: Ledger, query: LedgerQuery, limit: number): Promise<LedgerEntry[]> {
  for (let last = 2 * limit; ; last *= 4) {
    const entries = await ledger.read({ ...query, last })
    if (entries.length < last || new Set(entries.map(({ record }) => record.callId)).size >= limit) return entries
  }
}

interface PageOptions {
  readonly afterSeq?: number
  /** Runs until aborted. */
  readonly follow?: AbortSignal
}

/** All matching calls in the order they ended; unfinished calls last. */
export async function* readPages(
  ledger: Ledger,
  query: LedgerQuery,
  { afterSeq = 0, follow }: PageOptions = {},
): AsyncGenerator<CallRecord[]> {
  let unended: LedgerEntry[] = []
  while (!follow?.aborted) {
    const page = await ledger.read({ ...query, afterSeq, first: pageSize })
    if (page.length > 0) {
      afterSeq = page.at(-1)!.seq
      const entries = [...unended, ...page]
      const ended = toCalls(entries).filter(({ state }) => state !== 'interrupted')
      const ids = new Set(ended.map(({ callId }) => callId))
      unended = entries.filter(({ record }) => !ids.has(record.callId))
      yield await complete(ledger, ended)
    } else if (follow) {
      await sleep(pollMs, undefined, { signal: follow }).catch(() => {})
    } else break
  }
  if (!follow) yield toCalls(unended)
}

/** If the page has only the outcome of a call, fetches its intent. */
async function complete(ledger: Ledger, calls: readonly CallRecord[]): Promise<CallRecord[]> {
  return Promise.all(
    calls.map(async (call) => {
      if (call.caller) return call
      const [whole] = toCalls(await ledger.read({ callId: call.callId }))
      return whole ?? call
    }),
  )
}

/** Ids of calls with this prefix, up to `limit` plus one. */
export async function findCallIds(ledger: Ledger, prefix: string, limit: number): Promise<string[]> {
  const found = new Set<string>()
  let afterSeq = 0
  while (found.size <= limit) {
    const page = await ledger.read({ afterSeq, callIdPrefix: prefix, first: pageSize })
    for (const { record } of page) found.add(record.callId)
    if (page.length < pageSize) break
    afterSeq = page.at(-1)!.seq
  }
  return [...found].slice(0, limit + 1)
}
