import { toClosedError } from '../../../contract/toolpact-error.ts'
import type { HealthTracker } from '../health.ts'
import type { Database } from './database.ts'
import { toStorageError } from './sqlite-error.ts'
import type { WriteTurns } from './write-turns.ts'

/** Jobs that share one transaction. */
export interface Batch {
  durable: boolean
  /** Runs `job` within the transaction. Resolves with its result after the commit, never before. */
  add<Result>(job: () => Result): Promise<Result>
}

export interface GroupCommit {
  /** The batch that commits at the end of this turn of the event loop. Jobs added before that share the commit. */
  next(): Batch
  /** The same batch, without forcing a commit: waits for the next one, or for a timer. */
  later(): Batch
  /** Runs `job` at once in its own transaction. For maintenance: failures are ignored. */
  now(job: () => unknown): void
  /** Runs maintenance after some commits, once their callers were answered, and at the end. `job` returns whether work is left. */
  onQuiet(job: () => boolean): void
  /** Writes the log to the database if it is long. Waits for the disk. */
  checkpoint(): void
  /** Commits pending jobs and rejects new ones. */
  end(): void
}

interface Member {
  readonly job: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
  result?: unknown
}

/** Commits between two checks of the WAL size. */
const commitsBetweenLooks = 16
/** 4 MB. A longer WAL means fewer but longer checkpoints. */
const pagesWhileOpen = 1024
/** 2 MB, which costs the next process about 1 ms to open. */
const pagesAtEnd = 512
/** Limit of maintenance at the end. The next process continues. */
const maxTurnsAtEnd = 16
/** Max delay of a job that waits for other jobs to share a commit. */
const maxWaitMs = 50

interface GroupCommitOptions {
  readonly health: HealthTracker
  readonly turns: WriteTurns
}

export function createGroupCommit(database: Database, { health, turns }: GroupCommitOptions): GroupCommit {
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
      turns.take(() => runInTransaction(batch))
    } catch (error) {
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
    try {
      database.requireInPlace()
      database.setSynchronous(durable ? 'FULL' : 'NORMAL')
      database.sql('BEGIN IMMEDIATE').run()
      for (const member of members) member.result = member.job()
      database.sql('COMMIT').run()
      // Check again before acknowledging: the file may have been moved during the commit.
      database.requireInPlace()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function rollBack() {
    try {
      if (database.isTransaction) database.sql('ROLLBACK').run()
    } catch {
      // Report the original failure, not this one.
    }
  }

  /** Runs after the callers were answered. */
  function look() {
    if (ended) return
    if (keepUp()) setImmediate(look)
  }

  function keepUp(): boolean {
    try {
      return upkeep.map((job) => job()).includes(true)
    } catch {
      // No caller waits for it, and the next commit reports the problem.
      return false
    }
  }

  function now(job: () => unknown) {
    turns.take(() => {
      try {
        database.requireInPlace()
        database.setSynchronous('NORMAL')
        database.sql('BEGIN IMMEDIATE').run()
        job()
        database.sql('COMMIT').run()
      } catch {
        rollBack()
      }
    })
  }

  function end() {
    if (ended) return
    commit()
    for (let turn = 0; turn < maxTurnsAtEnd && keepUp(); turn++) {}
    ended = true
    database.checkpointFrom(pagesAtEnd)
  }

  return { next, later, now, onQuiet: (job) => upkeep.push(job), checkpoint: () => database.checkpointFrom(pagesWhileOpen), end } // biome-ignore format: one line
}

function createBatch() {
  const members: Member[] = []
  const add = <Result>(job: () => Result) =>
    new Promise<Result>((resolve, reject) => members.push({ job, resolve, reject }))
  return { durable: false, members, add }
}
