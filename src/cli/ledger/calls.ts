import { setTimeout as sleep } from 'node:timers/promises'
import { type CallRecord, toCalls } from '../../runtime/storage/calls.ts'
import type { Ledger, LedgerEntry, LedgerQuery } from '../../runtime/storage/storage.ts'

const pageSize = 1000
const pollMs = 250

export interface ReadCalls {
  readonly calls: CallRecord[]
  /** The last entry that was read. */
  readonly lastSeq: number
}

/** The newest calls that match, in the order in which they were begun. */
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
  /** Goes on until it is aborted. */
  readonly follow?: AbortSignal
}

/** Every call that matches, page by page, as they ended; those without an end last. */
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

/** Where only the end of a call is among the entries, its beginning is fetched. */
async function complete(ledger: Ledger, calls: readonly CallRecord[]): Promise<CallRecord[]> {
  return Promise.all(
    calls.map(async (call) => {
      if (call.caller) return call
      const [whole] = toCalls(await ledger.read({ callId: call.callId }))
      return whole ?? call
    }),
  )
}

/** Ids of calls that begin with `prefix`, up to one more than `limit`. */
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
