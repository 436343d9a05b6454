import type { CallEvent, Observe } from '../../runtime/pipeline/call-event.ts'

/** Passes the events of calls on to whoever listens. While nobody does, no events are made. */
export interface CallEvents {
  /** The option `observe` of `openToolpact`. */
  readonly observe: Observe
  /** Returns a function that stops listening. */
  listen(listener: (event: CallEvent) => void): () => void
}

export function createCallEvents(): CallEvents {
  const listeners = new Set<(event: CallEvent) => void>()
  const observe = Object.assign(
    (event: CallEvent) => {
      for (const listener of listeners) listener(event)
    },
    { isIdle: true },
  )
  return {
    observe,
    listen(listener) {
      listeners.add(listener)
      observe.isIdle = false
      return () => {
        listeners.delete(listener)
        observe.isIdle = listeners.size === 0
      }
    },
  }
}
