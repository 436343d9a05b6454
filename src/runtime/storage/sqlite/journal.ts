import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { steadyMs } from '../../../contract/steady-time.ts'
import { type FileIdentity, identify, isSameFile } from './file-identity.ts'
import type { JournalKey, JournalKeys } from './journal-key.ts'
import { createJournalReader, type JournalReader, journalPrefix, recordSeparator, removeJournal } from './read-journals.ts' // biome-ignore format: one line

/**
 * Files of records that are not in the ledger yet. A written line survives a crash of this process and costs a fraction of a
 * commit. Each line holds the records of one write, with a MAC: `NUMBER MAC RECORD<tab>RECORD`. Records of a process are
 * numbered across its files, so that no line can be added, changed, moved or taken out unnoticed.
 *
 * Invariant: every acknowledged record is imported into the ledger exactly once. The ledger notes up to which number it has
 * imported the records of each process, so a crash between the import and the deletion of a file cannot duplicate one.
 */
export interface Journal extends JournalReader {
  /** Names this process. */
  readonly owner: string
  /** Whether there is a key to write with. */
  isReady(): boolean
  /** Whether files of others were read with all there is to read them. */
  isSettled(): boolean
  /** Loads the key if it is kept elsewhere and there may be something to read with it. */
  prepare(): Promise<void>
  /** Writes all records with one system call, and returns the place of the first. Throws if they could not be written. */
  write(texts: readonly string[]): JournalPlace
  /** Starts a new file with the next line. */
  turn(): void
}

export interface JournalPlace {
  readonly file: JournalFile
  /** The first record of a process is 0. */
  readonly number: number
}

export interface JournalFile {
  /** Deletes the file after the ledger imported every record. */
  remove(): void
}

/** More than what comes before the records: the key of a MAC, this process and a number. */
const maxHead = 256
const newline = 0x0a
/** Of UTF-8, for a UTF-16 code unit. */
const maxBytesPerUnit = 3
/** Where lines are put together, one after the other; longer ones elsewhere. */
const space = Buffer.allocUnsafeSlow(64 * 1024)

/** Records reach the database within about as long, whatever happens to the file. */
const checkEveryMs = 10

export function openJournal(directory: string, keys: JournalKeys): Journal {
  const owner = randomUUID()
  const reader = createJournalReader(directory, { own: owner, keys })
  let next = 0
  let current:
    | (JournalFile & {
        readonly path: string
        readonly descriptor: number
        readonly identity: FileIdentity
        readonly key: JournalKey
        bytes: number
        checkedAt: number
      })
    | undefined

  function openFile() {
    keys.refresh()
    const key = keys.current
    if (!key) throw new Error('There is no key for the journal.')
    const name = `${journalPrefix}${key.id}-${owner}-${next}`
    const path = join(directory, name)
    const descriptor = openSync(path, 'ax', 0o600)
    const close = () => {
      closeSync(descriptor)
      removeJournal(directory, name)
    }
    return {
      path,
      descriptor,
      identity: fstatSync(descriptor),
      key,
      bytes: 0,
      checkedAt: steadyMs(),
      remove: close,
    }
  }

  function write(texts: readonly string[]): JournalPlace {
    if (current && !isInPlace(current)) turn()
    current ??= openFile()
    const file = current
    const line = toLine(`${owner} ${next} `, texts.join(recordSeparator), file.key)
    try {
      const written = writeSync(file.descriptor, line)
      if (written < line.length) throw Object.assign(new Error('The disk took a part of it.'), { code: 'ENOSPC' })
    } catch (error) {
      // The caller stores these records elsewhere, so remove the partial write.
      ftruncateSync(file.descriptor, file.bytes)
      turn()
      if (file.bytes === 0) file.remove()
      throw error
    }
    const number = next
    next += texts.length
    file.bytes += line.length
    return { file, number }
  }

  /**
   * The line of records, `origin` being the text before them that is authenticated as well. The records are encoded once, for
   * the MAC and for the file: encoding them twice takes 0.4 µs more, and leaves twice their size to the garbage collector.
   */
  function toLine(origin: string, records: string, { inner, toMacOf }: JournalKey): Buffer {
    const fits = maxHead + maxBytesPerUnit * records.length < space.length
    const at = fits ? space : Buffer.allocUnsafeSlow(maxHead + Buffer.byteLength(records) + 1)
    const end = maxHead + at.write(records, maxHead)
    const toStart = (head: string) => {
      const start = maxHead - head.length
      at.write(head, start, 'latin1')
      return start
    }
    const mac = toMacOf(at.subarray(toStart(inner + origin), end))
    at[end] = newline
    return at.subarray(toStart(`${next} ${mac} `), end + 1)
  }

  /** A line in a moved or deleted file would be lost. Not checked before every write, which would cost half of the write. */
  function isInPlace(file: NonNullable<typeof current>): boolean {
    const now = steadyMs()
    if (now - file.checkedAt < checkEveryMs) return true
    file.checkedAt = now
    return isSameFile(identify(file.path), file.identity)
  }

  function turn() {
    current = undefined
  }

  return {
    owner,
    isReady: () => keys.current !== undefined,
    isSettled: () => keys.isSettled,
    async prepare() {
      if (!keys.current && reader.hasOthers()) await keys.load()
    },
    write,
    turn,
    ...reader,
  }
}
