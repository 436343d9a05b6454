import { lstat, opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isTemporaryName } from './temporary-name.ts'

/** A write takes seconds at most, so an older file belongs to a process that was killed. */
const leftAfterMs = 10 * 60_000
/** Huge workspaces are not walked completely. Files that remain are hidden from tools anyway. */
const maxEntries = 100_000
const maxDepth = 20
const skipped = new Set(['.git', 'node_modules'])

/** Removes temporary files that killed processes left in a workspace. Returns how many. */
export async function sweepTemporaryFiles(root: string, signal: AbortSignal): Promise<number> {
  let entries = 0
  let removed = 0

  async function enter(directory: string, depth: number): Promise<void> {
    const found = await opendir(directory).catch(() => undefined)
    if (!found) return
    for await (const entry of found) {
      if (signal.aborted || ++entries > maxEntries) return
      const path = join(directory, entry.name)
      // A file that cannot be removed, or is gone already, must not stop the sweep.
      if (entry.isFile() && isTemporaryName(entry.name)) await removeIfLeft(path).catch(() => {})
      else if (entry.isDirectory() && depth < maxDepth && !skipped.has(entry.name))
        await enter(path, depth + 1).catch(() => {})
    }
  }

  async function removeIfLeft(path: string) {
    const { mtimeMs } = await lstat(path)
    if (Date.now() - mtimeMs < leftAfterMs) return
    await rm(path, { force: true })
    removed++
  }

  // Unreadable folders stay, and are not listed.
  await enter(root, 0).catch(() => {})
  return removed
}
