import type { Connection } from './connection.ts'

/** A version this recent is used without asking again, so a change reaches every replica within a second. */
const freshMs = 300
/** After a failure, if older versions are used meanwhile. */
const retryMs = 1000
/** While something is watched. Polling is what guarantees; a notice only makes it sooner. */
const pollMs = 500

/** Versions of documents and of the queue, read together. */
export interface Versions {
  /** At most 300 ms old. Available at once if it was read recently. */
  get(name: string): number | Promise<number>
  /** After a change of this process. */
  set(name: string, version: number): void
  /** Calls `onChange` soon after any process changed it. Returns what stops it. */
  watch(name: string, onChange: () => unknown): () => void
  /** Looks at once: something may have changed. */
  look(): void
  end(): void
}

export function openVersions(
  { tenant, query }: Connection,
  {
    maxStaleMs = 0,
  }: { /** While they cannot be read, older ones are used for this long. */ readonly maxStaleMs?: number } = {},
): Versions {
  const known = new Map<string, number>()
  const watchers = new Set<{ readonly name: string; seen: number; readonly onChange: () => unknown }>()
  let readAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function read(): Promise<void> {
    reading ??= readAll().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function readAll() {
    const startedAt = performance.now()
    const find = 'SELECT name, version FROM documents WHERE tenant = $1'
    const rows = await query<{ name: string; version: number }>(find, tenant)
    // A change of this process may have been noted in the meantime.
    for (const { name, version } of rows) known.set(name, Math.max(version, known.get(name) ?? 0))
    readAt = startedAt
    report()
  }

  function report() {
    for (const watcher of watchers) {
      const version = known.get(watcher.name) ?? 0
      if (watcher.seen === version) continue
      watcher.seen = version
      watcher.onChange()
    }
  }

  function look() {
    if (watchers.size > 0) read().catch(() => {})
  }

  return {
    get(name) {
      const now = performance.now()
      const isStaleUsed = now - readAt < maxStaleMs
      // A database that hangs must not hold up every call.
      if (now - readAt < freshMs || (isStaleUsed && now - failedAt < retryMs)) return known.get(name) ?? 0
      const looked = read().catch((error) => {
        failedAt = performance.now()
        if (!isStaleUsed) throw error
      })
      return looked.then(() => known.get(name) ?? 0)
    },
    set(name, version) {
      known.set(name, Math.max(version, known.get(name) ?? 0))
      report()
    },
    watch(name, onChange) {
      const watcher = { name, seen: known.get(name) ?? 0, onChange }
      watchers.add(watcher)
      timer ??= setInterval(look, pollMs).unref()
      return () => {
        watchers.delete(watcher)
        if (watchers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    look,
    end() {
      watchers.clear()
      clearInterval(timer)
    },
  }
}
