import { readSync } from 'node:fs'

/** Longer lines are shortened. */
export const maxLineBytes = 500

/** Not part of a file's first line. */
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export interface FoundLine {
  readonly text: string
  /** Whether the text was shortened. */
  readonly cut: boolean
}

/** Reads a line of an open file, shortened at a character boundary. */
export function readLine(descriptor: number, offset: number, atLeast = 0): FoundLine & { bytes: Buffer } {
  const buffer = Buffer.allocUnsafe(Math.max(maxLineBytes, atLeast) + 2)
  const bytesRead = readSync(descriptor, buffer, 0, buffer.length, offset)
  const bytes = buffer.subarray(0, bytesRead)
  const end = bytes.indexOf(10)
  const line = end < 0 ? bytes : bytes.subarray(0, end)
  return { ...toFoundLine(line), bytes: line }
}

/** The text of a line without its newline; `line` needs only slightly more than what is shown. */
export function toFoundLine(line: Buffer): FoundLine {
  const whole = line.at(-1) === 13 ? line.subarray(0, -1) : line
  const cut = whole.length > maxLineBytes
  const text = new TextDecoder().decode(whole.subarray(0, maxLineBytes), { stream: cut })
  return { text, cut }
}
