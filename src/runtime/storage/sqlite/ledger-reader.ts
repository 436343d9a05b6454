import type { SQLInputValue } from 'node:sqlite'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { type ChainPlace, chainStart, endChain, followChain, type StoredEntry, toEntryHash } from '../ledger-chain.ts'
import { limitTo, matchesQuery } from '../ledger-query.ts'
import { scanCalls, scanStats, scanTotals } from '../scan-ledger.ts'
import type {
  ArchivedSegment,
  CallsPage,
  CallsQuery,
  LedgerEntry,
  LedgerHead,
  LedgerQuery,
  LedgerStats,
  LedgerVerdict,
  StatsQuery,
  ToolTotals,
} from '../storage.ts'
import type { Database } from './database.ts'
import { groupsVersion } from './later-schema.ts'
import { findRanges, type Range, toKey } from './ledger-blocks.ts'
import { type HeadNote, type Loss, type NotedHead, toLoss } from './ledger-head.ts'
import { blocksVersion, callsVersion } from './schema.ts'
import { toStorageError } from './sqlite-error.ts'

/** Entries that a verification reads between two turns of the event loop. */
const pageSize = 1000

export interface LedgerReader {
  read(query: LedgerQuery): LedgerEntry[]
  /** Including acknowledged records that are not stored yet. */
  head(): LedgerHead
  /** Stored entries that may be of `tool`; none if `text` cannot be in the input of any of them. */
  readRange(range: Range, query?: Pick<CallsQuery, 'tool' | 'text'>): LedgerEntry[]
  calls(query: CallsQuery): Promise<CallsPage>
  stats(query: StatsQuery): Promise<LedgerStats>
  totals(tool?: string): Promise<ToolTotals[]>
  verify(options?: { readonly afterSeq?: number }): Promise<LedgerVerdict>
  archives(): Promise<ArchivedSegment[]>
  /** What the ledger lost compared with the recorded head. */
  findLoss(noted: NotedHead): Loss | undefined
  /** Other processes move the head, so writers read it within each transaction. */
  readHead(): ChainPlace
  /** The last archived entry, and the id of the ledger. */
  readOrigin(): ChainPlace & { readonly ledger: string | undefined }
}

interface ReaderOptions {
  readonly note: HeadNote
  /** Acknowledged records that a read-only ledger cannot import. Shown at its end. */
  readonly pending?: () => readonly string[]
}

