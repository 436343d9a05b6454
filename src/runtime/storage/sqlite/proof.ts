import { ToolpactError } from '../../../contract/toolpact-error.ts'
import type { ChainPlace } from '../ledger-chain.ts'
import {
  checkpointHourMs,
  type NewLeaf,
  type ProofStore,
  type ProvableEntry,
  type ReceivedCheckpoint,
  recentCheckpoints,
  type StoredCheckpoint,
} from '../proof/proof-store.ts'
import { hashBytes, type Tree } from '../proof/tree.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import type { ImportedHashes } from './imported-hashes.ts'
import type { LedgerReader } from './ledger-reader.ts'
import { toStorageError } from './sqlite-error.ts'

interface ProofOptions {
  readonly reader: Pick<LedgerReader, 'readOrigin'>
  /** Imports the journals of all processes. */
  readonly importJournals: () => Promise<void>
  readonly imported?: ImportedHashes
}

/** The tree and its checkpoints in SQLite. Entries have one order, so the position of an entry follows from its number. */
export function openSqliteProof(
  database: Database,
  commits: GroupCommit,
  { reader, importJournals, imported }: ProofOptions,
): ProofStore {
  const { sql } = database

  function readTree(): Tree & { base: number } {
    const row = sql('SELECT base, size, frontier FROM ledger_tree WHERE id = 1').get()!
    const bytes = row.frontier as Uint8Array
    const frontier = Array.from({ length: bytes.length / hashBytes }, (_, index) => bytes.subarray(index * hashBytes, (index + 1) * hashBytes)) // biome-ignore format: one line
    return { base: row.base as number, size: row.size as number, frontier }
  }

  function next(limit: number): readonly NewLeaf[] {
    const { base, size } = readTree()
    const rows =
      imported?.take(base + size, limit) ??
      (sql('SELECT seq, hash FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?').all(base + size, limit) as unknown as ChainPlace[]) // biome-ignore format: one line
    const broken = rows.find(({ seq }, index) => seq !== base + size + index + 1)
    if (broken)
      throw new ToolpactError(
        'storage_unavailable',
        `The ledger is broken before entry ${broken.seq}, so nothing was sealed. Run toolpact ledger --verify.`,
      )
    return rows
  }

  function find(seq: number): ProvableEntry | undefined {
    const { base } = readTree()
    const row = sql('SELECT text FROM ledger WHERE seq = ?').get(seq)
    if (!row || seq <= base) return undefined
    const origin = reader.readOrigin()
    const previous = origin.seq === seq - 1 ? origin.hash : sql('SELECT hash FROM ledger WHERE seq = ?').get(seq - 1)?.hash // biome-ignore format: one line
    if (previous === undefined) return undefined
    return { seq, index: seq - base - 1, previous: previous as string, text: row.text as string }
  }

  /** Of checkpoints beyond the recent ones only the last of every hour stays. Each new one moves at most one out. */
  function thin(table: 'ledger_checkpoints' | 'received_checkpoints', origin?: string) {
    const [where, values] = origin === undefined ? ['', []] : ['WHERE origin = ?', [origin]]
    const [newer, oldest] = sql(`SELECT rowid AS id, at FROM ${table} ${where} ORDER BY size DESC LIMIT 2 OFFSET ?`).all(...values, recentCheckpoints - 1) // biome-ignore format: one line
    const toHour = (row: typeof newer) => Math.floor((row!.at as number) / checkpointHourMs)
    if (oldest && toHour(oldest) === toHour(newer)) sql(`DELETE FROM ${table} WHERE rowid = ?`).run(oldest.id!)
  }

  return {
    ledgerId: () => trying(() => reader.readOrigin().ledger ?? ''),
    lease: (holder, { now, until }) =>
      commits.next().add(() => {
        // A lease that ends long after this one would was taken by a clock that ran ahead.
        const taken = sql(
          'UPDATE ledger_tree SET sealer = ?1, sealing_until = ?3 WHERE id = 1 AND (sealer = ?1 OR sealing_until <= ?2 OR sealing_until > ?3 + 60000)',
        ).run(holder, now, until)
        return taken.changes === 1
      }),
    tree: () =>
      trying(() => {
        const { size, frontier } = readTree()
        return { size, frontier }
      }),
    async next(limit) {
      await importJournals()
      return trying(() => next(limit))
    },
    extend: ({ from, tree, tiles }) =>
      commits.next().add(() => {
        if (readTree().size !== from) return false
        for (const { level, index, hashes } of tiles) sql('INSERT OR REPLACE INTO ledger_tiles VALUES (?, ?, ?)').run(level, index, hashes) // biome-ignore format: one line
        sql('UPDATE ledger_tree SET size = ?, frontier = ? WHERE id = 1').run(tree.size, Buffer.concat(tree.frontier))
        return true
      }),
    hashes: (from, limit) =>
      trying(() => {
        const { base, size } = readTree()
        const rows = sql('SELECT seq, hash FROM ledger WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?').all(base + from, base + size, limit) as unknown as ChainPlace[] // biome-ignore format: one line
        return rows.map(({ seq, hash }) => ({ index: seq - base - 1, seq, hash }))
      }),
    tile: (level, index) =>
      trying(() => sql('SELECT hashes FROM ledger_tiles WHERE level = ? AND tile = ?').get(level, index)?.hashes as Uint8Array | undefined), // biome-ignore format: one line
    async addCheckpoint({ size, at, note }, { durable }) {
      const batch = commits.next()
      if (durable) batch.durable = true
      await batch.add(() => {
        sql('INSERT OR REPLACE INTO ledger_checkpoints VALUES (?, ?, ?)').run(size, at, note)
        thin('ledger_checkpoints')
      })
    },
    checkpoints: ({ below = Number.MAX_SAFE_INTEGER, above = -1, limit }) =>
      trying(
        () =>
          sql('SELECT size, at, note FROM ledger_checkpoints WHERE size < ? AND size > ? ORDER BY size DESC LIMIT ?').all(below, above, limit) as unknown as StoredCheckpoint[], // biome-ignore format: one line
      ),
    received: {
      latest: (origin) =>
        trying(
          () =>
            sql('SELECT origin, size, at, note, key, caller FROM received_checkpoints WHERE origin = ? ORDER BY size DESC LIMIT 1').get(origin) as unknown as ReceivedCheckpoint | undefined, // biome-ignore format: one line
        ),
      add: ({ origin, size, at, note, key, caller }) =>
        commits.next().add(() => {
          const same = sql('SELECT note FROM received_checkpoints WHERE origin = ? AND size = ?').get(origin, size)
          if (same) return same.note === note
          sql('INSERT INTO received_checkpoints VALUES (?, ?, ?, ?, ?, ?)').run(origin, size, at, note, key, caller)
          thin('received_checkpoints', origin)
          return true
        }),
      count: (caller) =>
        trying(() => sql('SELECT count(DISTINCT origin) AS count FROM received_checkpoints WHERE caller = ?').get(caller)!.count as number), // biome-ignore format: one line
    },
    find: ({ seq }) => trying(() => find(seq)),
    base: () => trying(() => readTree().base),
  }

  async function trying<Result>(job: () => Result): Promise<Result> {
    try {
      return job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }
}
