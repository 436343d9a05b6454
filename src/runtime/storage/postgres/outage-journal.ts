import { randomBytes } from 'node:crypto'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { toChainStart } from '../ledger-chain.ts'
import type { LedgerRecord, Notes, StorageHealth } from '../storage.ts'
import type { Connection } from './connection.ts'
import { appendToChain, type Chain } from './ledger-chains.ts'
import { hasOutageFiles, type LeftFile, type OutageFile, type OutageLine, openOutageFiles } from './outage-file.ts'

/** What happens to records of calls that only read, while Postgres cannot store them. */
export interface OutageOptions {
  /** Where journals are. Those of earlier processes are merged from there. */
  readonly directory: string
  /** Whether such records are kept in a journal. */
  readonly keepsReads: boolean
  /** Waits for the disk with every record. */
  readonly fsync?: boolean
  /** Of one journal. Default: 64 MiB. */
  readonly maxBytes?: number
}

export interface OutageJournal {
  /** Whether records go to the journal now. Then nothing is appended to the ledger. */
  isActive(): boolean
  /** Keeps records that were not appended, all or none. `tried`: the chain that may contain them already. */
  keep(records: readonly LedgerRecord[], cause: unknown, tried?: string): void
  /** Why nothing is appended. */
  cause(): unknown
  /** Undefined while there is no outage. */
  status(): StorageHealth['journal']
  end(): Promise<void>
}

interface MergeOptions {
  readonly connection: Connection
  readonly order: () => Promise<void>
}

/** A process that keeps nothing still merges what an earlier one kept. */
export function needsJournal({ keepsReads, directory }: OutageOptions): boolean {
  return keepsReads || hasOutageFiles(directory)
}

const usualMaxBytes = 67_108_864
const tryEveryMs = 500
/** Files of processes that ended are looked for this often. */
const lookEvery = 20

/**
 * A journal on this machine for records of calls that only read, while Postgres is unavailable. It is merged when Postgres is
 * back, or by the next process.
 *
 * Invariants: every kept record enters the ledger exactly once; records of one process keep their order. A journal becomes a
 * chain of its own, whose head is the number of lines that were merged, so a merge can be interrupted and repeated. It is hard
 * because the last append before the outage may have taken effect although its answer was lost: its chain is closed first, so
 * that nothing in flight can change it, and what it has is left out. All entries before and after the merge are given their
 * place separately, so that the journal is between them.
 */
export async function openOutageJournal(
  options: OutageOptions & MergeOptions & { readonly notes: Notes; readonly report: (message: string) => void },
): Promise<OutageJournal> {
  const { connection, notes, directory, keepsReads, fsync = false, maxBytes = usualMaxBytes, report } = options
  const { tenant, query } = connection
  const [row] = await query<{ ledger: string }>('SELECT ledger FROM ledger_tree WHERE tenant = $1', tenant)
  const key = (await notes.setOnce('journal.key', randomBytes(32).toString('base64url'))) as string
  const files = openOutageFiles({ directory, ledgerId: row!.ledger, key, fsync })
  let active: { readonly file: OutageFile; readonly since: number; cause: unknown; isFull: boolean } | undefined
  let working: Promise<void> | undefined
  let turns = 0
  let isEnded = false

  function keep(records: readonly LedgerRecord[], cause: unknown, tried?: string) {
    if (!keepsReads) throw cause
    const lines = records.map((record) => ({ text: JSON.stringify({ ...record, journaled: true }), ...(tried !== undefined && { tried }) })) // biome-ignore format: one line
    const { message } = cause as Error
    try {
      active ??= { file: files.open(), since: Date.now(), cause, isFull: false }
      active.cause = cause
      active.isFull ||= active.file.bytes + lines.reduce((total, { text }) => total + text.length, 0) > maxBytes
      if (!active.isFull) return active.file.write(lines)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new ToolpactError('storage_unavailable', `The journal in ${directory} cannot be written (${code}), and Postgres is unavailable. ${message}`, { cause: error }) // biome-ignore format: one line
    }
    throw new ToolpactError('storage_unavailable', `The journal in ${directory} is full, and Postgres is still unavailable. ${message}`) // biome-ignore format: one line
  }

  /** Merges the own journal, if Postgres is back. New records go there until none is left. */
  async function mergeOwn() {
    if (!active) return
    const { file } = active
    file.touch()
    let merged = -1
    while (merged < file.lines.length) {
      merged = file.lines.length
      await merge(file.name, file.lines.slice(0, merged), options)
    }
    // Nothing runs in between: the next record is appended to the ledger.
    active = undefined
    file.remove()
    report(`Postgres is back: ${toCount(merged)} of calls during the outage were merged into the ledger.`)
  }

  async function mergeLeft() {
    for (const file of files.findLeft()) await mergeFile(file)
  }

  async function mergeFile(file: LeftFile) {
    await merge(file.name, file.lines, options)
    if (file.refused === 0) file.remove()
    else report(`${toCount(file.refused)} in the journal of a process that ended were changed or written by someone else, so they are not in the ledger. Find out by whom: they are in ${file.refuse()}.`) // biome-ignore format: one line
    if (file.lines.length > 0) report(`${toCount(file.lines.length)} of a process that ended during an outage of Postgres were merged into the ledger.`) // biome-ignore format: one line
  }

  function work() {
    if (isEnded) return
    working ??= (async () => {
      try {
        await mergeOwn()
        if (turns++ % lookEvery === 0) await mergeLeft()
      } catch {
        // Tried again soon. The storage reports why it fails.
      } finally {
        working = undefined
      }
    })()
  }

  work()
  const timer = setInterval(work, tryEveryMs).unref()

  return {
    isActive: () => active !== undefined,
    keep,
    cause: () => active?.cause,
    status: () => active && { since: active.since, records: active.file.lines.length, isFull: active.isFull },
    async end() {
      isEnded = true
      clearInterval(timer)
      await working
    },
  }
}

