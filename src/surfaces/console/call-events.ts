import type { CallEvent, Observe } from '../../runtime/pipeline/call-event.ts'

/** Passes the events of calls on to whoever listens. While nobody does, no events are made. */
export interface CallEvents {
  /** The option `observe` of `openToolpact`. */
  readonly observe: Observe
  listen(listener: (event: CallEvent) => void): Listening
}

interface Listening {
  /** While every listener pauses, calls that begin are not observed; those that were are, to their end. */
  pause(isPaused: boolean): void
  stop(): void
}

export function createCallEvents(): CallEvents {
  /** Whether each listener pauses. */
  const listeners = new Map<(event: CallEvent) => void, boolean>()
  const observe = Object.assign(
    (event: CallEvent) => {
      for (const listener of listeners.keys()) listener(event)
    },
    { isIdle: true },
  )
  const update = () => {
    observe.isIdle = [...listeners.values()].every((isPaused) => isPaused)
  }
  return {
    observe,
    listen(listener) {
      listeners.set(listener, false)
      update()
      return {
        pause(isPaused) {
          listeners.set(listener, isPaused)
          update()
        },
        stop() {
          listeners.delete(listener)
          update()
        },
      }
    },
  }
}
