import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs' // biome-ignore format: one line
import { join } from 'node:path'
import { type FileIdentity, identify, isSameFile } from './file-identity.ts'
import type { JournalKeys } from './journal-key.ts'

/**
 * Files of records that are not in the ledger yet. A written line survives a crash of this process and costs a fraction of a
 * commit. Each line holds the records of one write, with a MAC: `NUMBER MAC RECORD<tab>RECORD`. Records of a process are
 * numbered across its files, so that no line can be added, changed, moved or taken out unnoticed.
 *
 * Invariant: every acknowledged record is imported into the ledger exactly once. The ledger notes up to which number it has
 * imported the records of each process, so a crash between the import and the deletion of a file cannot duplicate one.
 */
export interface Journal {
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
  /** What other processes left or have not committed yet. */
  others(): OtherJournal[]
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

/** All files of one process. */
export interface OtherJournal extends JournalFile {
  readonly owner: string
  /** By number, without those of incomplete lines, which were never acknowledged. */
  readonly records: readonly { readonly number: number; readonly text: string }[]
  /** Complete lines that the process did not write, or that were changed since. */
  readonly refused: readonly RefusedLine[]
  /** Orphaned: the owner exited or hung; a live process deletes its files within moments. */
  readonly isLeft: boolean
  /** Its files with another key, which this process cannot check. */
  readonly unreadable: readonly string[]
}

interface RefusedLine {
  readonly file: string
  /** The first is 1. */
  readonly line: number
  readonly text: string
}

const prefix = 'reads-'
const leftAfterMs = 60_000
/** Records reach the database within about as long, whatever happens to the file. */
const checkEveryMs = 10
/** JSON has no tab outside of escapes. */
const separator = '\t'

export function openJournal(directory: string, keys: JournalKeys): Journal {
  const owner = randomUUID()
  let next = 0
  let current:
    | (JournalFile & {
        readonly path: string
        readonly descriptor: number
        readonly identity: FileIdentity
        readonly toMac: (text: string) => string
        bytes: number
        checkedAt: number
      })
    | undefined

  function openFile() {
    keys.refresh()
    const key = keys.current
    if (!key) throw new Error('There is no key for the journal.')
    const name = `${prefix}${key.id}-${owner}-${next}`
    const path = join(directory, name)
    const descriptor = openSync(path, 'ax', 0o600)
    const close = () => {
      closeSync(descriptor)
      remove(name)
    }
    return {
      path,
      descriptor,
      identity: fstatSync(descriptor),
      toMac: key.toMac,
      bytes: 0,
      checkedAt: performance.now(),
      remove: close,
    }
  }

  function write(texts: readonly string[]): JournalPlace {
    if (current && !isInPlace(current)) turn()
    current ??= openFile()
    const file = current
    const records = texts.join(separator)
    const line = Buffer.from(`${next} ${file.toMac(`${owner} ${next} ${records}`)} ${records}\n`)
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

  /** A line in a moved or deleted file would be lost. Not checked before every write, which would cost half of the write. */
  function isInPlace(file: NonNullable<typeof current>): boolean {
    const now = performance.now()
    if (now - file.checkedAt < checkEveryMs) return true
    file.checkedAt = now
    return isSameFile(identify(file.path), file.identity)
  }

  function turn() {
    current = undefined
  }

  function remove(name: string) {
    try {
      unlinkSync(join(directory, name))
    } catch {
      // Another process deletes it: the ledger knows which records it imported.
    }
  }

  function others(): OtherJournal[] {
    const owners = new Map<string, string[]>()
    for (const name of otherNames()) {
      const { owner } = toParts(name)
      owners.set(owner, [...(owners.get(owner) ?? []), name])
    }
    return [...owners].map(([owner, names]) => readOwner(owner, names))
  }

  function otherNames(): string[] {
    return readdirSync(directory).filter((name) => name.startsWith(prefix) && toParts(name).owner !== owner)
  }

  function readOwner(owner: string, names: readonly string[]): OtherJournal {
    const records: { number: number; text: string }[] = []
    const refused: RefusedLine[] = []
    const unreadable: string[] = []
    let isLeft = true
    for (const name of names) {
      const { lines, isOld } = readLines(name)
      isLeft &&= isOld
      const { keyId } = toParts(name)
      if (keyId !== undefined && keyId !== keys.current?.id) unreadable.push(name)
      else
        lines.forEach((line, index) => {
          const found = keyId === undefined ? undefined : readLine(line, owner)
          if (found) records.push(...found)
          else refused.push({ file: name, line: index + 1, text: line })
        })
    }
    records.sort((one, other) => one.number - other.number)
    const read = names.filter((name) => !unreadable.includes(name))
    return { owner, records, refused, isLeft, unreadable, remove: () => read.forEach(remove) }
  }

  function readLines(name: string): { readonly lines: readonly string[]; readonly isOld: boolean } {
    try {
      const isOld = Date.now() - statSync(join(directory, name)).mtimeMs > leftAfterMs
      return { lines: readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1), isOld }
    } catch {
      // Its owner just deleted it.
      return { lines: [], isOld: true }
    }
  }

  function readLine(line: string, owner: string): { number: number; text: string }[] | undefined {
    const [, first = '', mac, records = ''] = /^(\d{1,15}) ([\w-]{43}) (.*)$/s.exec(line) ?? []
    if (keys.current?.toMac(`${owner} ${first} ${records}`) !== mac) return undefined
    return records.split(separator).map((text, index) => ({ number: Number(first) + index, text }))
  }

  return {
    owner,
    isReady: () => keys.current !== undefined,
    isSettled: () => keys.isSettled,
    async prepare() {
      if (!keys.current && otherNames().length > 0) await keys.load()
    },
    write,
    turn,
    others,
  }
}

/** A file with another name was not made by Toolpact: without `keyId`. */
function toParts(name: string): { readonly keyId?: string; readonly owner: string } {
  const [, keyId, owner] = /^reads-([0-9a-f]{8})-([0-9a-f-]{36})-\d+$/.exec(name) ?? []
  return keyId === undefined || owner === undefined ? { owner: name.slice(prefix.length) } : { keyId, owner }
}

/** Records that continue those up to `taken`. Of an orphaned journal all, even if others before them are missing. */
export function toNew({ records, isLeft }: OtherJournal, taken: number): OtherJournal['records'] {
  const later = records.filter(({ number }) => number >= taken)
  return isLeft ? later : later.filter(({ number }, index) => number === taken + index)
}
