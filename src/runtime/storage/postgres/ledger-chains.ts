import { type ChainPlace, toEntryHash } from '../ledger-chain.ts'
import type { LedgerRecord } from '../storage.ts'
import { toCaller } from '../tally.ts'
import type { Connection } from './connection.ts'
import { monthNow } from './schema.ts'

/** The chain of one writer, and where it ends. */
export interface Chain extends ChainPlace {
  readonly writer: string
}

/** A record, and its text as stored. */
export interface NewEntry {
  readonly record: LedgerRecord
  readonly text: string
}

/** Appends entries if the chain still ends there and is open; otherwise returns undefined. */
export async function appendToChain(
  { tenant, query }: Pick<Connection, 'tenant' | 'query'>,
  chain: Chain,
  batch: readonly NewEntry[],
  { end, hashes } = follow(chain, batch),
): Promise<Chain | undefined> {
  const { writer, seq } = chain
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
  return row!.added > 0 ? { writer, ...end } : undefined
}

interface Followed {
  readonly end: ChainPlace
  readonly hashes: readonly string[]
}

export function follow({ seq, hash }: ChainPlace, batch: readonly NewEntry[]): Followed {
  let last = hash
  const hashes = batch.map(({ text }) => {
    last = toEntryHash(last, text)
    return last
  })
  return { end: { seq: seq + batch.length, hash: last }, hashes }
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
