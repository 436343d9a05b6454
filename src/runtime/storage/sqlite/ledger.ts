import { setImmediate as turn } from 'node:timers/promises'
import { type ChainPlace, chainStart, toEntryHash } from '../ledger-chain.ts'
import type { ProofStore } from '../proof/proof-store.ts'
import type {
  CallsQuery,
  Ledger,
  LedgerEntry,
  LedgerQuery,
  LedgerRecord,
  LedgerVerdict,
  StatsQuery,
} from '../storage.ts'
import { createArchiver } from './archive.ts'
import type { Database } from './database.ts'
import type { Batch, GroupCommit } from './group-commit.ts'
import type { ImportedHashes } from './imported-hashes.ts'
import { indexBlocks, indexImports } from './index-blocks.ts'
import type { Journal, JournalFile, JournalPlace } from './journal.ts'
import { blockSize, hasUngrouped, hasUnindexed, lastIndexed } from './ledger-blocks.ts'
import { groupBlocks } from './ledger-groups.ts'
import type { HeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { openSqliteProof } from './proof.ts'
import { type OtherJournal, toNew } from './read-journals.ts'
import { type Refusal, type RefusedLines, withRefused } from './refused-lines.ts'
import type { Upkeep, UpkeepOptions } from './upkeep.ts'
import type { StateWatch } from './watch.ts'

/** Importing this many journal records takes about 1 ms, which blocks everything else. */
const maxInJournal = 128
/** As much as a thread imports in about 100 ms, and the next process after a crash. */
const maxForThread = { records: 8192, characters: 16 * 1024 ** 2 }

/** A record that is not in the ledger yet. */
interface Waiting {
  readonly text: string
  /** Undefined if the thread imports it. */
  batch?: Batch
  /** Its position in the journal; once there, it is acknowledged. */
  line?: JournalPlace
}

/** Records waiting for their journal line. */
interface Unwritten {
  readonly record: Waiting
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface LedgerOptions {
  readonly journal: Journal
  readonly note: HeadNote
  readonly fsyncAll: boolean
  readonly report: (message: string) => void
  readonly watch: StateWatch['watch']
  readonly refusedLines: RefusedLines
  readonly archiveFolder: string | undefined
  /** Of a thread: it indexes what it imports, and adds these to the tree. */
  readonly imported?: ImportedHashes
  /** Default: none. */
  readonly openUpkeep?: (events: Pick<UpkeepOptions, 'onTaken' | 'onFailed'>) => Upkeep
}

interface SqliteLedger {
  readonly ledger: Ledger & { indexAll(): Promise<void> }
  readonly proof: ProofStore
  /** Indexes what is imported. */
  indexImported(): Promise<void>
  /** How many records of a process were imported. */
  takenOf(journal: { readonly owner: string }): number
  /** Commits what is left. Resolves when its thread has ended. */
  end(): Promise<void>
}

/** Processes whose number of imported records is remembered. */
const maxOwners = 10_000
const noting = 'INSERT INTO journals VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET taken = excluded.taken'

/** Indexing a block blocks everything else for about 3 ms. */
const maxBlocksAtOnce = 4

/**
 * The SQLite ledger. A durable record is committed with fsync before it is acknowledged. Other records only have to survive a
 * crash, so they are acknowledged once they are in this process's journal, and imported with the next commit.
 *
 * Invariants: records of one process keep their order, across journal and commits; every acknowledged record is in the ledger
 * exactly once. It is hard because several processes import each other's journals, a crash may happen between any two
 * steps, and a journal must not grow while commits fail. Readers import all journals first, so they see every acknowledged record.
 */
export function openSqliteLedger(
  database: Database,
  commits: GroupCommit,
  { journal, note, fsyncAll, report, watch, refusedLines, archiveFolder, imported, openUpkeep }: LedgerOptions,
): SqliteLedger {
  const reader = createLedgerReader(database, { note })
  const proof = openSqliteProof(database, commits, { reader, importJournals: takeNew })
  const noteHead = prepareNote()
  const upkeep = openUpkeep?.({ onTaken, onFailed: importAll })
  commits.onQuiet(keepUp)
  let waiting: Waiting[] = []
  /** Of all that waits. */
  let characters = 0
  let unwritten: Unwritten[] = []
  let entered: Batch | undefined
  let kept: Promise<void>
  /** While commits fail, the journal must not grow. */
  let isFailing = false
  /** Whether journals of other processes were imported. Done once, and again by readers. */
  let hasLooked = false
  const index = imported && indexImports(database.sql)

  async function append(record: LedgerRecord, { durable }: { durable: boolean }): Promise<void> {
    const text = JSON.stringify(record)
    const mustCommit = durable || fsyncAll || isFailing || !journal.isReady()
    // Backpressure: wait if the journal is full, so that a busy loop of calls yields to others.
    const isTended = upkeep?.isActive() === true
    const mustWait = isTended ? isFull() : waiting.length >= maxInJournal
    const entry: Waiting = { text }
    if (mustCommit || !isTended) {
      entry.batch = mustCommit || mustWait ? commits.next() : commits.later()
      if (durable || fsyncAll) entry.batch.durable = true
      enter(entry.batch)
    }
    waiting.push(entry)
    characters += text.length
    if (mustCommit) return kept
    const taken = mustWait && isTended ? upkeep.catchUp() : kept
    await new Promise<void>((resolve, reject) => {
      // After all runnable calls ran, so that concurrent calls share one write.
      if (unwritten.length === 0) process.nextTick(writeLines)
      unwritten.push({ record: entry, resolve, reject })
    })
    if (mustWait) await taken.catch(() => {})
  }

  function writeLines() {
    const writing = unwritten
    unwritten = []
    if (writing.length === 0) return
    try {
      // The next commit, moments later, detects a moved database; until then the line is safe in the journal.
      const { file, number } = journal.write(writing.map(({ record }) => record.text))
      writing.forEach(({ record }, index) => {
        record.line = { file, number: number + index }
      })
      for (const { resolve } of writing) resolve()
      upkeep?.wrote(writing.length)
    } catch {
      // If the journal fails, commit instead; that also reports the problem.
      if (!database.isTransaction) {
        const batch = commits.next()
        enter(batch)
        for (const { record } of writing) record.batch = batch
      }
      for (const { resolve, reject } of writing) kept.then(resolve, reject)
    }
  }

  /** The thread imported the records before this number. */
  function onTaken(taken: number) {
    const left = waiting.filter(({ line }) => !line || line.number >= taken)
    if (left.length === waiting.length) return
    journal.turn()
    const stillNeeded = filesOf(left)
    for (const file of filesOf(waiting)) if (!stillNeeded.has(file)) file.remove()
    keepWaiting(left)
  }

  function isFull(): boolean {
    return waiting.length >= maxForThread.records || characters >= maxForThread.characters
  }

  function keepWaiting(records: Waiting[]) {
    waiting = records
    characters = records.reduce((sum, { text }) => sum + text.length, 0)
  }

  function importAll() {
    if (waiting.length > 0) enter(commits.next())
  }

  /** One job per batch, so that the head is read and written once for all its records. */
  function enter(batch: Batch) {
    if (batch === entered) return
    entered = batch
    let taking: Waiting[] = []
    let left: OtherJournal[] = []
    let head: ChainPlace
    kept = batch.add(() => {
      writeLines()
      taking = waiting
      keepWaiting([])
      journal.turn()
      left = hasLooked ? [] : takeOthers()
      hasLooked = journal.isSettled()
      insert(taking)
      head = reader.readHead()
    })
    kept.then(
      () => {
        isFailing = false
        noteHead(head, batch)
        imported?.commit()
        for (const file of [...filesOf(taking), ...left]) file.remove()
      },
      () => {
        isFailing = true
        imported?.forget()
        index?.forget()
        hasLooked = false
        journal.rewind()
        keepWaiting([...taking, ...waiting].filter((record) => record.line || record.batch !== batch))
      },
    )
  }

  /** Continues where another process stopped importing. */
  function insert(taking: readonly Waiting[]) {
    const numbers = taking.flatMap(({ line }) => (line ? [line.number] : []))
    const taken = numbers.length === 0 ? 0 : takenOf(journal)
    insertTexts(taking.filter(({ line }) => !line || line.number >= taken).map(({ text }) => text))
    if (numbers.length > 0) noteTaken(journal, numbers.at(-1)! + 1)
  }

  /** Imports the journals of other processes. Returns those to delete after the commit. */
  function takeOthers(): OtherJournal[] {
    for (;;) {
      const others = journal.others(takenOf)
      const left = others.filter(takeOther)
      if (!others.some(({ hasMore }) => hasMore)) return left
    }
  }

  /** Returns whether nothing in it is needed any more. */
  function takeOther(other: OtherJournal): boolean {
    const taken = takenOf(other)
    const records = toNew(other, taken)
    insertTexts(records.map(({ text }) => text))
    if (records.length > 0) noteTaken(other, records.at(-1)!.number + 1)
    const refusals = other.refused.length > 0 ? other.refused : findMissing(records, taken)
    const isKept = refusals.length === 0 || refusedLines.keep(other.owner, refusals)
    return other.isLeft && isKept
  }

  function takenOf({ owner }: { owner: string }): number {
    return (database.sql('SELECT taken FROM journals WHERE name = ?').get(owner)?.taken as number | undefined) ?? 0
  }

  /** Remembered after the files are gone, so that one that is put back is not imported again. */
  function noteTaken({ owner }: { owner: string }, taken: number) {
    database.sql(noting).run(owner, taken)
    database.sql('DELETE FROM journals WHERE rowid <= (SELECT max(rowid) FROM journals) - ?').run(maxOwners)
  }

  function insertTexts(texts: readonly string[]) {
    if (texts.length === 0) return
    let { seq, hash } = reader.readHead()
    const insertion = database.sql('INSERT INTO ledger (seq, text, hash) VALUES (?, ?, ?)')
    for (const text of texts) {
      seq += 1
      hash = toEntryHash(hash, text)
      insertion.run(seq, text, hash)
      imported?.add({ seq, hash })
      index?.add({ seq, text })
    }
    database.sql('UPDATE head SET seq = ?, hash = ? WHERE id = 1').run(seq, hash)
  }

  /** A head file that contradicts the ledger is left as it is, for a person to investigate. */
  function prepareNote(): (head: ChainPlace, options: { durable: boolean }) => void {
    const { ledger = '' } = reader.readOrigin()
    const noted = note.read()
    const loss = noted && reader.findLoss(noted)
    if (loss) {
      report(loss.reason)
      return () => {}
    }
    if (!noted) note.write({ ...chainStart, ledger }, { durable: true })
    return (head, options) => note.write({ ...head, ledger }, options)
  }

  /** Runs after callers were answered. */
  function keepUp(): boolean {
    if (upkeep?.isActive()) {
      upkeep.wrote(0)
      return false
    }
    const isLeft = indexSome()
    commits.checkpoint()
    return isLeft
  }

  /** Entries that are not indexed yet are scanned instead. */
  function indexSome(): boolean {
    const { sql } = database
    const isNew = hasUnindexed(sql)
    if (!isNew && !hasUngrouped(sql)) return false
    let isLeft = false
    commits.now(() => {
      const isFull = isNew && indexBlocks(sql, maxBlocksAtOnce)
      isLeft = (isFull || (hasUngrouped(sql) && groupBlocks(sql))) && (hasUnindexed(sql) || hasUngrouped(sql))
    })
    return isLeft
  }

  async function read(query: LedgerQuery = {}): Promise<LedgerEntry[]> {
    await takeAll()
    return reader.read(query)
  }

  async function verify(options?: { readonly afterSeq?: number }): Promise<LedgerVerdict> {
    await takeAll()
    return withRefused(await reader.verify(options), refusedLines, journal)
  }

  /** After a burst of appends, so that readers find little that is not indexed. */
  async function indexAll(): Promise<void> {
    await takeAll()
    await indexImported()
  }

  async function indexImported(): Promise<void> {
    const { seq } = reader.readHead()
    while (lastIndexed(database.sql) <= seq - blockSize && indexSome()) await turn()
  }

  /** Imports all journals, so that a reader sees every acknowledged record of any process. */
  async function takeAll(): Promise<void> {
    await journal.prepare()
    await upkeep?.catchUp()
    if (upkeep?.isActive()) return
    if (waiting.length === 0 && !journal.hasOthers()) return
    hasLooked = false
    const batch = commits.next()
    enter(batch)
    await kept
  }

  /** A file that was imported and not deleted yet must not cause a commit, which would cause the next look. */
  async function takeNew(): Promise<void> {
    if (waiting.length > 0 || journal.others(takenOf).some((other) => toNew(other, takenOf(other)).length > 0))
      await takeAll()
  }

  const ledger = {
    append,
    read,
    head: () => takeAll().then(reader.head),
    calls: (query: CallsQuery = {}) => indexAll().then(() => reader.calls(query)),
    stats: (query: StatsQuery) => indexAll().then(() => reader.stats(query)),
    totals: (tool?: string) => indexAll().then(() => reader.totals(tool)),
    watch: (onChange: () => unknown) => watch({ version: () => reader.readHead().seq, prepare: takeNew }, onChange),
    verify,
    indexAll,
    archives: reader.archives,
    ...createArchiver(database, commits, { reader, proof, folder: archiveFolder }),
  }
  /** The thread ends after the commit, in which both take turns: it may be ended at any time, but not while it writes. */
  async function end() {
    upkeep?.stop()
    importAll()
    commits.end()
    await upkeep?.end()
  }

  return { ledger, proof, indexImported, takenOf, end }
}

function filesOf(records: readonly Waiting[]): Set<JournalFile> {
  const files = new Set<JournalFile>()
  for (const { line } of records) if (line) files.add(line.file)
  return files
}

/** Gaps in the numbers of imported records. */
function findMissing(records: readonly { readonly number: number }[], taken: number): Refusal[] {
  let next = taken
  return records.flatMap(({ number }) => {
    const missing = number - next
    next = number + 1
    return missing > 0 ? [{ missing, before: number }] : []
  })
}
