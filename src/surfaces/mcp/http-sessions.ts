import { randomUUID } from 'node:crypto'
import { isPublicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Connection } from './connection.ts'

/** Separate limit for public sessions: they evict only each other, never those of other callers. */
const maxPublic = 50

interface SessionOptions {
  readonly idleMs: number
  readonly max: number
  /** Makes the id of a session from a random one. */
  readonly toId?: ((id: string) => string) | undefined
}

interface Session {
  readonly connection: Connection
  usedAt: number
}

/** Sessions of clients that sent `initialize`. Each belongs to the caller that opened it. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>()
  readonly #options: SessionOptions

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /**
   * Returns its id. Above the limit, the least recently used session of the caller with the most of them is evicted, so that a
   * caller that opens many cannot end those of others. Undefined if all are busy.
   */
  add(connection: Connection): string | undefined {
    const isOfPublic = isPublicCaller(connection.caller)
    const isFull = isOfPublic ? this.#countPublic() >= maxPublic : this.#sessions.size >= this.#options.max
    if (isFull) {
      const most = isOfPublic ? connection.caller.name : this.#findBusiestCaller()
      const idlest = this.#findIdlest(most) ?? (isOfPublic ? undefined : this.#findIdlest())
      if (idlest === undefined) return undefined
      this.end(idlest)
    }
    const id = this.#options.toId?.(randomUUID()) ?? randomUUID()
    this.#sessions.set(id, { connection, usedAt: performance.now() })
    return id
  }

  find(id: string, caller: Caller): Connection | undefined {
    const session = this.#sessions.get(id)
    if (session?.connection.caller.name !== caller.name) return undefined
    session.usedAt = performance.now()
    return session.connection
  }

  end(id: string) {
    this.#sessions.get(id)?.connection.close()
    this.#sessions.delete(id)
  }

  /** Ends idle sessions. Returns the ms until the next one can expire; undefined without sessions. */
  sweep(): number | undefined {
    const since = performance.now() - this.#options.idleMs
    for (const [id, { connection, usedAt }] of this.#sessions) {
      if (usedAt < since && connection.callsInFlight === 0 && !connection.hasStream) this.end(id)
    }
    if (this.#sessions.size === 0) return undefined
    return Math.min(...[...this.#sessions.values()].map(({ usedAt }) => usedAt)) - since
  }

  close() {
    for (const id of this.#sessions.keys()) this.end(id)
  }

  #countPublic(): number {
    return [...this.#sessions.values()].filter(({ connection }) => isPublicCaller(connection.caller)).length
  }

  #findBusiestCaller(): string | undefined {
    const counts = new Map<string, number>()
    for (const { connection } of this.#sessions.values())
      counts.set(connection.caller.name, (counts.get(connection.caller.name) ?? 0) + 1)
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
  }

  /** Of one caller, or of all. */
  #findIdlest(caller?: string): string | undefined {
    let idlest: string | undefined
    let least = Infinity
    for (const [id, { connection, usedAt }] of this.#sessions) {
      if (connection.callsInFlight > 0 || usedAt >= least) continue
      if (caller !== undefined && connection.caller.name !== caller) continue
      idlest = id
      least = usedAt
    }
    return idlest
  }
}
