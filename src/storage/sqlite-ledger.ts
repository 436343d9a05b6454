import { canonicalJson } from '../contract/canonical-json.ts'
import type { JsonValue } from '../contract/json.ts'
import type { Batch, GroupCommit } from './group-commit.ts'
import { type ChainPlace, chainStart, endChain, followChain, type StoredEntry, toEntryHash } from './ledger-chain.ts'
import type { Database } from './sqlite-database.ts'
import { toStorageError } from './sqlite-error.ts'
import type { Ledger, LedgerEntry, LedgerQuery, LedgerRecord, LedgerVerdict } from './storage.ts'

/** How many entries a verification holds in memory, between two turns of the event loop. */
const pageSize = 1000

export function openSqliteLedger(
  database: Database,
  commits: GroupCommit,
  { fsyncAll }: { fsyncAll: boolean },
): Ledger {
  let entered: Batch | undefined
  let texts: string[] = []
  let kept: Promise<void>

  /** The appends of one batch are one job, so that the head is read and written once for all of them. */
  async function append(record: LedgerRecord, { durable }: { durable: boolean }): Promise<void> {
    const text = canonicalJson(record as unknown as JsonValue)
    const batch = commits.next()
    if (durable || fsyncAll) batch.durable = true
    if (batch !== entered) {
      entered = batch
      const members: string[] = []
      texts = members
      kept = batch.add(() => insert(members))
    }
    texts.push(text)
    return kept
  }

  function insert(texts: string[]) {
    let { seq, hash } = readHead()
    const insertion = database.sql('INSERT INTO ledger (seq, text, hash) VALUES (?, ?, ?)')
    for (const text of texts) {
      seq += 1
      hash = toEntryHash(hash, text)
      insertion.run(seq, text, hash)
    }
    database.sql('UPDATE head SET seq = ?, hash = ? WHERE id = 1').run(seq, hash)
  }

  /** Another process may have moved it on, so it is read within each transaction. */
  function readHead(): ChainPlace {
    // Without a head the next number is taken by an older entry, so the append fails and the loss shows.
    const head = database.sql('SELECT seq, hash FROM head WHERE id = 1').get()
    return (head as unknown as ChainPlace | undefined) ?? chainStart
  }

  async function read(query: LedgerQuery = {}): Promise<LedgerEntry[]> {
    const { text, values } = toSelect(query)
    const rows = tryToRead(() => database.sql(text).all(...values) as unknown as StoredEntry[])
    const entries = rows.map(toEntry)
    return query.last === undefined ? entries : entries.reverse()
  }

  async function verify(): Promise<LedgerVerdict> {
    let place = chainStart
    let after = Number.MIN_SAFE_INTEGER
    while (true) {
      const { page, head } = tryToRead(() => readPage(after))
      const reached = followChain(place, page)
      if ('intact' in reached) return reached
      if (page.length < pageSize) return endChain(reached, head)
      place = reached
      after = reached.seq
      await new Promise(setImmediate)
    }
  }

  /** Read in one transaction, so that an entry appended meanwhile does not look like one beyond the head. */
  function readPage(after: number): { page: StoredEntry[]; head: ChainPlace } {
    database.sql('BEGIN').run()
    try {
      const select = database.sql('SELECT seq, text, hash FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?')
      return { page: select.all(after, pageSize) as unknown as StoredEntry[], head: readHead() }
    } finally {
      database.sql('ROLLBACK').run()
    }
  }

  function tryToRead<Result>(job: () => Result): Result {
    try {
      return job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  return { append, read, verify }
}

function toEntry({ seq, text, hash }: StoredEntry): LedgerEntry {
  try {
    return { seq, record: JSON.parse(text), hash }
  } catch (cause) {
    throw new Error(`Entry ${seq} of the ledger was damaged. Run toolpact ledger --verify.`, { cause })
  }
}

function toSelect({ afterSeq, tool, callId, since, first, last }: LedgerQuery) {
  const wanted = [
    { where: 'seq > ?', value: afterSeq },
    { where: "text ->> '$.tool' = ?", value: tool },
    { where: "text ->> '$.callId' = ?", value: callId },
    { where: "text ->> '$.at' >= ?", value: since?.toISOString() },
  ].filter(({ value }) => value !== undefined)
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.map(({ where }) => where).join(' AND ')}`
  const order = last === undefined ? 'ASC' : 'DESC'
  return {
    text: `SELECT seq, text, hash FROM ledger ${where} ORDER BY seq ${order} LIMIT ?`,
    // A negative limit is none.
    values: [...wanted.map(({ value }) => value!), last ?? first ?? -1],
  }
}
