import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'

/** Identifies a file and its content. */
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

/** Timestamps are too coarse to distinguish consecutive writes, so the content counts too. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.device === other.device &&
    one.inode === other.inode &&
    one.size === other.size &&
    one.modifiedNs === other.modifiedNs &&
    one.digest === other.digest
  )
}
