import { join } from 'node:path'
import type { ChainPlace } from './ledger-chain.ts'

/**
 * The head of the ledger as it was after a recent commit to the disk, noted in a file beside the database, so that a
 * database that was emptied, replaced or put back to an older state is recognised. The note may lag behind and is never
 * ahead: it is written after a commit that waited for the disk, in place and without waiting for the disk itself.
 */
export interface NotedHead extends ChainPlace {
  /** Id of the ledger, made with the database. */
  readonly ledger: string
}

/** Less than a sector, so that a loss of power leaves the old line or the new one. */
const lineLength = 256

export interface HeadNote {
  readonly path: string
  read(): NotedHead | undefined
  write(head: NotedHead): void
  close(): void
}

/** What the ledger beside a note looks like. */
interface Found {
  readonly head: ChainPlace
  readonly origin: ChainPlace & { readonly ledger: string | undefined }
  /** Of the entry with the number of the one noted. */
  readonly hash: string | undefined
  /** Of the note. */
  readonly path: string
}

export interface Loss {
  readonly fault: 'shortened' | 'replaced'
  readonly reason: string
}

/** Whether a ledger lacks what the note says it had. */
export function toLoss(noted: NotedHead, { head, origin, hash, path }: Found): Loss | undefined {
  const had = `${noted.seq} ${noted.seq === 1 ? 'entry' : 'entries'} (head ${noted.hash})`
  const intended = `If that was intended, delete ${path}; otherwise put the state back from where it was moved or from a backup.`
  // An older state has no id, and gets one when it is migrated.
  if (origin.ledger !== undefined && noted.ledger !== origin.ledger)
    return {
      fault: 'replaced',
      reason: `The ledger was replaced: another one with at least ${had} was here. ${intended}`,
    }
  if (head.seq < noted.seq)
    return {
      fault: 'shortened',
      reason: `The ledger was shortened: it had at least ${had} and now ends at ${head.seq}. ${intended}`,
    }
  const isArchived = noted.seq < origin.seq
  if (!isArchived && (noted.seq === origin.seq ? origin.hash : hash) !== noted.hash)
    return { fault: 'replaced', reason: `The ledger was replaced: its entry ${noted.seq} is not the one noted, ${noted.hash}. ${intended}` } // biome-ignore format: one line
  return undefined
}

export function openHeadNote(directory: string): HeadNote {
  const fs = process.getBuiltinModule('node:fs')
  const path = join(directory, 'ledger-head')
  let descriptor: number | undefined

  function read(): NotedHead | undefined {
    try {
      const { ledger, seq, hash } = JSON.parse(fs.readFileSync(path, 'utf8'))
      if (typeof ledger === 'string' && Number.isSafeInteger(seq) && typeof hash === 'string')
        return { ledger, seq, hash }
    } catch {
      // Missing or unreadable: nothing is known, and the next commit to the disk writes it anew.
    }
    return undefined
  }

  /** What cannot be noted is noted by a later commit: the ledger itself is complete without it. */
  function write(head: NotedHead) {
    try {
      descriptor ??= fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o600)
      fs.writeSync(descriptor, `${JSON.stringify(head).padEnd(lineLength - 1)}\n`, 0)
    } catch {}
  }

  function close() {
    if (descriptor !== undefined) fs.closeSync(descriptor)
    descriptor = undefined
  }

  return { path, read, write, close }
}
