import { createHash } from 'node:crypto'
import { type BigIntStats, readSync } from 'node:fs'
import type { LineCount } from './line-counts.ts'

const newline = 10
/** Bytes before the end that must still be the same. */
const endingLength = 256
/** Up to this size a file that somebody else changed is counted anew, since they may have changed more than its end. */
const smallSize = 262_144

/** Line ends in an open file. Only what came since is read, if what is remembered is about this file as it is. */
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

/** Line ends from one offset up to another. */
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

/** Bytes of an open file, fewer where it ends before. */
export function readBetween(descriptor: number, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(to - from)
  let length = 0
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, from + length)
    if (read === 0) break
    length += read
  }
  return buffer.subarray(0, length)
}
