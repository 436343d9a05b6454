import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'

/** Which file it was and what it contained. */
export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
  readonly size: number
  readonly modifiedNs: bigint
  /** SHA-256 of the content, in hexadecimal. */
  readonly digest: string
}

export function toIdentity(stats: BigIntStats, bytes: Uint8Array): FileIdentity {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: bytes.length,
    modifiedNs: stats.mtimeNs,
    digest: createHash('sha256').update(bytes).digest('hex'),
  }
}

/** Times are too coarse to tell two writes in a row apart, so the content decides too. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.device === other.device &&
    one.inode === other.inode &&
    one.size === other.size &&
    one.modifiedNs === other.modifiedNs &&
    one.digest === other.digest
  )
}
