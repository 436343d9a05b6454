import type { listChanged } from '../../protocol/reply.ts'
import type { Served } from '../served.ts'
import type { Session } from './found-tools.ts'

export type ListKind = keyof typeof listChanged

const allKinds: readonly ListKind[] = ['tools', 'prompts', 'resources']

/** Is notified when a list changes. */
interface Listener {
  /** The session whose list it follows. Absent: only changes that affect every session. */
  readonly session?: Session
  /** The caller that listens, if there are several. */
  readonly caller?: string
  /** Returns false if the client is congested: it is retried later. */
  notify(kinds: readonly ListKind[]): boolean
  /** No more changes follow. */
  end(): void
}

export interface Changes {
  /** Whether changes are possible at all. */
  readonly canChange: boolean
  /** Returns the unsubscribe function; undefined if there are too many listeners. */
  listen(listener: Listener): (() => void) | undefined
  /** Announces immediately that the list of one session has changed. */
  notifySession(session: Session): void
  /** Ends all subscriptions. */
  close(): void
}

interface ChangesOptions {
  /** Each may hold a connection, which calls need too. One caller gets half of them, so that it cannot shut out the others. */
  readonly max?: number
  /** Debounce: a restarting server changes its list several times. */
  readonly gatherMs?: number
  readonly retryMs?: number
  /** Lists of sessions can change even if the catalog cannot. */
  readonly bySession?: boolean
}

/** Notifies the clients of a server of changes of the catalog. */
export function createChanges(catalog: Served['catalog'], options: ChangesOptions = {}): Changes {
  const { max = 256, gatherMs = 50, retryMs = 1000, bySession = false } = options
  const canChange = catalog.canChange || bySession
  const listeners = new Set<Listener>()
  const isTooMany = (caller: string | undefined) =>
    listeners.size >= max ||
    (caller !== undefined && [...listeners].filter((listener) => listener.caller === caller).length >= max / 2)
  const owed = new Set<Listener>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const forget = canChange ? catalog.onChange(gather) : () => {}

  function gather() {
    for (const listener of listeners) owed.add(listener)
    if (owed.size > 0) timer ??= setTimeout(notifyAll, gatherMs).unref()
  }

  function notifyAll() {
    for (const listener of owed) if (listener.notify(allKinds)) owed.delete(listener)
    timer = owed.size > 0 ? setTimeout(notifyAll, retryMs).unref() : undefined
  }

  return {
    canChange,
    listen(listener) {
      if (isClosed || isTooMany(listener.caller)) return undefined
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        owed.delete(listener)
      }
    },
    notifySession(session) {
      for (const listener of listeners)
        if (listener.session === session && !listener.notify(['tools'])) owed.add(listener)
      if (owed.size > 0) timer ??= setTimeout(notifyAll, retryMs).unref()
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