/** Can be repeated, also by several processes at once. */
async function merge(name: string, all: readonly OutageLine[], { connection, order }: MergeOptions) {
  // Entries before the outage come first.
  await order()
  const lines = await leaveOutRecorded(all, connection)
  const entries = lines.map(({ text }) => ({ text, record: JSON.parse(text) as LedgerRecord }))
  let chain = await openChain(name, connection)
  while (chain.seq < entries.length) {
    const appended = await appendToChain(connection, chain, entries.slice(chain.seq, chain.seq + maxBatch))
    chain = appended ?? (await openChain(name, connection))
  }
  const close = 'UPDATE ledger_writers SET is_closed = true WHERE tenant = $1 AND writer = $2'
  await connection.query(close, connection.tenant, name)
  // What follows comes after it.
  await order()
}

const maxBatch = 500

async function leaveOutRecorded(lines: readonly OutageLine[], { tenant, query }: Connection): Promise<OutageLine[]> {
  const tried = [...new Set(lines.flatMap(({ tried }) => tried ?? []))]
  if (tried.length === 0) return [...lines]
  const close = 'UPDATE ledger_writers SET is_closed = true WHERE tenant = $1 AND writer = ANY($2::text[])'
  await query(close, tenant, tried)
  const ids = lines.flatMap(({ text, tried }) => (tried === undefined ? [] : (JSON.parse(text) as LedgerRecord).callId))
  const find = 'SELECT text FROM ledger WHERE tenant = $1 AND writer = ANY($2::text[]) AND call_id = ANY($3::text[])'
  const recorded = new Set((await query<{ text: string }>(find, tenant, tried, ids)).map(({ text }) => text))
  return lines.filter(({ text, tried }) => tried === undefined || !recorded.has(withoutMark(text)))
}

function withoutMark(text: string): string {
  const { journaled: _, ...record } = JSON.parse(text)
  return JSON.stringify(record)
}

/** Opens it again if it was closed, such as because a merge was interrupted for long. */
async function openChain(writer: string, { tenant, query }: Connection): Promise<Chain> {
  const open = `
    INSERT INTO ledger_writers AS own (tenant, writer, n, hash) VALUES ($1, $2, 0, $3)
    ON CONFLICT (tenant, writer) DO UPDATE SET is_closed = false, is_settled = false, seen_at = now()
    RETURNING own.n AS seq, own.hash
  `
  const [row] = await query<{ seq: number; hash: string }>(open, tenant, writer, toChainStart(writer))
  return { writer, ...row! }
}

function toCount(records: number): string {
  return records === 1 ? '1 record' : `${records} records`
}
