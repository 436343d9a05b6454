import { fstatSync, ftruncateSync, readFileSync, writeSync } from 'node:fs'
import { countBetween, countIn, countLines, readBetween, toLineCount } from './count-lines.ts'
import { fileError } from './file-error.ts'
import type { LineCount } from './line-counts.ts'

/** A file that is open for reading and appending, and what to append. */
export interface EntryWrite {
  readonly descriptor: number
  readonly entry: Uint8Array
  /** Puts a blank line before it, unless the file is empty or ends with one. */
  readonly apart: boolean
}

export interface WrittenEntry {
  /** The number of the entry's first line, from 1. */
  readonly line: number
  /** All bytes that were appended. */
  readonly bytes: number
  /** The unterminated last line, as after a crash. It was kept and terminated. */
  readonly closedLine?: number
}

/** Programs without our lock may write in between; each time this is detected and retried. */
const maxAttempts = 10

/**
 * Appends in one write, and derives the line number from where it landed. Synchronous, so that appends of this process
 * never interleave.
 */
export function writeEntry(write: EntryWrite, remembered: LineCount | undefined) {
  const { descriptor } = write
  const before = fstatSync(descriptor, { bigint: true })
  let size = Number(before.size)
  let lines = countLines(descriptor, before, remembered)
  let closedLine: number | undefined
  let total = 0
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const gap = toGap(write, size)
    const bytes = Buffer.concat([gap.bytes, write.entry, newline])
    if (gap.closes) closedLine = lines + 1
    const written = writeSync(descriptor, bytes)
    if (written < bytes.length) {
      const isCut = cutBack(descriptor, size, written)
      throw fileError('io_failed', `Only ${written} of ${bytes.length} bytes could be written, as on a full disk${isCut ? '; they were removed again' : ''}`) // biome-ignore format: one line
    }
    total += written
    const after = fstatSync(descriptor, { bigint: true })
    const start = findStart(descriptor, { size, after: Number(after.size), bytes })
    lines = start < size ? countBetween(descriptor, 0, start) : lines + countBetween(descriptor, size, start)
    const line = lines + countIn(gap.bytes) + 1
    lines += countIn(bytes)
    size = start + bytes.length
    if (gap.bytes.length > 0 || beginsLine(descriptor, start)) {
      const result: WrittenEntry = { line, bytes: total, ...(closedLine !== undefined && { closedLine }) }
      return { result, count: toLineCount(descriptor, after, size, lines) }
    }
    // Another program's unterminated line came in just before: ours continued it, and must become a separate line.
    closedLine = line
  }
  throw fileError('io_failed', 'Other programs keep writing unterminated lines to the file')
}

/** Removes a partial entry, under the lock. If a program without the lock wrote after it, it stays. */
function cutBack(descriptor: number, size: number, written: number): boolean {
  if (fstatSync(descriptor).size !== size + written) return false
  ftruncateSync(descriptor, size)
  return true
}

const newline = Buffer.from('\n')

/** What must precede the entry, so that it starts a line. */
function toGap({ descriptor, apart }: EntryWrite, size: number): { bytes: Buffer; closes: boolean } {
  const ending = readBetween(descriptor, Math.max(0, size - 2), size)
  const closes = ending.length > 0 && ending.at(-1) !== newline[0]
  const blank = ending.length < 2 ? ending.length === 0 : ending.equals(emptyLine)
  return { bytes: Buffer.alloc((closes ? 1 : 0) + (apart && !blank ? 1 : 0), newline), closes }
}

const emptyLine = Buffer.from('\n\n')

function beginsLine(descriptor: number, start: number): boolean {
  return start === 0 || readBetween(descriptor, start - 1, start)[0] === newline[0]
}

interface Landing {
  /** Of the file before. */
  readonly size: number
  /** Of the file after. */
  readonly after: number
  readonly bytes: Buffer
}

/** Where the bytes are in the file: at its former end, unless another writer came first. */
function findStart(descriptor: number, { size, after, bytes }: Landing): number {
  if (after === size + bytes.length) return size
  const end = toPosition(descriptor)
  if (end !== undefined) return end - bytes.length
  const found = readBetween(descriptor, size, after).indexOf(bytes)
  if (found >= 0) return size + found
  throw fileError('file_changed', 'The file was changed at the same time: check whether it contains the entry')
}

/** On Linux the system reports where the last write ended. */
function toPosition(descriptor: number): number | undefined {
  try {
    const position = /^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]
    return position === undefined ? undefined : Number(position)
  } catch {
    return undefined
  }
}