export function createLedgerReader(database: Database, { note, pending = () => [] }: ReaderOptions): LedgerReader {
  const { sql } = database

  function read(query: LedgerQuery): LedgerEntry[] {
    const stored = tryToUse(() => select(query)).map(toEntry)
    const texts = tryToUse(pending)
    if (texts.length === 0) return stored
    const unstored = follow(readHead(), texts).filter(({ seq, record }) => matchesQuery({ seq, ...record }, query))
    return [...limitTo([...stored, ...unstored], query)]
  }

  function readRange({ first, last }: Range, { tool, text }: Pick<CallsQuery, 'tool' | 'text'> = {}): LedgerEntry[] {
    // The caller parses what is left, which would take four times as long for all entries. A damaged one is left out.
    const where = tool === undefined ? '' : 'AND instr(text, ?) > 0'
    const values = tool === undefined ? [] : [toKey(tool)!]
    const select = sql(`SELECT seq, text, hash FROM ledger WHERE seq BETWEEN ? AND ? ${where} ORDER BY seq`)
    const rows = select.all(first, last, ...values)
    const stored = rows as unknown as StoredEntry[]
    const wanted = text?.toLowerCase()
    // The input of an agent run is not stored as one text.
    const mayContain = (entry: string) => entry.toLowerCase().includes(wanted!) || entry.includes('"step"')
    if (wanted !== undefined && !stored.some((entry) => mayContain(entry.text))) return []
    return stored.map(toEntry)
  }

  async function calls(query: CallsQuery): Promise<CallsPage> {
    return trying(async () => {
      if (database.version < callsVersion) return scanCalls(read({}), query)
      return (await import('./find-calls.ts')).findCalls(database, reader, query)
    })
  }

  async function stats(query: StatsQuery): Promise<LedgerStats> {
    return trying(async () => {
      if (database.version < callsVersion) return scanStats(read({}), query)
      return (await import('./read-stats.ts')).readStats(database, reader, query)
    })
  }

  async function totals(tool?: string): Promise<ToolTotals[]> {
    return trying(async () => {
      if (database.version < callsVersion) return scanTotals(read({}), tool)
      return (await import('./read-stats.ts')).readTotals(database, reader, tool)
    })
  }

  function head(): LedgerHead {
    const stored = tryToUse(readHead)
    const { seq, hash } = follow(stored, tryToUse(pending)).at(-1) ?? stored
    return { seq, hash }
  }

  /** Scans only ranges that may contain matches, from the requested end. */
  function select(query: LedgerQuery): StoredEntry[] {
    const { where, values } = toConditions(query)
    const order = query.last === undefined ? 'ASC' : 'DESC'
    const statement = sql(
      `SELECT seq, text, hash FROM ledger WHERE seq BETWEEN ? AND ? ${where} ORDER BY seq ${order} LIMIT ?`,
    )
    const limit = query.last ?? query.first ?? Number.POSITIVE_INFINITY
    const ranges = toRanges(query, values.length > 0)
    if (query.last !== undefined) ranges.reverse()
    const found: StoredEntry[] = []
    for (const { first, last } of ranges) {
      if (found.length >= limit) break
      // In SQLite, a negative limit means no limit.
      const left = Number.isFinite(limit) ? limit - found.length : -1
      found.push(...(statement.all(first, last, ...values, left) as unknown as StoredEntry[]))
    }
    return query.last === undefined ? found : found.reverse()
  }

  function toRanges(query: LedgerQuery, hasConditions: boolean) {
    if (hasConditions && database.version >= callsVersion)
      return findRanges(sql, query, { hasGroups: database.version >= groupsVersion })
    return [{ first: (query.afterSeq ?? 0) + 1, last: Number.MAX_SAFE_INTEGER }]
  }

  async function verify({ afterSeq = 0 }: { readonly afterSeq?: number } = {}): Promise<LedgerVerdict> {
    // Read before the entries, since the file is never ahead of them.
    const noted = note.read()
    const origin = tryToUse(readOrigin)
    const start = afterSeq > origin.seq ? tryToUse(() => readPlace(afterSeq)) : undefined
    let place: ChainPlace = start ?? origin
    let after = start?.seq ?? Number.MIN_SAFE_INTEGER
    while (true) {
      const { page, head, now } = tryToUse(() => readPage(after))
      // Another process archived entries in the meantime.
      if (now.seq !== origin.seq) return verify({ afterSeq })
      const reached = followChain(place, page)
      if ('intact' in reached) return reached
      if (page.length < pageSize) {
        const verdict = endChain(reached, head)
        if (!verdict.intact) return verdict
        const loss = noted && findLoss(noted)
        if (loss) return { intact: false, entries: verdict.entries, brokenAtSeq: head.seq + 1, ...loss }
        return origin.seq === 0 ? verdict : { ...verdict, entries: head.seq - origin.seq, archived: origin.seq }
      }
      place = reached
      after = reached.seq
      await new Promise(setImmediate)
    }
  }

  /** Reads in one transaction, so that a concurrent append does not look like an entry beyond the head. */
  function readPage(after: number) {
    sql('BEGIN').run()
    try {
      const select = sql('SELECT seq, text, hash FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?')
      const page = select.all(after, pageSize) as unknown as StoredEntry[]
      return { page, head: readHead(), now: readOrigin() }
    } finally {
      sql('ROLLBACK').run()
    }
  }

  function readPlace(seq: number): ChainPlace | undefined {
    return sql('SELECT seq, hash FROM ledger WHERE seq = ?').get(seq) as unknown as ChainPlace | undefined
  }

  function readHead(): ChainPlace {
    // Without a head, the next number collides with an older entry, so the append fails and reports the loss.
    const head = sql('SELECT seq, hash FROM head WHERE id = 1').get()
    return (head as unknown as ChainPlace | undefined) ?? chainStart
  }

  function readOrigin(): ChainPlace & { readonly ledger: string | undefined } {
    const unknown = { ...chainStart, ledger: undefined }
    if (database.version < blocksVersion) return unknown
    const origin = sql('SELECT ledger, seq, hash FROM ledger_origin WHERE id = 1').get()
    return (origin as unknown as ReturnType<typeof readOrigin> | undefined) ?? unknown
  }

  function findLoss(noted: NotedHead): Loss | undefined {
    return tryToUse(() => {
      const hash = sql('SELECT hash FROM ledger WHERE seq = ?').get(noted.seq)?.hash as string | undefined
      return toLoss(noted, { head: readHead(), origin: readOrigin(), hash, path: note.path })
    })
  }

  async function archives(): Promise<ArchivedSegment[]> {
    if (database.version < blocksVersion) return []
    const rows = sql('SELECT first, last, hash, file, archived_at AS archivedAt FROM ledger_archives ORDER BY first')
    return tryToUse(() => rows.all() as unknown as ArchivedSegment[])
  }

  function tryToUse<Result>(job: () => Result): Result {
    try {
      return job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  async function trying<Result>(job: () => Promise<Result>): Promise<Result> {
    try {
      return await job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  const reader = { read, head, readRange, calls, stats, totals, verify, archives, findLoss, readHead, readOrigin }
  return reader
}

/** The entries that pending records would become. */
function follow(head: ChainPlace, texts: readonly string[]): LedgerEntry[] {
  let { seq, hash } = head
  return texts.map((text) => {
    seq += 1
    hash = toEntryHash(hash, text)
    return toEntry({ seq, text, hash })
  })
}

function toEntry({ seq, text, hash }: StoredEntry): LedgerEntry {
  try {
    return { seq, record: JSON.parse(text), hash }
  } catch (cause) {
    throw new ToolpactError(
      'storage_unavailable',
      `Entry ${seq} of the ledger was damaged. Run toolpact ledger --verify.`,
      { cause },
    )
  }
}

function toConditions({ tool, callId, callIdPrefix, since }: LedgerQuery): { where: string; values: SQLInputValue[] } {
  const wanted = [
    { where: "text ->> '$.tool' = ?", value: tool },
    { where: "text ->> '$.callId' = ?", value: callId },
    { where: "instr(text ->> '$.callId', ?) = 1", value: callIdPrefix },
    { where: "text ->> '$.at' >= ?", value: since?.toISOString() },
  ].filter(({ value }) => value !== undefined)
  return { where: wanted.map(({ where }) => `AND ${where}`).join(' '), values: wanted.map(({ value }) => value!) }
}
