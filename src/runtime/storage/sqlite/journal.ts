import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type FileIdentity, identify, isSameFile } from './file-identity.ts'

/**
 * Files of records that are not in the ledger yet, one per line. A written line survives a crash of this process and costs a
 * fraction of a commit.
 *
 * Invariant: every acknowledged line is imported into the ledger exactly once. Each file holds the lines between two commits
 * and its name is never reused; the ledger records how many lines of each file it has imported, so a crash between the
 * import and the deletion of the file cannot duplicate a record.
 */
export interface Journal {
  /** Writes all lines with one system call, and returns the number of the first. Throws if they could not be written. */
  write(texts: readonly string[]): JournalLine
  /** Starts a new file with the next line. */
  turn(): void
  /** Files of other processes, including those that crashed. */
  others(): OtherFile[]
  has(name: string): boolean
}

export interface JournalLine {
  readonly file: JournalFile
  /** The first line of a file is 0. */
  readonly place: number
}

export interface JournalFile {
  readonly name: string
  /** Deletes the file after the ledger imported every line. */
  remove(): void
}

export interface OtherFile extends JournalFile {
  /** Complete lines only: an incomplete one was never acknowledged. */
  readonly lines: readonly string[]
  /** The data after these lines is not a record. */
  readonly isDamaged: boolean
  /** Orphaned: the owner exited or hung; a live process deletes the file within moments. */
  readonly isLeft: boolean
}

const prefix = 'journal-'
const leftAfterMs = 60_000

export function openJournal(directory: string): Journal {
  const own = `${prefix}${randomUUID()}-`
  let opened = 0
  let current:
    | (JournalFile & {
        readonly path: string
        readonly descriptor: number
        readonly identity: FileIdentity
        lines: number
        bytes: number
      })
    | undefined

  function openFile() {
    const name = `${own}${opened++}`
    const path = join(directory, name)
    const descriptor = openSync(path, 'ax', 0o600)
    const close = () => {
      closeSync(descriptor)
      remove(name)
    }
    return { name, path, descriptor, identity: fstatSync(descriptor), lines: 0, bytes: 0, remove: close }
  }

  function write(texts: readonly string[]): JournalLine {
    // A line in a moved or deleted file would be lost.
    if (current && !isSameFile(identify(current.path), current.identity)) turn()
    current ??= openFile()
    const file = current
    const lines = Buffer.from(`${texts.join('\n')}\n`)
    try {
      const written = writeSync(file.descriptor, lines)
      if (written < lines.length) throw Object.assign(new Error('The disk took a part of it.'), { code: 'ENOSPC' })
    } catch (error) {
      // The caller stores these lines elsewhere, so remove the partial write.
      ftruncateSync(file.descriptor, file.bytes)
      turn()
      if (file.lines === 0) file.remove()
      throw error
    }
    const place = file.lines
    file.lines += texts.length
    file.bytes += lines.length
    return { file, place }
  }

  function turn() {
    current = undefined
  }

  function remove(name: string) {
    try {
      unlinkSync(join(directory, name))
    } catch {
      // Another process deletes it: the ledger knows which lines it imported.
    }
  }

  function others(): OtherFile[] {
    const names = readdirSync(directory).filter((name) => name.startsWith(prefix) && !name.startsWith(own))
    return names.flatMap((name) => {
      try {
        const isLeft = Date.now() - statSync(join(directory, name)).mtimeMs > leftAfterMs
        const lines = readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1)
        const damaged = lines.findIndex((line) => !isRecord(line))
        const sound = damaged === -1 ? lines : lines.slice(0, damaged)
        return [{ name, lines: sound, isDamaged: damaged !== -1, isLeft, remove: () => remove(name) }]
      } catch {
        // Its owner just deleted it.
        return []
      }
    })
  }

  return { write, turn, others, has: (name) => existsSync(join(directory, name)) }
}

function isRecord(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
