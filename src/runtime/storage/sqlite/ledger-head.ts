import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type ChainPlace, chainStart } from '../ledger-chain.ts'

/**
 * The head of the ledger after a recent commit, in a file beside the database, to detect a database that was emptied,
 * replaced or rolled back.
 *
 * Invariant: the file may lag behind the ledger but must never be ahead. It is written after the commit, in place and without
 * fsync. A commit without fsync can be lost in a power failure while the file survives, so the head of such a commit counts
 * only until the system restarts.
 */
export interface NotedHead extends ChainPlace {
  /** Id of the ledger, created with the database. */
  readonly ledger: string
}

/** The file: the head of the last fsynced commit, and of a later commit without fsync. */
interface NoteLine extends NotedHead {
  readonly recent?: ChainPlace & { readonly boot: string }
}

/** One sector, so that a power failure leaves either the old or the new line. */
const lineLength = 512

export interface HeadNote {
  readonly path: string
  read(): NotedHead | undefined
  write(head: NotedHead, options: { durable: boolean }): void
  close(): void
}

/** The ledger that is compared with the file. */
interface Found {
  readonly head: ChainPlace
  readonly origin: ChainPlace & { readonly ledger: string | undefined }
  /** Hash of the entry with the recorded number. */
  readonly hash: string | undefined
  /** Path of the head file. */
  readonly path: string
}

export interface Loss {
  readonly fault: 'shortened' | 'replaced'
  readonly reason: string
}

/** What the ledger lost compared with the recorded head; undefined if nothing. */
export function toLoss(noted: NotedHead, { head, origin, hash, path }: Found): Loss | undefined {
  const had = `at least ${noted.seq} ${noted.seq === 1 ? 'entry' : 'entries'} (head ${noted.hash})`
  const intended = `If that was intended, delete ${path}; otherwise put the state back from where it was moved or from a backup.`
  // Older states have no id until they are migrated.
  if (origin.ledger !== undefined && noted.ledger !== origin.ledger)
    return {
      fault: 'replaced',
      reason: `The ledger was replaced: before, another ledger ${noted.seq === 0 ? '' : `with ${had} `}was here. ${intended}`,
    }
  if (head.seq < noted.seq)
    return {
      fault: 'shortened',
      reason: `The ledger was shortened: it had ${had}, and now it has ${head.seq}. ${intended}`,
    }
  const isArchived = noted.seq < origin.seq
  if (!isArchived && (noted.seq === origin.seq ? origin.hash : hash) !== noted.hash)
    return { fault: 'replaced', reason: `The ledger was replaced: its entry ${noted.seq} is not the one noted, ${noted.hash}. ${intended}` } // biome-ignore format: one line
  return undefined
}

export function openHeadNote(directory: string): HeadNote {
  const path = join(directory, 'ledger-head')
  let descriptor: number | undefined
  let boot: string | undefined

  function read(): NotedHead | undefined {
    const line = readLine()
    if (!line) return undefined
    const { recent, ...durable } = line
    if (!recent || recent.boot !== readBoot() || recent.seq <= durable.seq) return durable
    return { ledger: durable.ledger, seq: recent.seq, hash: recent.hash }
  }

  function readLine(): NoteLine | undefined {
    try {
      const { ledger, seq, hash, recent } = JSON.parse(readFileSync(path, 'utf8').split('\n', 1)[0]!)
      if (typeof ledger !== 'string' || !isPlace({ seq, hash })) return undefined
      return { ledger, seq, hash, ...(recent && isPlace(recent) && { recent }) }
    } catch {
      // Missing or unreadable: the next commit writes it.
      return undefined
    }
  }

  /** Failures are ignored: a later commit writes the head, and the ledger is complete without it. */
  function write(head: NotedHead, { durable }: { durable: boolean }) {
    try {
      const line = durable ? head : toRecent(head)
      if (!line) return
      descriptor ??= openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
      writeSync(descriptor, `${JSON.stringify(line).padEnd(lineLength - 1)}\n`, 0)
    } catch {}
  }

  /** Keeps the fsynced head, which another process may have written. */
  function toRecent({ ledger, seq, hash }: NotedHead): NoteLine | undefined {
    const boot = readBoot()
    return boot === undefined
      ? undefined
      : { ...(readLine() ?? { ...chainStart, ledger }), recent: { seq, hash, boot } }
  }

  /** Changes with each boot. Available as a file on Linux only. */
  function readBoot(): string | undefined {
    if (boot === undefined && process.platform === 'linux')
      try {
        boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      } catch {}
    return boot
  }

  function close() {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }

  return { path, read, write, close }
}

function isPlace({ seq, hash }: Partial<ChainPlace>): boolean {
  return Number.isSafeInteger(seq) && typeof hash === 'string'
}
