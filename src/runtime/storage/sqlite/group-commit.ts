import { toClosedError } from '../../../contract/toolpact-error.ts'
import type { Database } from './database.ts'
import type { HealthTracker } from './health.ts'
import { toStorageError } from './sqlite-error.ts'

/** What is committed together, in one transaction. */
export interface Batch {
  durable: boolean
  /** Runs `job` within the transaction. Resolves with what it gave once that is committed, never before. */
  add<Result>(job: () => Result): Promise<Result>
}

export interface GroupCommit {
  /** The batch that is committed next, in this turn of the event loop. Whoever comes before that shares its one commit. */
  next(): Batch
  /** The same batch, for what can wait a moment: for the next commit that somebody needs, or for a timer. */
  later(): Batch
  /** Runs `job` in a transaction of its own, at once. For upkeep that no caller waits for: a failure is ignored. */
  now(job: () => unknown): void
  /** Runs `job` now and then after commits, once their callers were answered, and at the end. Gives whether more is left. */
  onQuiet(job: () => boolean): void
  /** Commits what waits, and takes no more. */
  end(): void
}

interface Member {
  readonly job: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
  result?: unknown
}

/** How many commits pass between two looks at the size of the log. */
const commitsBetweenLooks = 16
/** Four megabytes: the longer the log, the fewer the waits for the disk, and the longer each. */
const pagesWhileOpen = 1024
/** Two megabytes, which cost the next process about a millisecond to open. */
const pagesAtEnd = 512
/** Of upkeep: the next process does what is left. */
const maxTurnsAtEnd = 16
/** The longest that anything waits for company. */
const maxWaitMs = 50

export function createGroupCommit(database: Database, health: HealthTracker): GroupCommit {
  let waiting: (Batch & { members: Member[] }) | undefined
  let soon: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined
  let commits = 0
  let ended = false
  const upkeep: (() => boolean)[] = []

  function next(): Batch {
    const batch = open()
    soon ??= setImmediate(commit)
    return batch
  }

  function later(): Batch {
    const batch = open()
    if (!soon) timer ??= setTimeout(commit, maxWaitMs)
    return batch
  }

  function open() {
    if (ended) throw toClosedError()
    waiting ??= createBatch()
    return waiting
  }

  function commit() {
    const batch = waiting
    waiting = undefined
    clearImmediate(soon)
    clearTimeout(timer)
    soon = undefined
    timer = undefined
    if (!batch) return
    try {
      runInTransaction(batch)
    } catch (error) {
      rollBack()
      const failure = toStorageError(error, database.path)
      health.failed(failure)
      for (const { reject } of batch.members) reject(failure)
      return
    }
    health.succeeded()
    for (const { resolve, result } of batch.members) resolve(result as never)
    commits += 1
    if (commits % commitsBetweenLooks === 0) setImmediate(look)
  }

  function runInTransaction({ durable, members }: { durable: boolean; members: Member[] }) {
    database.requireInPlace()
    database.setSynchronous(durable ? 'FULL' : 'NORMAL')
    database.sql('BEGIN IMMEDIATE').run()
    for (const member of members) member.result = member.job()
    database.sql('COMMIT').run()
    // Again, before anything is acknowledged: the file may have been moved meanwhile.
    database.requireInPlace()
  }

  function rollBack() {
    try {
      if (database.isTransaction) database.sql('ROLLBACK').run()
    } catch {
      // The failure that led here is the one to tell.
    }
  }

  /** After the callers have been answered. */
  function look() {
    if (ended) return
    if (keepUp()) setImmediate(look)
    database.checkpointFrom(pagesWhileOpen)
  }

  function keepUp(): boolean {
    try {
      return upkeep.map((job) => job()).includes(true)
    } catch {
      // Nobody waits for it, and the next commit tells what is wrong.
      return false
    }
  }

  function now(job: () => unknown) {
    try {
      database.requireInPlace()
      database.setSynchronous('NORMAL')
      database.sql('BEGIN IMMEDIATE').run()
      job()
      database.sql('COMMIT').run()
    } catch {
      rollBack()
    }
  }

  function end() {
    if (ended) return
    commit()
    for (let turn = 0; turn < maxTurnsAtEnd && keepUp(); turn++) {}
    ended = true
    database.checkpointFrom(pagesAtEnd)
  }

  return { next, later, now, onQuiet: (job) => upkeep.push(job), end }
}

function createBatch() {
  const members: Member[] = []
  const add = <Result>(job: () => Result) =>
    new Promise<Result>((resolve, reject) => members.push({ job, resolve, reject }))
  return { durable: false, members, add }
}
