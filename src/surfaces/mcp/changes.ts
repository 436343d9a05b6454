import type { Served } from '../served.ts'
import type { Session } from './found-tools.ts'

/** Somebody who wants to know when the list of tools has changed. */
interface Listener {
  /** Whose list it follows. Absent: it is told only of changes that concern everybody. */
  readonly session?: Session
  /** Tells it. False where its client does not keep up: it is told a little later. */
  tell(): boolean
  /** There will be nothing more to tell. */
  end(): void
}

export interface Changes {
  /** Whether there will ever be something to tell. */
  readonly canChange: boolean
  /** Gives what ends the listening; undefined where too many listen already. */
  listen(listener: Listener): (() => void) | undefined
  /** Announces at once that the list of one session has changed. */
  notifySession(session: Session): void
  /** Ends all listening. */
  close(): void
}

interface ChangesOptions {
  /** Each may hold a connection, and calls need some too. */
  readonly max?: number
  /** Changes within this time are told as one: a server that starts again changes its list several times. */
  readonly gatherMs?: number
  readonly retryMs?: number
  /** The lists of sessions change too, whether the catalog can or not. */
  readonly bySession?: boolean
}

/** Follows the catalog for the clients of one server. */
export function createChanges(catalog: Served['catalog'], options: ChangesOptions = {}): Changes {
  const { max = 256, gatherMs = 50, retryMs = 1000, bySession = false } = options
  const canChange = catalog.canChange || bySession
  const listeners = new Set<Listener>()
  const owed = new Set<Listener>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const forget = canChange ? catalog.onChange(gather) : () => {}

  function gather() {
    for (const listener of listeners) owed.add(listener)
    if (owed.size > 0) timer ??= setTimeout(tell, gatherMs).unref()
  }

  function tell() {
    for (const listener of owed) if (listener.tell()) owed.delete(listener)
    timer = owed.size > 0 ? setTimeout(tell, retryMs).unref() : undefined
  }

  return {
    canChange,
    listen(listener) {
      if (isClosed || listeners.size >= max) return undefined
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        owed.delete(listener)
      }
    },
    notifySession(session) {
      for (const listener of listeners) if (listener.session === session && !listener.tell()) owed.add(listener)
      if (owed.size > 0) timer ??= setTimeout(tell, retryMs).unref()
    },
    close() {
      isClosed = true
      forget()
      clearTimeout(timer)
      for (const { end } of listeners) end()
      listeners.clear()
      owed.clear()
    },
  }
}
