import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ToolpactError, toClosedError } from '../../../contract/toolpact-error.ts'
import { type ChainPlace, toChainStart } from '../ledger-chain.ts'
import type { LedgerRecord } from '../storage.ts'
import type { Connection } from './connection.ts'
import { appendToChain, type Chain, follow, type NewEntry } from './ledger-chains.ts'
import type { OutageJournal } from './outage-journal.ts'

const maxBatch = 500
const maxBatchCharacters = 4_194_304
/** Between two attempts after the connection was lost. */
const retryMs = 100
/** How long an append waits for Postgres to come back, such as after a restart. Later ones fail at once until it is back. */
const patienceMs = 3000

interface Waiting extends NewEntry {
  readonly durable: boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface LedgerWriter {
  append(record: LedgerRecord, options: { readonly durable: boolean }): Promise<void>
  /** Waits for pending appends, rejects new ones, and closes the chain. */
  end(): Promise<void>
}

interface WriterOptions {
  readonly report: (message: string) => void
  readonly onAppend: () => void
  /** Takes records that need not be durable while Postgres is unavailable. */
  readonly journal?: OutageJournal | undefined
}

/**
 * Appends to a chain of this process alone, so replicas never wait for each other. Records that arrive while a commit is in
 * flight share the next one. Every commit is durable.
 *
 * Invariants: an acknowledged record is in the chain exactly once, and records keep their order. It is hard because the answer
 * to a commit can be lost: the head of the chain, which each commit moves only from where this process left it, shows
 * whether it took effect. A chain that another process closed takes nothing more; this process then begins a new one.
 */
export function openLedgerWriter(
  { tenant, query }: Connection,
  { report, onAppend, journal }: WriterOptions,
): LedgerWriter {
  let chain: Chain | undefined
  const waiting: Waiting[] = []
  let sending: Promise<void> | undefined
  let isFailing = false
  let isEnded = false

  async function append(record: LedgerRecord, { durable }: { readonly durable: boolean }): Promise<void> {
    if (isEnded) throw toClosedError()
    const text = JSON.stringify(record)
    return new Promise<void>((resolve, reject) => {
      waiting.push({ record, text, durable, resolve, reject })
      sending ??= send()
    })
  }

  async function send() {
    // After all runnable calls ran, so that concurrent calls share one commit.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = takeBatch()
      if (journal?.isActive()) {
        keep(batch, journal.cause())
        continue
      }
      try {
        await commit(batch)
        isFailing = false
        for (const { resolve } of batch) resolve()
        onAppend()
      } catch (error) {
        isFailing = true
        keep(batch, error, chain?.writer)
      }
    }
    sending = undefined
  }

  /** What may be kept in the journal is acknowledged once it is there. The rest fails. */
  function keep(batch: readonly Waiting[], cause: unknown, tried?: string) {
    const kept = journal && isOutage(cause) ? batch.filter(({ durable }) => !durable) : []
    const lost = batch.filter((entry) => !kept.includes(entry))
    for (const { reject } of lost) reject(cause)
    if (kept.length === 0) return
    try {
      journal!.keep(kept.map(({ record }) => record), cause, tried) // biome-ignore format: one line
      for (const { resolve } of kept) resolve()
    } catch (error) {
      for (const { reject } of kept) reject(error)
    }
  }

  function takeBatch(): Waiting[] {
    let characters = 0
    let count = 0
    while (count < waiting.length && count < maxBatch) {
      characters += waiting[count]!.text.length
      if (count > 0 && characters > maxBatchCharacters) break
      count += 1
    }
    return waiting.splice(0, count)
  }

  async function commit(batch: readonly Waiting[]) {
    const until = performance.now() + (isFailing ? 0 : patienceMs)
    /** The end of the chain if an attempt, whose answer was lost, took effect. */
    let unsure: ChainPlace | undefined
    for (;;) {
      try {
        if (chain && unsure && (await findEnd(chain, unsure))) return
        unsure = undefined
        chain ??= await begin()
        const followed = follow(chain, batch)
        unsure = followed.end
        const appended = await appendToChain({ tenant, query }, chain, batch, followed)
        if (appended) {
          chain = appended
          return
        }
        if (await findEnd(chain, followed.end)) return
        unsure = undefined
      } catch (error) {
        if (!isLost(error) || performance.now() > until) throw error
        await sleep(retryMs)
      }
    }
  }

  /**
   * Whether the chain ends where an attempt would have moved it. Otherwise continues from its real end, or with a new chain if
   * this one was closed, or lost what this process has written.
   */
  async function findEnd({ writer, seq }: Chain, expected: ChainPlace): Promise<boolean> {
    type Row = { n: number; hash: string; closed: boolean }
    const find = 'SELECT n, hash, is_closed AS closed FROM ledger_writers WHERE tenant = $1 AND writer = $2'
    const [row] = await query<Row>(find, tenant, writer)
    const isLostTail = !row || row.n < seq
    if (isLostTail)
      report(`The database lost entries of the ledger: the chain ${writer} ended with entry ${seq}, and now ends with ${row?.n ?? 0}. Was it restored from a backup?`) // biome-ignore format: one line
    chain = isLostTail || row.closed ? undefined : { writer, seq: row.n, hash: row.hash }
    return row !== undefined && row.n === expected.seq && row.hash === expected.hash
  }

  async function begin(): Promise<Chain> {
    const writer = `${new Date().toISOString().slice(0, 19)}-${randomUUID()}`
    const start = { writer, seq: 0, hash: toChainStart(writer) }
    const insert = 'INSERT INTO ledger_writers (tenant, writer, n, hash) VALUES ($1, $2, 0, $3)'
    await query(insert, tenant, writer, start.hash)
    return start
  }

  return {
    append,
    async end() {
      isEnded = true
      await sending
      if (!chain) return
      const close = 'UPDATE ledger_writers SET is_closed = true WHERE tenant = $1 AND writer = $2'
      await query(close, tenant, chain.writer).catch(() => {})
    },
  }
}

/** Whether Postgres cannot store anything. What it rejects for another reason it would reject later too. */
function isOutage(error: unknown): boolean {
  if ((error as ToolpactError).code !== 'storage_unavailable') return false
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return typeof code !== 'string' || code.length !== 5 || /^(?:08|25006|53|57|58)/.test(code)
}

/** Whether the connection failed, so that the same statement may work on the next one. */
function isLost(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && (code.length !== 5 || /^(?:08|57P)/.test(code))
}
