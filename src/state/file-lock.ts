import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolpactError } from '../contract/toolpact-error.ts'

/**
 * Runs `job` under a lock across processes. The lock is SQLite's lock on an empty file: the system releases it when the
 * process ends, so there are no stale locks.
 */
export async function withFileLock<Result>(
  path: string,
  timeoutMs: number,
  job: () => Result | Promise<Result>,
): Promise<Result> {
  closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    await takeLock(lock, path, performance.now() + timeoutMs)
    return await job()
  } finally {
    lock.close()
  }
}

async function takeLock(lock: DatabaseSync, path: string, end: number) {
  while (true) {
    try {
      return lock.exec('BEGIN EXCLUSIVE')
    } catch (cause) {
      if (((cause as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw cause
      if (performance.now() >= end)
        throw new ToolpactError('storage_unavailable', `Another process holds the lock ${path}. Wait until it is done, and try again.`, { cause }) // biome-ignore format: one line
    }
    // Random delay, so that the same waiters do not lose every time.
    await sleep(2 + Math.random() * 10)
  }
}
