import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolpactError } from '../contract/toolpact-error.ts'

/**
 * Runs `job` while no other process runs one under the same lock. The lock is that of SQLite on an empty file: the
 * system lets go of it when its process dies, so that none is ever left behind, and nobody must guess whether it was.
 */
export async function withFileLock<Result>(path: string, timeoutMs: number, job: () => Result): Promise<Result> {
  closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    await takeLock(lock, path, performance.now() + timeoutMs)
    return job()
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
        throw new ToolpactError('storage_unavailable', `Another process has kept ${path} locked: find out which, or wait until it is done, and try again.`, { cause }) // biome-ignore format: one line
    }
    // Not all in step, or the same ones would lose each time.
    await sleep(2 + Math.random() * 10)
  }
}
