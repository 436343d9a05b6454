import { toChainStart } from '../ledger-chain.ts'
import {
  checkpointHourMs,
  type ProofStore,
  type ProvableEntry,
  type ReceivedCheckpoint,
  recentCheckpoints,
  type StoredCheckpoint,
} from '../proof/proof-store.ts'
import { hashBytes, type Tree } from '../proof/tree.ts'
import type { Notes } from '../storage.ts'
import type { Connection, Query } from './connection.ts'
import type { LedgerReader } from './ledger-reader.ts'

/** The tree and its checkpoints. Entries of all chains enter it in the order of the ledger, so a position follows from `seq`. */
export function openPostgresProof(
  { tenant, query, transaction }: Connection,
  { reader, order, notes }: { reader: LedgerReader; order: () => Promise<void>; notes: Notes },
): ProofStore {
  async function readTree(on: Query = query, locking = ''): Promise<Tree & { base: number }> {
    const find = `SELECT base, size, frontier FROM ledger_tree WHERE tenant = $1 ${locking}`
    const [row] = await on<{ base: number; size: number; frontier: Uint8Array }>(find, tenant)
    const { base, size, frontier: bytes } = row!
    const frontier = Array.from({ length: bytes.length / hashBytes }, (_, index) => bytes.subarray(index * hashBytes, (index + 1) * hashBytes)) // biome-ignore format: one line
    return { base, size, frontier }
  }

  /** Of checkpoints beyond the recent ones only the last of every hour stays. Each new one moves at most one out. */
  async function thin(query: Query, table: 'ledger_checkpoints' | 'received_checkpoints', origin?: string) {
    const [where, values] = origin === undefined ? ['', []] : ['AND origin = $3', [origin]]
    const find = `SELECT size, at FROM ${table} WHERE tenant = $1 ${where} ORDER BY size DESC LIMIT 2 OFFSET $2`
    const [newer, oldest] = await query<StoredCheckpoint>(find, tenant, recentCheckpoints - 1, ...values)
    const toHour = ({ at }: StoredCheckpoint) => Math.floor(at / checkpointHourMs)
    if (newer && oldest && toHour(oldest) === toHour(newer))
      await query(`DELETE FROM ${table} WHERE tenant = $1 AND size = $2 ${where}`, tenant, oldest.size, ...values)
  }

  async function find(seq: number): Promise<ProvableEntry | undefined> {
    const { base } = await readTree()
    if (seq <= base) return undefined
    type Row = { writer: string; n: number; text: string; previous: string | null }
    const [row] = await query<Row>(findEntry, tenant, seq)
    if (!row) return undefined
    const previous = row.previous ?? (row.n === 1 ? toChainStart(row.writer) : undefined)
    return previous === undefined ? undefined : { seq, index: seq - base - 1, previous, text: row.text }
  }

  return {
    async ledgerId() {
      const [row] = await query<{ ledger: string }>('SELECT ledger FROM ledger_tree WHERE tenant = $1', tenant)
      return row!.ledger
    },
    async lease(holder, { now, until }) {
      return (await query(takeLease, tenant, holder, now, until)).length === 1
    },
    async tree() {
      const { size, frontier } = await readTree()
      return { size, frontier }
    },
    async next(limit) {
      await order()
      const { base, size } = await readTree()
      const first = base + size + 1
      const rows = await reader.select({ first, last: first + limit - 1 })
      // What follows a missing entry waits for the verification to report it.
      const gap = rows.findIndex(({ seq }, index) => seq !== first + index)
      return (gap === -1 ? rows : rows.slice(0, gap)).map(({ hash }) => ({ hash }))
    },
    extend: ({ from, tree, tiles }) =>
      transaction(async (query) => {
        if ((await readTree(query, 'FOR UPDATE')).size !== from) return false
        for (const { level, index, hashes } of tiles) await query(keepTile, tenant, level, index, hashes)
        const keep = 'UPDATE ledger_tree SET size = $2, frontier = $3 WHERE tenant = $1'
        await query(keep, tenant, tree.size, Buffer.concat(tree.frontier))
        return true
      }),
    async hashes(from, limit) {
      const { base, size } = await readTree()
      const { first: stored } = await reader.span()
      const first = Math.max(stored, base + from + 1)
      const rows = await reader.select({ first, last: Math.min(base + size, first + limit - 1) })
      return rows.map(({ seq, hash }) => ({ index: seq - base - 1, seq, hash }))
    },
    async tile(level, index) {
      const find = 'SELECT hashes FROM ledger_tiles WHERE tenant = $1 AND level = $2 AND tile = $3'
      const [row] = await query<{ hashes: Uint8Array }>(find, tenant, level, index)
      return row?.hashes
    },
    // Every commit is durable.
    addCheckpoint: ({ size, at, note }) =>
      transaction(async (query) => {
        await query(keepCheckpoint, tenant, size, at, note)
        await thin(query, 'ledger_checkpoints')
      }),
    checkpoints: ({ below = Number.MAX_SAFE_INTEGER, above = -1, limit }) =>
      query<StoredCheckpoint>(findCheckpoints, tenant, below, above, limit),
    received: {
      async latest(origin) {
        const [row] = await query<ReceivedCheckpoint>(findReceived, tenant, origin)
        return row
      },
      add: ({ origin, size, at, note, key, caller }) =>
        transaction(async (query) => {
          const added = await query(keepReceived, tenant, origin, size, at, note, key, caller)
          if (added.length > 0) await thin(query, 'received_checkpoints', origin)
          const same =
            'SELECT 1 FROM received_checkpoints WHERE tenant = $1 AND origin = $2 AND size = $3 AND note = $4'
          return added.length > 0 || (await query(same, tenant, origin, size, note)).length > 0
        }),
      async count(caller) {
        const count =
          'SELECT count(DISTINCT origin) AS count FROM received_checkpoints WHERE tenant = $1 AND caller = $2'
        const [row] = await query<{ count: number }>(count, tenant, caller)
        return row!.count
      },
    },
    // Replicas must sign with the same key.
    ownKey: {
      read: async () => (await notes.get(keyNote)) as string | undefined,
      keep: async (pem) => (await notes.setOnce(keyNote, pem)) as string,
    },
    find: ({ seq }) => find(seq),
    base: async () => (await readTree()).base,
  }
}

