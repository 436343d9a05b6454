import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const intervalMs = 10_000
const maxEntries = 200_000

/** Calls back once the files in a folder take more than `maxBytes`. Returns a function that stops. */
export function watchFolder(
  folder: string,
  maxBytes: number,
  onExceeded: () => void,
  everyMs = intervalMs,
): () => void {
  // biome-ignore format: one line
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    const isExceeded = await exceeds(folder, maxBytes).catch(() => false)
    isBusy = false
    if (!isExceeded) return
    clearInterval(timer)
    onExceeded()
  }, everyMs).unref()
  return () => clearInterval(timer)
}

/** A folder with very many files counts as too large: reading it would take the machine as well. */
export async function exceeds(folder: string, maxBytes: number): Promise<boolean> {
  const waiting = [folder]
  let bytes = 0
  let entries = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of found) {
      entries++
      const path = join(next, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) bytes += ((await stat(path).catch(() => undefined))?.blocks ?? 0) * 512
      if (bytes > maxBytes || entries > maxEntries) return true
    }
  }
  return false
}
