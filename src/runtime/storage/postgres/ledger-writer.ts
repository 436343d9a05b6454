import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { toClosedError } from '../../../contract/toolpact-error.ts'
import { type ChainPlace, chainStart, toEntryHash } from '../ledger-chain.ts'
import type { LedgerRecord } from '../storage.ts'
import { toCaller } from '../tally.ts'
import type { Connection } from './connection.ts'
import { monthNow } from './schema.ts'

const maxBatch = 500
const maxBatchCharacters = 4_194_304
/** Between two attempts after the connection was lost. */
const retryMs = 100
/** How long an append waits for Postgres to come back, such as after a restart. Later ones fail at once until it is back. */
const patienceMs = 3000

interface Waiting {
  readonly record: LedgerRecord
  readonly text: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** This process's chain. */
interface Chain extends ChainPlace {
  readonly writer: string
}

export interface LedgerWriter {
  append(record: LedgerRecord): Promise<void>
  /** Waits for pending appends, rejects new ones, and closes the chain. */
  end(): Promise<void>
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
  { report, onAppend }: { report: (message: string) => void; onAppend: () => void },
): LedgerWriter {
  let chain: Chain | undefined
  const waiting: Waiting[] = []
  let sending: Promise<void> | undefined
  let isFailing = false
  let isEnded = false

  async function append(record: LedgerRecord): Promise<void> {
    if (isEnded) throw toClosedError()
    const text = JSON.stringify(record)
    return new Promise<void>((resolve, reject) => {
      waiting.push({ record, text, resolve, reject })
      sending ??= send()
    })
  }

  async function send() {
    // After all runnable calls ran, so that concurrent calls share one commit.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        await commit(batch)
        isFailing = false
        for (const { resolve } of batch) resolve()
        onAppend()
      } catch (error) {
        isFailing = true
        for (const { reject } of batch) reject(error)
      }
    }
    sending = undefined
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
        const { end, hashes } = follow(chain, batch)
        unsure = end
        if (await insert(chain, batch, { end, hashes })) {
          chain = { ...chain, ...end }
          return
        }
        if (await findEnd(chain, end)) return
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

  async function insert(
    { writer, seq }: Chain,
    batch: readonly Waiting[],
    { end, hashes }: Followed,
  ): Promise<boolean> {
    const [row] = await query<{ added: number }>(
      insertBatch,
      ...[tenant, writer, seq, end.seq, end.hash],
      batch.map(({ record }) => record.callId),
      batch.map(({ record }) => record.tool),
      batch.map(({ record }) => toCaller(record) ?? null),
      batch.map(({ record }) => record.at),
      batch.map(({ text }) => text),
      hashes,
    )
    return row!.added > 0
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

/** The chain of each writer begins with its own name, so entries cannot move to another chain. */
export function toChainStart(writer: string): string {
  return toEntryHash(chainStart.hash, writer)
}

interface Followed {
  readonly end: ChainPlace
  readonly hashes: readonly string[]
}

function follow({ seq, hash }: ChainPlace, batch: readonly Waiting[]): Followed {
  let last = hash
  const hashes = batch.map(({ text }) => {
    last = toEntryHash(last, text)
    return last
  })
  return { end: { seq: seq + batch.length, hash: last }, hashes }
}

/** Whether the connection failed, so that the same statement may work on the next one. */
function isLost(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && (code.length !== 5 || /^(?:08|57P)/.test(code))
}

const insertBatch = `
  WITH own AS (
    UPDATE ledger_writers SET n = $4, hash = $5, seen_at = now()
    WHERE tenant = $1 AND writer = $2 AND n = $3 AND NOT is_closed RETURNING writer
  ), added AS (
    INSERT INTO ledger (tenant, writer, n, month, call_id, tool, caller, at, text, hash)
    SELECT $1, $2, $3 + entry.place, ${monthNow}, entry.call_id, entry.tool, entry.caller, entry.at, entry.text, entry.hash
    FROM own, unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
      WITH ORDINALITY AS entry (call_id, tool, caller, at, text, hash, place)
    RETURNING n
  ) SELECT count(*) AS added FROM added
`
