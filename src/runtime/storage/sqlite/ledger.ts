import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { type ChainPlace, chainStart, toEntryHash } from '../ledger-chain.ts'
import type { Ledger, LedgerEntry, LedgerQuery, LedgerRecord, LedgerVerdict } from '../storage.ts'
import { createArchiver } from './archive.ts'
import type { Database } from './database.ts'
import type { Batch, GroupCommit } from './group-commit.ts'
import type { Journal, JournalFile, JournalLine, OtherFile } from './journal.ts'
import { hasUnindexed, indexBlock } from './ledger-blocks.ts'
import type { HeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'

/** So many records of the journal are taken in about a millisecond, for which everything else waits. */
const maxInJournal = 128

/** A record on its way into the ledger. */
interface Waiting {
  readonly text: string
  readonly batch: Batch
  /** Its place in the journal, from which on it is acknowledged. */
  line?: JournalLine
}

/** What waits for its line in the journal. */
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
}

/** Indexing a block holds everything else up for about two milliseconds. */
const maxBlocksAtOnce = 4

/**
 * What must be on disk is committed before it is acknowledged. What must survive this process alone is written to the
 * journal, and taken from there with the next commit, in its order. Whoever reads takes what others have in theirs.
 */
export function openSqliteLedger(
  database: Database,
  commits: GroupCommit,
  { journal, note, fsyncAll, report }: LedgerOptions,
): Ledger {
  const reader = createLedgerReader(database, { note })
  const noteHead = prepareNote()
  commits.onQuiet(indexBlocks)
  let waiting: Waiting[] = []
  let unwritten: Unwritten[] = []
  let entered: Batch | undefined
  let kept: Promise<void>
  /** While the ledger takes nothing, the journal must not either. */
  let isFailing = false
  /** Whether what others have left was taken. Once, and again for whoever reads. */
  let hasLooked = false
  let removed: JournalFile[] = []

  async function append(record: LedgerRecord, { durable }: { durable: boolean }): Promise<void> {
    const text = JSON.stringify(record)
    const mustCommit = durable || fsyncAll || isFailing
    // Whoever finds the journal full waits, so that a program that calls without a pause gives others a turn.
    const mustWait = waiting.length >= maxInJournal
    const batch = mustCommit || mustWait ? commits.next() : commits.later()
    if (durable || fsyncAll) batch.durable = true
    enter(batch)
    const entry: Waiting = { text, batch }
    waiting.push(entry)
    if (mustCommit) return kept
    const taken = kept
    await new Promise<void>((resolve, reject) => {
      // Once all calls that can go on have gone on: those that came together write together.
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
      // A database that was moved shows at the next commit, a moment later: until then the line waits where it is looked for.
      const { file, place } = journal.write(writing.map(({ record }) => record.text))
      writing.forEach(({ record }, index) => {
        record.line = { file, place: place + index }
      })
      for (const { resolve } of writing) resolve()
    } catch {
      // What the journal cannot keep waits for a commit instead, which also tells what is wrong.
      if (!database.isTransaction) commits.next()
      for (const { resolve, reject } of writing) kept.then(resolve, reject)
    }
  }

  /** The records of one batch are one job, so that the head is read and written once for all of them. */
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

  /** Files that another process has read meanwhile are taken from where it stopped. */
  function insert(taking: readonly Waiting[]) {
    const files = filesOf(taking)
    const taken = new Map([...files.keys()].map((file) => [file, takenOf(file)]))
    const untaken = taking.filter(({ line }) => !line || line.place >= taken.get(line.file)!)
    insertTexts(untaken.map(({ text }) => text))
    for (const [file, lines] of files) noteTaken(file, lines)
    removed.filter(({ name }) => !journal.has(name)).forEach(forget)
  }

  /** Takes what stands in the journals of others. Gives the files that are left over, for when that is committed. */
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

  /** Until the file is gone. One that was left is remembered for good: its owner may stand still, and go on one day. */
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

  /** A note that the ledger contradicts stays as it is, for a person to look into. */
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

  /** After the callers were answered. What cannot be indexed now is indexed later, and found all the same. */
  function indexBlocks(): boolean {
    if (!hasUnindexed(database.sql)) return false
    let isLeft = false
    commits.now(() => {
      for (let block = 0; block < maxBlocksAtOnce; block++) if (!indexBlock(database.sql)) return
      isLeft = hasUnindexed(database.sql)
    })
    return isLeft
  }

  async function read(query: LedgerQuery = {}): Promise<LedgerEntry[]> {
    await takeAll()
    return reader.read(query)
  }

  async function verify(): Promise<LedgerVerdict> {
    await takeAll()
    return reader.verify()
  }

  /** So that a reader sees everything that was acknowledged, by whatever process. */
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

  return { append, read, verify, archives: reader.archives, ...createArchiver(database, commits, reader) }
}

/** The files that records stand in, with the number of lines of each. */
function filesOf(records: readonly Waiting[]): Map<JournalFile, number> {
  const files = new Map<JournalFile, number>()
  for (const { line } of records) if (line) files.set(line.file, line.place + 1)
  return files
}
