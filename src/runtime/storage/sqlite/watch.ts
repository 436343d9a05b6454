import { type FSWatcher, watch as watchDirectory } from 'node:fs'
import { steadyMs } from '../../../contract/steady-time.ts'
import { isLocal } from '../../../state/change-listener.ts'

/** A burst of changes is reported once, this long after the first. */
const debounceMs = 50
/** A look commits what waits and reads the state, so while changes go on, it is done this often. */
const minGapMs = 400
/** Some file systems do not report every change, so look from time to time as well. */
const lookEveryMs = 1000
/** While the file system reports every change, an idle process sleeps. */
const lookRarelyMs = 10_000

/** Something of the state that can be watched. */
interface Watched {
  /** Another value after each change. */
  readonly version: () => unknown
  /** Runs before the version is read. */
  readonly prepare?: () => Promise<unknown>
}

export interface StateWatch {
  watch(watched: Watched, onChange: () => unknown): () => void
  end(): void
}

/**
 * Watches the state directory, so that replaced files and other processes are noticed. After an event it stops listening until
 * the change is reported: otherwise each append of this process would cost it an event.
 */
export function watchState(directory: string): StateWatch {
  const looks = new Set<() => void>()
  let watcher: FSWatcher | undefined
  let reportsAll = false
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY

  function listen() {
    try {
      watcher = watchDirectory(directory, { persistent: false }, () => {
        stopListening()
        lookIn(Math.max(debounceMs, lookedAt + minGapMs - steadyMs()))
      })
      watcher.on('error', () => {
        stopListening()
        lookIn(lookEveryMs)
      })
      reportsAll = isLocal(directory)
    } catch {
      // The timer remains.
      reportsAll = false
    }
  }

  function stopListening() {
    watcher?.close()
    watcher = undefined
  }

  /** Or earlier, if that is planned. */
  function lookIn(ms: number) {
    const at = steadyMs() + ms
    if (at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(look, ms).unref()
  }

  function look() {
    dueAt = Number.POSITIVE_INFINITY
    lookedAt = steadyMs()
    // First, so that a change during the look causes another.
    if (!watcher) listen()
    for (const each of looks) each()
    lookIn(reportsAll ? lookRarelyMs : lookEveryMs)
  }

  function stop() {
    stopListening()
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }

  function watch({ version, prepare }: Watched, onChange: () => unknown): () => void {
    let last = version()
    let isLooking = false
    const lookOnce = async () => {
      // What changes during a look may be missing from it.
      if (isLooking) return lookIn(lookEveryMs)
      isLooking = true
      try {
        await prepare?.()
        const now = version()
        if (now === last || !looks.has(lookOnce)) return
        last = now
        await onChange()
      } catch {
        // The storage fails or is closed.
        if (looks.has(lookOnce)) lookIn(lookEveryMs)
      } finally {
        isLooking = false
      }
    }
    looks.add(lookOnce)
    if (looks.size === 1) {
      listen()
      lookIn(reportsAll ? lookRarelyMs : lookEveryMs)
    }
    return () => {
      looks.delete(lookOnce)
      if (looks.size === 0) stop()
    }
  }

  function end() {
    looks.clear()
    stop()
  }

  return { watch, end }
}
