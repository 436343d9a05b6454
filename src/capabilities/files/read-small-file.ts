import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

export interface ReadSmallFileOptions {
  readonly maxBytes: number
  /** Whether to follow a symlink in place of the file. Default: no. */
  readonly followLinks?: boolean
}

/**
 * The text of a regular file that anyone may have put there. Undefined if it is missing, unreadable, longer than
 * `maxBytes` or not a regular file: reading a FIFO or device synchronously could block the process forever.
 */
export function readSmallFile(
  path: string,
  { maxBytes, followLinks = false }: ReadSmallFileOptions,
): string | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants
  let file: number | undefined
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (followLinks ? 0 : O_NOFOLLOW))
    const stats = fstatSync(file)
    return stats.isFile() && stats.size <= maxBytes ? readBounded(file, maxBytes) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The size is not a reliable limit: files in `/proc` report 0, and others grow while they are read. */
function readBounded(file: number, maxBytes: number): string | undefined {
  const chunks: Buffer[] = []
  for (let total = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.min(16_384, maxBytes + 1 - total))
    const length = readSync(file, chunk)
    if (length === 0) return Buffer.concat(chunks).toString('utf8')
    chunks.push(chunk.subarray(0, length))
    total += length
    if (total > maxBytes) return undefined
  }
}
