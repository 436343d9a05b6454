import { closeSync, fstatSync, openSync, readdirSync, readSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type FileIdentity, isSameFile } from './file-identity.ts'
import type { JournalKeys } from './journal-key.ts'

/** Reads the journals of other processes. */
export interface JournalReader {
  /** Whether there are any. */
  hasOthers(): boolean
  /** What they left or have not committed yet. `takenOf`: how many of a process's records are imported for good. */
  others(takenOf: (journal: { readonly owner: string }) => number): OtherJournal[]
  /** Names of orphaned files with another key, which this process cannot check. */
  unreadable(): string[]
  /** Forgets what was read, after an import that failed. */
  rewind(): void
}

/** All files of one process. */
export interface OtherJournal {
  readonly owner: string
  /** Those not imported, by number, without those of incomplete lines, which were never acknowledged. */
  readonly records: readonly NumberedRecord[]
  /** Complete lines that the process did not write, or that were changed since. */
  readonly refused: readonly RefusedLine[]
  /** Orphaned, and read to the end: the owner exited or hung; a live process deletes its files within moments. */
  readonly isLeft: boolean
  /** Not all was read. What was read comes before the rest. */
  readonly hasMore: boolean
  /** Deletes the files that were read, after the ledger imported every record. */
  remove(): void
}

interface NumberedRecord {
  readonly number: number
  readonly text: string
}

interface RefusedLine {
  readonly file: string
  /** The first is 1. */
  readonly line: number
  readonly text: string
}

/** What was read of a file. */
interface ReadFile {
  readonly identity: FileIdentity
  /** Up to the end of a line. */
  bytes: number
  records: NumberedRecord[]
  refused: RefusedLine[]
  isOld: boolean
  hasMore: boolean
}

interface LinesToRead {
  readonly descriptor: number
  readonly size: number
  /** What was read before. */
  readonly start: ReadFile
  readonly maxBytes: number
}

const leftAfterMs = 60_000
/** Of a process per look, so that the records of an import are garbage before V8 moves them to the old generation. */
const maxBytesPerLook = 128 * 1024

/**
 * A file is continued where the last look ended, so each line is read and authenticated once, while its process keeps writing.
 * A file with refused lines is read as a whole: it was tampered with, perhaps before the place where the last look ended.
 */