const keyNote = 'ledger.key'

/** A lease that ends long after this one would was taken by a clock that ran ahead. */
const takeLease = `
  UPDATE ledger_tree SET sealer = $2, sealing_until = $4
  WHERE tenant = $1 AND (sealer = $2 OR sealing_until <= $3 OR sealing_until > $4::float8 + 60000) RETURNING true AS taken
`
const keepTile = `
  INSERT INTO ledger_tiles VALUES ($1, $2, $3, $4) ON CONFLICT (tenant, level, tile) DO UPDATE SET hashes = excluded.hashes
`
const keepCheckpoint = `
  INSERT INTO ledger_checkpoints VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant, size) DO UPDATE SET at = excluded.at, note = excluded.note
`
const findCheckpoints = `
  SELECT size, at, note FROM ledger_checkpoints WHERE tenant = $1 AND size < $2 AND size > $3 ORDER BY size DESC LIMIT $4
`
const findReceived = `
  SELECT origin, size, at, note, key, caller FROM received_checkpoints WHERE tenant = $1 AND origin = $2
  ORDER BY size DESC LIMIT 1
`
const keepReceived = `
  INSERT INTO received_checkpoints VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING true AS added
`
const findEntry = `
  SELECT own.writer, own.n, own.text, coalesce((
    SELECT before.hash FROM ledger AS before
    WHERE before.tenant = own.tenant AND before.writer = own.writer AND before.n = own.n - 1
  ), (
    SELECT origin.hash FROM ledger_origins AS origin
    WHERE origin.tenant = own.tenant AND origin.writer = own.writer AND origin.n = own.n - 1
  )) AS previous
  FROM (SELECT * FROM ledger_runs WHERE tenant = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1) AS run
  JOIN ledger AS own ON own.tenant = run.tenant AND own.writer = run.writer AND own.month = run.month
    AND own.n = run.n + $2 - run.seq
`
