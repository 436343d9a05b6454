import { randomUUID } from 'node:crypto'

/** A user's question, which may make at most one call. */
export interface Query {
  readonly id: string
  /** The client chose the id, so it can start another query. */
  readonly isNamed?: boolean
  /** True for the first call, false for later ones. `call` identifies the call. */
  take(call?: string): boolean
  /** The call waits for approval: the same call may be repeated, but no other. */
  putOff?(): void
}

/** Begins a query: one question of a user, which may make one call. Pass it as `query` with each call that it makes. */
export function startQuery(named?: string): Query {
  let state: 'free' | 'taken' | 'put off' = 'free'
  let taker: string | undefined
  return {
    id: named ?? randomUUID(),
    isNamed: named !== undefined,
    take(call) {
      if (state === 'taken' || (state === 'put off' && call !== taker)) return false
      state = 'taken'
      taker = call
      return true
    },
    putOff() {
      if (state === 'taken') state = 'put off'
    },
  }
}
