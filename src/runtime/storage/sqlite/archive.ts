import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { writeArchive } from '../ledger-archive.ts'
import { type ChainPlace, followChain, type StoredEntry } from '../ledger-chain.ts'
import type { ProofStore } from '../proof/proof-store.ts'
import type { ArchivedSegment, ArchiveOptions } from '../storage.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { forgetGroups } from './ledger-groups.ts'
import type { LedgerReader } from './ledger-reader.ts'
import { forgetArchived } from './open-calls.ts'
import { toStorageError } from './sqlite-error.ts'

/** Of one file. */
const maxEntries = 50_000
const pageSize = 1000
/** Entries deleted per commit, which blocks all other writes. */
const chunkSize = 2000
/** Archives down to this share of the limit, so that archiving is not needed again at once. */
const keptShare = 0.9

/**
 * Moves the oldest entries into archive files. A file is fsynced before the first of its entries is deleted, and the origin of
 * the remaining chain moves in the same commit as the deletion, so the ledger can be verified at any time.
 */
export function createArchiver(
  database: Database,
  commits: GroupCommit,
  {
    reader,
    proof,
    folder = join(database.path, '..', 'archive'),
  }: { reader: LedgerReader; proof: ProofStore; folder: string | undefined },
) {
  const { sql } = database

  async function archive(options: ArchiveOptions): Promise<ArchivedSegment[]> {
    try {
      // What is archived stays in the tree, so it must be there first.
      const { extendTree } = await import('../proof/sealer.ts')
      const { size } = await extendTree(proof)
      const last = Math.min(findLast(options), (await proof.base()) + size)
      const segments: ArchivedSegment[] = []
      for (let origin = reader.readOrigin(); origin.seq < last; origin = reader.readOrigin()) {
        const segment = await write(origin, Math.min(last, origin.seq + maxEntries)).catch((error) => {
          if (isCurrent(origin)) throw error
        })
        // Another process is archiving: let it finish.
        if (!segment || !(await remove(origin, segment))) break
        segments.push(segment)
      }
      if (segments.length > 0) reclaim(options.reclaim === 'all')
      return segments
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  function isCurrent({ seq }: Pick<ChainPlace, 'seq'>): boolean {
    return reader.readOrigin().seq === seq
  }

  /** `seq` of the last entry to archive. */
  function findLast({ before, maxBytes }: ArchiveOptions): number {
    return Math.max(
      before ? findLastBefore(before.toISOString()) : 0,
      maxBytes === undefined ? 0 : findExcess(maxBytes),
    )
  }

  /** Finds whole blocks by the index, then entries up to the first that is younger. */
  function findLastBefore(before: string): number {
    const younger = sql('SELECT first FROM ledger_blocks WHERE max_at >= ? ORDER BY first LIMIT 1').get(before)
    const indexed = sql('SELECT max(last) AS last FROM ledger_blocks WHERE first < ?').get(younger?.first ?? Number.MAX_SAFE_INTEGER) // biome-ignore format: one line
    let last = (indexed?.last as number | null) ?? reader.readOrigin().seq
    for (;;) {
      const rows = sql("SELECT seq, text ->> '$.at' AS at FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?").all(last, pageSize) // biome-ignore format: one line
      for (const { seq, at } of rows) {
        if ((at as string) >= before) return last
        last = seq as number
      }
      if (rows.length < pageSize) return last
    }
  }

  function findExcess(maxBytes: number): number {
    const used = measureLedger()
    if (used <= maxBytes) return 0
    const { seq: from } = reader.readOrigin()
    const { seq: to } = reader.readHead()
    return from + Math.ceil((to - from) * (1 - (keptShare * maxBytes) / used))
  }

  /** Subtracts the other tables: measuring a table reads all of it, and the ledger is by far the largest. */
  function measureLedger(): number {
    const read = (name: string) => sql(`PRAGMA ${name}`).get()![name] as number
    const used = (read('page_count') - read('freelist_count')) * read('page_size')
    const others = sql(
      `SELECT sum((SELECT pgsize FROM dbstat WHERE name = part.name AND aggregate = 1)) AS bytes
       FROM sqlite_schema AS part WHERE rootpage > 0 AND tbl_name NOT IN ('ledger', 'ledger_blocks', 'ledger_ids', 'ledger_tool_blocks')`,
    ).get() as { bytes: number | null }
    return used - (others.bytes ?? 0)
  }

  async function write(origin: ReturnType<typeof reader.readOrigin>, last: number): Promise<ArchivedSegment> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { ledger = '', ...after } = origin
    const toName = (seq: number) => String(seq).padStart(12, '0')
    const path = join(folder, `ledger-${toName(origin.seq + 1)}-${toName(last)}.jsonl.gz`)
    let end: ChainPlace = after
    await writeArchive(path, { version: 1, ledger, after, pages: readPages() })
    return { first: origin.seq + 1, last, hash: end.hash, file: path, archivedAt: new Date().toISOString() }

    /** A broken chain is not archived: the ledger stays as it is, for a person to investigate. */
    function* readPages(): Generator<StoredEntry[]> {
      while (end.seq < last) {
        const select = sql('SELECT seq, text, hash FROM ledger WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?')
        const page = select.all(end.seq, last, pageSize) as unknown as StoredEntry[]
        const reached = followChain(end, page)
        if ('intact' in reached || page.length === 0)
          throw new ToolpactError(
            'storage_unavailable',
            'The ledger is broken, so nothing was archived. Run toolpact ledger --verify.',
          )
        end = reached
        yield page
      }
    }
  }

  /** False if another process archived in the meantime. */
  async function remove(
    origin: ChainPlace,
    { first, last, hash, file, archivedAt }: ArchivedSegment,
  ): Promise<boolean> {
    let from = origin.seq
    while (from < last) {
      const to = Math.min(from + chunkSize, last)
      const batch = commits.next()
      batch.durable = true
      const isOurs = await batch.add(() => {
        if (!isCurrent({ seq: from })) return false
        if (from === origin.seq)
          sql('INSERT OR REPLACE INTO ledger_archives VALUES (?, ?, ?, ?, ?)').run(first, last, hash, file, archivedAt)
        sql('UPDATE ledger_origin SET seq = ?1, hash = (SELECT hash FROM ledger WHERE seq = ?1) WHERE id = 1').run(to)
        sql('DELETE FROM ledger WHERE seq <= ?').run(to)
        sql('DELETE FROM ledger_blocks WHERE last <= ?').run(to)
        forgetGroups(sql, to)
        forgetArchived(sql, to)
        return true
      })
      if (!isOurs) return false
      from = to
      await new Promise(setImmediate)
    }
    return true
  }

  /** A state from before archives returns space only by a full VACUUM, which blocks all processes, so only on request. */
  function reclaim(isAll: boolean) {
    if (sql('PRAGMA auto_vacuum').get()!.auto_vacuum === incremental) sql('PRAGMA incremental_vacuum').all()
    else if (isAll) {
      sql(`PRAGMA auto_vacuum = ${incremental}`).run()
      sql('VACUUM').run()
    }
    database.truncateLog()
  }

  return { archive }
}

const incremental = 2
