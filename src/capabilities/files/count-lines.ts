import { createHash } from 'node:crypto'
import { type BigIntStats, readSync } from 'node:fs'
import type { LineCount } from './line-counts.ts'

const newline = 10
/** Bytes before the end that must still be the same. */
const endingLength = 256
/** Files up to this size are recounted if another program changed them, since more than the end may have changed. */
const smallSize = 262_144

/**
 * Counts newlines in an open file. If the stored count is still valid for this file, reads only what was added since.
 */
export function countLines(descriptor: number, stats: BigIntStats, remembered: LineCount | undefined): number {
  const size = Number(stats.size)
  if (!remembered || !isStillTrue(descriptor, stats, remembered)) return countBetween(descriptor, 0, size)
  return remembered.lines + countBetween(descriptor, remembered.size, size)
}

export function toLineCount(descriptor: number, stats: BigIntStats, size: number, lines: number): LineCount {
  return {
    device: `${stats.dev}`,
    inode: `${stats.ino}`,
    size,
    lines,
    changed: `${stats.ctimeNs}`,
    ending: digestEnding(descriptor, size),
  }
}

function isStillTrue(descriptor: number, stats: BigIntStats, remembered: LineCount): boolean {
  const size = Number(stats.size)
  if (`${stats.dev}` !== remembered.device || `${stats.ino}` !== remembered.inode) return false
  const untouched = size === remembered.size && `${stats.ctimeNs}` === remembered.changed
  if (!untouched && (size < remembered.size || size <= smallSize)) return false
  return digestEnding(descriptor, remembered.size) === remembered.ending
}

function digestEnding(descriptor: number, size: number): string {
  const ending = readBetween(descriptor, Math.max(0, size - endingLength), size)
  return createHash('sha256').update(ending).digest('hex')
}

/** Newlines between two offsets. */
export function countBetween(descriptor: number, from: number, to: number): number {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(to - from, 262_144)))
  let lines = 0
  for (let at = from; at < to; ) {
    const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, to - at), at)
    if (length === 0) break
    lines += countIn(buffer.subarray(0, length))
    at += length
  }
  return lines
}

export function countIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++
  return lines
}

/** Bytes of an open file, fewer if it ends earlier. */
export function readBetween(descriptor: number, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(to - from)
  let length = 0
  let read: number
  // Reads 0 bytes at the end of the file, and also once the buffer is full.
  do {
    read = readSync(descriptor, buffer, length, buffer.length - length, from + length)
    length += read
  } while (read > 0)
  return buffer.subarray(0, length)
}
