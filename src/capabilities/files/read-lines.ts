import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Confinement } from './confinement.ts'
import { toFileError } from './file-error.ts'
import { holdFile } from './hold-file.ts'

export interface ReadLinesOptions {
  /** First line, from 1. */
  readonly start?: number
  /** Last line, inclusive. Default: the end of the file. */
  readonly end?: number
  /** Maximum size of the content, in bytes. Default: 10 MiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface LineRange {
  /** From the root, with `/`. */
  readonly path: string
  /** The lines with their newlines, as UTF-8 without a byte order mark; empty for a binary file. */
  readonly text: string
  readonly startLine: number
  /** The last line returned; `startLine - 1` if there is none. */
  readonly endLine: number
  readonly totalLines: number
  /** Of the whole file. */
  readonly sizeBytes: number
  /** Requested lines are missing because of `maxBytes`. */
  readonly truncated: boolean
  /** The line to continue with, if truncated. */
  readonly nextLine?: number
  /** The last line returned is cut: it alone exceeds `maxBytes`. */
  readonly lineCut: boolean
  /** There is a NUL byte in the first 8 KiB. */
  readonly binary: boolean
  /** The first 1 KiB of the file, whatever its type. */
  readonly head: Uint8Array
  readonly byteOrderMark: boolean
  /** False if invalid UTF-8 was replaced. */
  readonly validUtf8: boolean
}

/** Reads a range of lines in one pass and bounded memory, and counts the lines of the whole file. */
export async function readLines(
  confinement: Confinement,
  path: string,
  { start = 1, end = Number.POSITIVE_INFINITY, maxBytes = 10_485_760, signal }: ReadLinesOptions = {},
): Promise<LineRange> {
  const errand = { action: 'read', path } as const
  const held = holdFile(confinement, errand)
  try {
    const handle = await held.open(constants.O_RDONLY)
    try {
      const scan = new LineScan(start, end, maxBytes)
      for await (const chunk of readChunks(handle, Number(held.stats.size), signal)) scan.take(chunk)
      return { path: confinement.toRelative(held.real), ...scan.finish() }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw toFileError(error, errand.action, path)
  } finally {
    held.close()
  }
}

/** Up to `size` bytes, so that reading a growing file ends. The buffer is reused. */
export async function* readChunks(handle: FileHandle, size: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(size, 262_144)))
  for (let left = size; left > 0; ) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, Math.min(left, buffer.length))
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    left -= bytesRead
  }
}

const newline = 10

class LineScan {
  readonly #start: number
  readonly #end: number
  readonly #maxBytes: number
  readonly #kept: Buffer[] = []
  #head: Buffer = Buffer.alloc(0)
  #binary = false
  #keptBytes = 0
  /** Bytes up to the end of the last whole line. */
  #wholeBytes = 0
  #wholeLine: number
  #full = false
  #line = 1
  #size = 0
  #endsOpen = false

  constructor(start: number, end: number, maxBytes: number) {
    this.#start = start
    this.#end = end
    this.#maxBytes = maxBytes
    this.#wholeLine = start - 1
  }

  take(chunk: Buffer): void {
    if (this.#size === 0) {
      this.#head = Buffer.from(chunk.subarray(0, 1024))
      this.#binary = chunk.subarray(0, 8192).includes(0)
    }
    this.#size += chunk.length
    let from = 0
    let keptFrom = -1
    let keptTo = 0
    while (from < chunk.length) {
      const found = chunk.indexOf(newline, from)
      const to = found < 0 ? chunk.length : found + 1
      if (this.#line >= this.#start && this.#line <= this.#end && !this.#full) {
        if (keptFrom < 0) keptFrom = from
        keptTo = from + this.#take(to - from, found >= 0)
      }
      if (found >= 0) this.#line++
      from = to
    }
    if (keptTo > keptFrom && keptFrom >= 0) this.#kept.push(Buffer.from(chunk.subarray(keptFrom, keptTo)))
    this.#endsOpen = chunk.at(-1) !== newline
  }

  /** How many of these bytes of the current line still fit. */
  #take(length: number, whole: boolean): number {
    const fitting = Math.min(length, this.#maxBytes - this.#keptBytes)
    this.#keptBytes += fitting
    this.#full = fitting < length
    if (whole && !this.#full) {
      this.#wholeBytes = this.#keptBytes
      this.#wholeLine = this.#line
    }
    return fitting
  }

  finish(): Omit<LineRange, 'path'> {
    const totalLines = this.#endsOpen ? this.#line : this.#line - 1
    const lastWanted = Math.min(this.#end, totalLines)
    if (!this.#full && this.#keptBytes > this.#wholeBytes) this.#wholeLine = lastWanted
    // A line is cut only if it is the first one.
    const lineCut = this.#full && this.#wholeBytes === 0
    const endLine = lineCut ? this.#start : this.#wholeLine
    const bytes = Buffer.concat(this.#kept).subarray(0, this.#full && !lineCut ? this.#wholeBytes : undefined)
    const truncated = this.#full
    return {
      ...(this.#binary ? emptyText : toText(bytes, this.#start === 1, lineCut)),
      startLine: this.#start,
      endLine,
      totalLines,
      sizeBytes: this.#size,
      truncated,
      ...(truncated && endLine < lastWanted && { nextLine: endLine + 1 }),
      lineCut,
      binary: this.#binary,
      head: this.#head,
    }
  }
}

const emptyText = { text: '', byteOrderMark: false, validUtf8: true }

function toText(bytes: Buffer, fromStart: boolean, cut: boolean) {
  const byteOrderMark = fromStart && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  // Streaming, so that a character cut in half at the end is dropped rather than replaced.
  const decode = (fatal: boolean) =>
    new TextDecoder('utf-8', { fatal, ignoreBOM: !fromStart }).decode(bytes, { stream: cut })
  try {
    return { text: decode(true), byteOrderMark, validUtf8: true }
  } catch {
    return { text: decode(false), byteOrderMark, validUtf8: false }
  }
}
