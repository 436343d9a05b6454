import { createHash } from 'node:crypto'
import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from './file-error.ts'

/** How many lines a file had after the last append, and how to detect that it has changed since. */
export interface LineCount {
  readonly device: string
  readonly inode: string
  /** The offset up to which lines were counted. */
  readonly size: number
  /** Newlines up to that offset. */
  readonly lines: number
  /** When the file last changed, in nanoseconds. */
  readonly changed: string
  /** Digest of the last bytes before that offset. */
  readonly ending: string
}

/** Line counts of the files that are appended to, and the locks for appending. */
export interface LineCounts {
  /** Runs this process's jobs on one file sequentially, in order of arrival. */
  inTurn<Result>(file: string, job: () => Promise<Result>): Promise<Result>
  /** Runs `job` while no other process with the same directory appends to that file, and passes it the stored count. */
  exclusively<Result>(file: string, job: CountingJob<Result>): Promise<Result>
}

type CountingJob<Result> = (remembered: LineCount | undefined) => {
  readonly result: Result
  readonly count: LineCount
}

const maxWaitMs = 20_000

/** Without a directory there is no lock between processes, and a new process recounts. */
export function openLineCounts(directory?: string): LineCounts {
  const turns = new Map<string, Promise<unknown>>()
  const counts = new Map<string, LineCount>()

  function inTurn<Result>(file: string, job: () => Promise<Result>): Promise<Result> {
    const turn = (turns.get(file) ?? Promise.resolve()).then(job, job)
    turns.set(file, turn)
    const leave = () => turns.get(file) === turn && turns.delete(file)
    turn.then(leave, leave)
    return turn
  }

  async function exclusively<Result>(file: string, job: CountingJob<Result>): Promise<Result> {
    if (directory === undefined) {
      const { result, count } = job(counts.get(file))
      counts.set(file, count)
      return result
    }
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const place = join(directory, createHash('sha256').update(file).digest('hex').slice(0, 32))
    return underLock(`${place}.lock`, () => {
      const { result, count } = job(read(`${place}.count`))
      write(`${place}.count`, count)
      return result
    })
  }

  return { inTurn, exclusively }
}

async function underLock<Result>(path: string, job: () => Result): Promise<Result> {
  // Loaded lazily: the lock module takes time to load, and most calls append nothing.
  const { withFileLock } = await import('../../state/file-lock.ts')
  let begun = false
  try {
    return await withFileLock(path, maxWaitMs, () => {
      begun = true
      return job()
    })
  } catch (error) {
    if (begun) throw error
    throw fileError('io_failed', 'Another process holds the lock on the file, or the state directory is unusable', error) // biome-ignore format: one line
  }
}

/** Undefined if it cannot be read: then the lines are recounted. */
function read(path: string): LineCount | undefined {
  try {
    const count = JSON.parse(readFileSync(path, 'utf8')) as LineCount
    return Number.isSafeInteger(count.size) && Number.isSafeInteger(count.lines) ? count : undefined
  } catch {
    return undefined
  }
}

/** In place, in one write of a fixed length: readers never see half of it, and no flush is needed. */
function write(path: string, count: LineCount): void {
  try {
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      writeSync(descriptor, JSON.stringify(count).padEnd(recordLength), 0)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The entry is written. The stored count is then that of an earlier append, which is still valid.
  }
}

const recordLength = 512
