import { randomUUID } from 'node:crypto'

/** One question of a user, which may make at most one call. */
export interface Query {
  readonly id: string
  /** True the first time, false ever after. */
  take(): boolean
}

export function startQuery(id: string = randomUUID()): Query {
  let used = false
  return {
    id,
    take() {
      if (used) return false
      used = true
      return true
    },
  }
}
