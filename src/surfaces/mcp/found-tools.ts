import type { Exchange } from './connection.ts'

/** The owner of a list of found tools: the connection or, for stateless requests, the caller. */
export type Session = object | string

export function toSession({ connection, caller }: Exchange): Session {
  return connection ?? caller.name
}

const maxTools = 40
const maxCallers = 1000

/** The tools that each session has found, most recent first. */
export class FoundTools {
  /** Released with the connection. */
  readonly #byConnection = new WeakMap<object, readonly string[]>()
  readonly #byCaller = new Map<string, readonly string[]>()

  of(session: Session): readonly string[] {
    return (typeof session === 'string' ? this.#byCaller.get(session) : this.#byConnection.get(session)) ?? []
  }

  /** Returns whether the session has found something new. */
  add(session: Session, ids: readonly string[]): boolean {
    const known = this.of(session)
    const next = [...new Set([...ids, ...known])].slice(0, maxTools)
    if (typeof session === 'object') this.#byConnection.set(session, next)
    else {
      this.#byCaller.delete(session)
      this.#byCaller.set(session, next)
      if (this.#byCaller.size > maxCallers) this.#byCaller.delete(this.#byCaller.keys().next().value!)
    }
    return ids.some((id) => !known.includes(id))
  }
}