export function createJournalReader(
  directory: string,
  { own, keys }: { readonly own: string; readonly keys: JournalKeys },
): JournalReader {
  let known = new Map<string, ReadFile>()
  let buffer = Buffer.alloc(0)

  function others(takenOf: (journal: { readonly owner: string }) => number): OtherJournal[] {
    const owners = new Map<string, string[]>()
    for (const name of otherNames()) {
      const { owner } = toParts(name)
      owners.set(owner, [...(owners.get(owner) ?? []), name])
    }
    const before = known
    known = new Map()
    return [...owners].map(([owner, names]) => readOwner(owner, names, { before, taken: takenOf({ owner }) }))
  }

  function otherNames(): string[] {
    return readdirSync(directory).filter((name) => name.startsWith(journalPrefix) && toParts(name).owner !== own)
  }

  function readOwner(
    owner: string,
    names: readonly string[],
    { before, taken }: { before: ReadonlyMap<string, ReadFile>; taken: number },
  ): OtherJournal {
    const records: NumberedRecord[] = []
    const refused: RefusedLine[] = []
    const readable = names.filter((name) => !hasOtherKey(name)).sort((one, other) => toParts(one).first - toParts(other).first) // biome-ignore format: one line
    let isLeft = names.every((name) => readable.includes(name) || isOrphaned(name))
    let hasMore = false
    for (const name of readable) {
      if (hasMore) {
        const file = before.get(name)
        if (file) known.set(name, file)
        continue
      }
      const file = readFile(name, before.get(name))
      // Otherwise its owner just deleted it.
      if (!file) continue
      isLeft &&= file.isOld && !file.hasMore
      hasMore = file.hasMore
      if (file.records.length > 0 && file.records[0]!.number < taken)
        file.records = file.records.filter(({ number }) => number >= taken)
      if (file.refused.length === 0) known.set(name, file)
      // Not by spreading, which has a limit.
      for (const record of file.records) records.push(record)
      refused.push(...file.refused)
    }
    records.sort((one, other) => one.number - other.number)
    return { owner, records, refused, isLeft, hasMore, remove: () => readable.forEach((name) => void removeJournal(directory, name)) } // biome-ignore format: one line
  }

  function hasOtherKey(name: string): boolean {
    const { keyId } = toParts(name)
    return keyId !== undefined && keyId !== keys.current?.id
  }

  function readFile(name: string, before: ReadFile | undefined): ReadFile | undefined {
    return withFile(name, (descriptor) => {
      const { dev, ino, size, mtimeMs } = fstatSync(descriptor)
      const unread = { identity: { dev, ino }, bytes: 0, records: [], refused: [], hasMore: false }
      const isContinued = before && isSameFile(before.identity, { dev, ino }) && before.bytes <= size
      const start = { ...(isContinued ? before : unread), isOld: isOldTime(mtimeMs) }
      const file = readLines(name, { descriptor, size, start, maxBytes: maxBytesPerLook })
      if (file.refused.length === 0 && !(file.hasMore && file.bytes === start.bytes)) return file
      return readLines(name, { descriptor, size, start: { ...unread, isOld: start.isOld }, maxBytes: size })
    })
  }

  function isOrphaned(name: string): boolean {
    return withFile(name, (descriptor) => isOldTime(fstatSync(descriptor).mtimeMs)) ?? true
  }

  /** Undefined if there is no such file any more. */
  function withFile<Result>(name: string, job: (descriptor: number) => Result): Result | undefined {
    let descriptor: number | undefined
    try {
      descriptor = openSync(join(directory, name), 'r')
      return job(descriptor)
    } catch {
      return undefined
    } finally {
      if (descriptor !== undefined) closeSync(descriptor)
    }
  }

  /** Adds the complete lines after those that were read. */
  function readLines(name: string, { descriptor, size, start, maxBytes }: LinesToRead): ReadFile {
    const length = Math.min(size - start.bytes, maxBytes)
    const bytes = readBytes(descriptor, { from: start.bytes, length })
    const { keyId, owner } = toParts(name)
    const records = [...start.records]
    const refused: RefusedLine[] = []
    let at = 0
    for (let line = 1, end = bytes.indexOf(lineEnd); end !== -1; line++, end = bytes.indexOf(lineEnd, at)) {
      const text = bytes.toString('utf8', at, end)
      at = end + 1
      if (keyId === undefined || !readLine(text, owner, records)) refused.push({ file: name, line, text })
    }
    return { ...start, bytes: start.bytes + at, records, refused, hasMore: start.bytes + length < size }
  }

  function readBytes(descriptor: number, { from, length }: { from: number; length: number }): Buffer {
    const target = length <= buffer.length ? buffer : Buffer.allocUnsafeSlow(length)
    if (length <= maxBytesPerLook) buffer = target
    let read = 0
    while (read < length) {
      const more = readSync(descriptor, target, read, length - read, from + read)
      if (more === 0) break
      read += more
    }
    return target.subarray(0, read)
  }

  /** Adds the records of a line. False if its process did not write it. */
  function readLine(line: string, owner: string, records: NumberedRecord[]): boolean {
    const first = line.slice(0, line.indexOf(' '))
    const begin = first.length + 1 + macLength + 1
    const text = line.slice(begin)
    const mac = keys.current?.toMac(`${owner} ${first} ${text}`)
    if (line.slice(first.length, begin) !== ` ${mac} `) return false
    let number = Number(first)
    for (const record of text.split(recordSeparator)) records.push({ number: number++, text: record })
    return true
  }

  return {
    hasOthers: () => otherNames().length > 0,
    others,
    rewind() {
      known = new Map()
    },
    unreadable: () => otherNames().filter((name) => hasOtherKey(name) && isOrphaned(name)),
  }
}

export const journalPrefix = 'reads-'
/** JSON has no tab outside of escapes. */
export const recordSeparator = '\t'
const lineEnd = 10
/** SHA-256 in base64url. */
const macLength = 43

function isOldTime(mtimeMs: number): boolean {
  return Date.now() - mtimeMs > leftAfterMs
}

/** A file with another name was not made by Toolpact: without `keyId`. */
function toParts(name: string): { readonly keyId?: string; readonly owner: string; readonly first: number } {
  const [, keyId, owner, first] = /^reads-([0-9a-f]{8})-([0-9a-f-]{36})-(\d+)$/.exec(name) ?? []
  if (keyId === undefined || owner === undefined) return { owner: name.slice(journalPrefix.length), first: 0 }
  return { keyId, owner, first: Number(first) }
}

export function removeJournal(directory: string, name: string): void {
  try {
    unlinkSync(join(directory, name))
  } catch {
    // Another process deletes it: the ledger knows which records it imported.
  }
}

/** Records that continue those up to `taken`. Of an orphaned journal all, even if others before them are missing. */
export function toNew({ records, isLeft }: OtherJournal, taken: number): OtherJournal['records'] {
  const later = records.filter(({ number }) => number >= taken)
  return isLeft ? later : later.filter(({ number }, index) => number === taken + index)
}
