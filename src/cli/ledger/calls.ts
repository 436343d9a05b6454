import { setTimeout as sleep } from 'node:timers/promises'
import type { CallRecord } from '../../runtime/storage/call-record.ts'
import { toCalls } from '../../runtime/storage/calls.ts'
import type { Ledger, LedgerEntry, LedgerQuery } from '../../runtime/storage/storage.ts'
import { UsageError } from '../options/command.ts'
import { toDuration } from '../terminal/columns.ts'
import { type Part, paint } from '../terminal/terminal.ts'

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

/** A call as a row: time, id, tool, caller, outcome. */
export function toCallRow(call: CallRecord, toTime: (at: string) => string): Part[] {
  const { at, callId, tool, caller, durationMs, approval, run } = call
  return [
    paint('dim', toTime(at)),
    callId.slice(0, 8),
    tool,
    caller?.name ?? '?',
    toOutcome(call),
    durationMs === null ? '' : toDuration(durationMs),
    [run ? `step ${run.step} of ${run.id.slice(0, 8)}` : '', approval ? toAnswer(approval) : '']
      .filter(Boolean)
      .join(', '),
  ]
}

/** The answer, who gave it and through which surface. */
export function toAnswer({ answer, by, via }: NonNullable<CallRecord['approval']>): string {
  return `${answer}, by ${by}${via === undefined ? '' : ` (${via})`}`
}

export function toOutcome({ state, errorCode }: CallRecord): Part {
  switch (state) {
    case 'succeeded':
      return paint('green', 'succeeded')
    case 'interrupted':
      return paint('magenta', 'interrupted')
    case 'failed':
      return paint('red', `failed: ${errorCode}`)
    case 'refused':
      return paint('yellow', `refused: ${errorCode}`)
  }
}

/** Max ids listed if the prefix is ambiguous. */
const shown = 5

/** Resolves a prefix to an id; without a prefix, returns the newest match. */
export async function findCallId(ledger: Ledger, prefix: string | undefined, query: LedgerQuery = {}): Promise<string> {
  if (prefix === undefined) {
    const { calls } = await readCalls(ledger, query, 1)
    if (calls[0]) return calls[0].callId
    if (query.tool !== undefined) throw new UsageError(`No run of ${query.tool} is recorded yet.`)
    throw new UsageError('No call is recorded yet.', 'Make one with toolpact call.')
  }
  const found = await findCallIds(ledger, prefix.toLowerCase(), shown)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new UsageError(
      `No recorded call has an id that starts with '${prefix}'.`,
      'Run `toolpact ledger` to see the ids.',
    )
  throw new UsageError(
    `${found.length > shown ? `More than ${shown}` : found.length} calls have an id that starts with '${prefix}'.`,
    `Use a longer prefix: ${found.slice(0, shown).join(', ')}${found.length > shown ? ', …' : ''}.`,
  )
}
