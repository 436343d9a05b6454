import { join } from 'node:path'
import { type ChainPlace, chainStart } from '../ledger-chain.ts'

/**
 * The head of the ledger after a recent commit, noted in a file beside the database, so that a database that was emptied,
 * replaced or put back to an older state is recognised. The note is written after the commit, in place and without waiting
 * for the disk. It may lag behind but must never be ahead. A commit that did not wait for the disk can be lost with the
 * power while its note survives, so such a note counts only until the system restarts.
 */
export interface NotedHead extends ChainPlace {
  /** Id of the ledger, made with the database. */
  readonly ledger: string
}

/** The content of the file: the head of the last commit that waited for the disk, and that of a later one that did not. */
interface NoteLine extends NotedHead {
  readonly recent?: ChainPlace & { readonly boot: string }
}

/** One sector, so that a loss of power leaves the old line or the new one. */
const lineLength = 512

export interface HeadNote {
  readonly path: string
  read(): NotedHead | undefined
  write(head: NotedHead, options: { durable: boolean }): void
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
  const had = `at least ${noted.seq} ${noted.seq === 1 ? 'entry' : 'entries'} (head ${noted.hash})`
  const intended = `If that was intended, delete ${path}; otherwise put the state back from where it was moved or from a backup.`
  // An older state has no id, and gets one when it is migrated.
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
  const fs = process.getBuiltinModule('node:fs')
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
      const { ledger, seq, hash, recent } = JSON.parse(fs.readFileSync(path, 'utf8').split('\n', 1)[0]!)
      if (typeof ledger !== 'string' || !isPlace({ seq, hash })) return undefined
      return { ledger, seq, hash, ...(recent && isPlace(recent) && { recent }) }
    } catch {
      // Missing or unreadable: nothing is known, and the next commit writes it anew.
      return undefined
    }
  }

  /** What cannot be noted is noted by a later commit: the ledger itself is complete without it. */
  function write(head: NotedHead, { durable }: { durable: boolean }) {
    try {
      const line = durable ? head : toRecent(head)
      if (!line) return
      descriptor ??= fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o600)
      fs.writeSync(descriptor, `${JSON.stringify(line).padEnd(lineLength - 1)}\n`, 0)
    } catch {}
  }

  /** The durable head stays: another process may have noted it. */
  function toRecent({ ledger, seq, hash }: NotedHead): NoteLine | undefined {
    const boot = readBoot()
    return boot === undefined
      ? undefined
      : { ...(readLine() ?? { ...chainStart, ledger }), recent: { seq, hash, boot } }
  }

  /** Differs after each start of the system. Only Linux has it as a file. */
  function readBoot(): string | undefined {
    if (boot === undefined && process.platform === 'linux')
      try {
        boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      } catch {}
    return boot
  }

  function close() {
    if (descriptor !== undefined) fs.closeSync(descriptor)
    descriptor = undefined
  }

  return { path, read, write, close }
}

function isPlace({ seq, hash }: Partial<ChainPlace>): boolean {
  return Number.isSafeInteger(seq) && typeof hash === 'string'
}
