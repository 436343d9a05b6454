import { setImmediate as turn } from 'node:timers/promises'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
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
import type { Journal, JournalFile, JournalLine, OtherFile } from './journal.ts'
import { blockSize, hasUngrouped, hasUnindexed, indexBlocks, lastIndexed } from './ledger-blocks.ts'
import { groupBlocks } from './ledger-groups.ts'
import type { HeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { openSqliteProof } from './proof.ts'
import type { StateWatch } from './watch.ts'

/** Importing this many journal records takes about 1 ms, which blocks everything else. */
const maxInJournal = 128

/** A record that is not in the ledger yet. */
interface Waiting {
  readonly text: string
  readonly batch: Batch
  /** Its position in the journal; once there, it is acknowledged. */
  line?: JournalLine
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
}

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
  { journal, note, fsyncAll, report, watch }: LedgerOptions,
): { readonly ledger: Ledger; readonly proof: ProofStore } {
  const reader = createLedgerReader(database, { note })
  const proof = openSqliteProof(database, commits, { reader, importJournals: takeNew })
  const noteHead = prepareNote()
  commits.onQuiet(indexSome)
  let waiting: Waiting[] = []
  let unwritten: Unwritten[] = []
  let entered: Batch | undefined
  let kept: Promise<void>
  /** While commits fail, the journal must not grow. */
  let isFailing = false
  /** Whether journals of other processes were imported. Done once, and again by readers. */
  let hasLooked = false
  let removed: JournalFile[] = []

  async function append(record: LedgerRecord, { durable }: { durable: boolean }): Promise<void> {
    const text = JSON.stringify(record)
    const mustCommit = durable || fsyncAll || isFailing
    // Backpressure: wait if the journal is full, so that a busy loop of calls yields to others.
    const mustWait = waiting.length >= maxInJournal
    const batch = mustCommit || mustWait ? commits.next() : commits.later()
    if (durable || fsyncAll) batch.durable = true
    enter(batch)
    const entry: Waiting = { text, batch }
    waiting.push(entry)
    if (mustCommit) return kept
    const taken = kept
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
      const { file, place } = journal.write(writing.map(({ record }) => record.text))
      writing.forEach(({ record }, index) => {
        record.line = { file, place: place + index }
      })
      for (const { resolve } of writing) resolve()
    } catch {
      // If the journal fails, commit instead; that also reports the problem.
      if (!database.isTransaction) commits.next()
      for (const { resolve, reject } of writing) kept.then(resolve, reject)
    }
  }

  /** One job per batch, so that the head is read and written once for all its records. */
  function enter(batch: Batch) {
    if (batch === entered) return
    entered = batch
    let taking: Waiting[] = []
    let left: OtherFile[] = []
    let head: ChainPlace
    kept = batch.add(() => {
      writeLines()
      taking = waiting
      waiting = []
      journal.turn()
      left = hasLooked ? [] : takeOthers()
      hasLooked = true
      insert(taking)
      head = reader.readHead()
    })
    kept.then(
      () => {
        isFailing = false
        noteHead(head, batch)
        removed = [...filesOf(taking).keys()]
        for (const file of [...removed, ...left]) file.remove()
      },
      () => {
        isFailing = true
        hasLooked = false
        waiting = [...taking, ...waiting].filter((record) => record.line || record.batch !== batch)
      },
    )
  }

  /** Continues files where another process stopped importing. */
  function insert(taking: readonly Waiting[]) {
    const files = filesOf(taking)
    const taken = new Map([...files.keys()].map((file) => [file, takenOf(file)]))
    const untaken = taking.filter(({ line }) => !line || line.place >= taken.get(line.file)!)
    insertTexts(untaken.map(({ text }) => text))
    for (const [file, lines] of files) noteTaken(file, lines)
    removed.filter(({ name }) => !journal.has(name)).forEach(forget)
  }

  /** Imports the journals of other processes. Returns the files to delete after the commit. */
  function takeOthers(): OtherFile[] {
    const files = journal.others()
    for (const file of files) {
      insertTexts(file.lines.slice(takenOf(file)))
      noteTaken(file, file.lines.length, file.isLeft)
    }
    const noted = database.sql('SELECT name FROM journals WHERE is_left = 0').all() as unknown as { name: string }[]
    noted.filter(({ name }) => !journal.has(name)).forEach(forget)
    return files.filter(({ isLeft, isDamaged }) => isLeft && !isDamaged)
  }

  function takenOf({ name }: { name: string }): number {
    return (database.sql('SELECT taken FROM journals WHERE name = ?').get(name)?.taken as number | undefined) ?? 0
  }

  /** Remembered until the file is deleted; of an orphaned file for good, since its owner may resume after a suspend. */
  function noteTaken({ name }: { name: string }, taken: number, isLeft = false) {
    database.sql('INSERT OR REPLACE INTO journals VALUES (?, ?, ?)').run(name, taken, isLeft ? 1 : 0)
  }

  function forget({ name }: { name: string }) {
    database.sql('DELETE FROM journals WHERE name = ?').run(name)
  }

  function insertTexts(texts: readonly string[]) {
    if (texts.length === 0) return
    let { seq, hash } = reader.readHead()
    const insertion = database.sql('INSERT INTO ledger (seq, text, hash) VALUES (?, ?, ?)')
    for (const text of texts) {
      seq += 1
      hash = toEntryHash(hash, text)
      insertion.run(seq, text, hash)
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

  /** Runs after callers were answered. Entries that are not indexed yet are scanned instead. */
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
    return reader.verify(options)
  }

  /** After a burst of appends, so that readers find little that is not indexed. */
  async function indexAll(): Promise<void> {
    await takeAll()
    const { seq } = reader.readHead()
    while (lastIndexed(database.sql) <= seq - blockSize && indexSome()) await turn()
  }

  /** Imports all journals, so that a reader sees every acknowledged record of any process. */
  async function takeAll(): Promise<void> {
    const others = journal.others()
    if (waiting.length === 0 && others.length === 0) return
    hasLooked = false
    const batch = commits.next()
    enter(batch)
    await kept
    const damaged = others.find(({ isDamaged }) => isDamaged)
    if (damaged)
      throw new ToolpactError(
        'storage_unavailable',
        `The file ${damaged.name} beside ${database.path} was damaged: what a killed process wrote there last cannot be read. Move it away and keep it.`,
      )
  }

  /** A file that was imported and not deleted yet must not cause a commit, which would cause the next look. */
  async function takeNew(): Promise<void> {
    if (waiting.length > 0 || journal.others().some((file) => file.lines.length > takenOf(file))) await takeAll()
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
    archives: reader.archives,
    ...createArchiver(database, commits, { reader, proof }),
  }
  return { ledger, proof }
}

/** Number of lines per journal file. */
function filesOf(records: readonly Waiting[]): Map<JournalFile, number> {
  const files = new Map<JournalFile, number>()
  for (const { line } of records) if (line) files.set(line.file, line.place + 1)
  return files
}
