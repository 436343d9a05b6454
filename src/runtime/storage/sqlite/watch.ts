import { type FSWatcher, watch as watchDirectory } from 'node:fs'
import { steadyMs } from '../../../contract/steady-time.ts'

/** A burst of changes is reported once, this long after the first. */
const debounceMs = 50
/** A look commits what waits and reads the state, so while changes go on, it is done this often. */
const minGapMs = 400
/** Some file systems report no changes, so look from time to time as well. */
const lookEveryMs = 1000

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
  let soon: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  function listen() {
    try {
      watcher = watchDirectory(directory, { persistent: false }, () => {
        stopListening()
        soon ??= setTimeout(look, Math.max(debounceMs, lookedAt + minGapMs - steadyMs())).unref()
      })
      watcher.on('error', stopListening)
    } catch {
      // The timer remains.
    }
  }

  function stopListening() {
    watcher?.close()
    watcher = undefined
  }

  function look() {
    soon = undefined
    lookedAt = steadyMs()
    // First, so that a change during the look causes another.
    if (!watcher) listen()
    for (const each of looks) each()
  }

  function stop() {
    stopListening()
    clearTimeout(soon)
    clearInterval(timer)
    soon = undefined
    timer = undefined
  }

  function watch({ version, prepare }: Watched, onChange: () => unknown): () => void {
    let last = version()
    let isLooking = false
    const lookOnce = async () => {
      if (isLooking) return
      isLooking = true
      try {
        await prepare?.()
        const now = version()
        if (now === last || !looks.has(lookOnce)) return
        last = now
        await onChange()
      } catch {
        // The storage fails or is closed; the next look tries again.
      } finally {
        isLooking = false
      }
    }
    looks.add(lookOnce)
    if (looks.size === 1) {
      listen()
      timer = setInterval(look, lookEveryMs).unref()
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
