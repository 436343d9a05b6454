import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type FileIdentity, identify, isSameFile } from './file-identity.ts'

/**
 * Files of records that the ledger has yet to take, a line each. A line that is written survives the death of this
 * process and costs a fraction of a commit. A file takes the lines between two commits, and its name is not used again.
 */
export interface Journal {
  /** Writes lines, all with one call of the system, and gives the first. Throws where they could not be kept. */
  write(texts: readonly string[]): JournalLine
  /** The next line goes to another file. */
  turn(): void
  /** The files of other processes, and what dead ones have left. */
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
  /** For when the ledger has taken every line. */
  remove(): void
}

export interface OtherFile extends JournalFile {
  /** Whole ones alone: a line that is not finished was never acknowledged. */
  readonly lines: readonly string[]
  /** What follows these lines is no record. */
  readonly isDamaged: boolean
  /** Its process is dead or stands still: a living one keeps a file for a moment. */
  readonly isLeft: boolean
}

const prefix = 'journal-'
const leftAfterMs = 60_000

export function openJournal(directory: string): Journal {
  // An import of node:fs would load all of its streams too, which takes longer than everything else here.
  const fs = process.getBuiltinModule('node:fs')
  const own = `${prefix}${randomUUID()}-`
  let opened = 0
  let current:
    | (JournalFile & { readonly descriptor: number; readonly identity: FileIdentity; lines: number; bytes: number })
    | undefined

  function openFile() {
    const name = `${own}${opened++}`
    const descriptor = fs.openSync(join(directory, name), 'ax', 0o600)
    const close = () => {
      fs.closeSync(descriptor)
      remove(name)
    }
    return { name, descriptor, identity: fs.fstatSync(descriptor), lines: 0, bytes: 0, remove: close }
  }

  function write(texts: readonly string[]): JournalLine {
    // A line in a file that was moved or removed would be found by nobody.
    if (current && !isSameFile(identify(join(directory, current.name)), current.identity)) turn()
    current ??= openFile()
    const file = current
    const lines = Buffer.from(`${texts.join('\n')}\n`)
    try {
      const written = fs.writeSync(file.descriptor, lines)
      if (written < lines.length) throw Object.assign(new Error('The disk took a part of it.'), { code: 'ENOSPC' })
    } catch (error) {
      // The caller keeps these lines elsewhere, so none of them may stay here.
      fs.ftruncateSync(file.descriptor, file.bytes)
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
      fs.unlinkSync(join(directory, name))
    } catch {
      // Somebody was quicker, or will be later: the ledger knows which lines it has taken.
    }
  }

  function others(): OtherFile[] {
    const names = fs.readdirSync(directory).filter((name) => name.startsWith(prefix) && !name.startsWith(own))
    return names.flatMap((name) => {
      try {
        const isLeft = Date.now() - fs.statSync(join(directory, name)).mtimeMs > leftAfterMs
        const lines = fs.readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1)
        const damaged = lines.findIndex((line) => !isRecord(line))
        const sound = damaged === -1 ? lines : lines.slice(0, damaged)
        return [{ name, lines: sound, isDamaged: damaged !== -1, isLeft, remove: () => remove(name) }]
      } catch {
        // Its owner has just removed it.
        return []
      }
    })
  }

  return { write, turn, others, has: (name) => fs.existsSync(join(directory, name)) }
}

function isRecord(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
