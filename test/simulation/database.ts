import type { PGlite, Transaction } from '@electric-sql/pglite'
import type { Connection, Query } from '../../src/runtime/storage/postgres/connection.ts'
import { toPostgresError, toTimeoutError } from '../../src/runtime/storage/postgres/postgres-error.ts'
import { fromStoredText, toStoredText } from '../../src/runtime/storage/postgres/postgres-text.ts'
import type { Replica, World } from './world.ts'

const location = 'the simulated database'
const timeoutMs = 5000

type Values = Parameters<Query> extends [string, ...infer Rest] ? Rest : never

/**
 * A real Postgres, in this process, behind a simulated network: requests and responses are delayed, lost, or arrive after
 * their sender has given up. The statements of the storage engine run in it as they are.
 */
export class SimulatedDatabase {
  readonly #world: World
  readonly #postgres: PGlite
  readonly #listeners = new Set<{ readonly owner: Replica | undefined; readonly onNotice: (payload: string) => void }>()
  /** Restarting, or failing over to its standby. */
  #awayUntil = 0
  #isCalm = false
  /** Changes with each restart: what was in flight before is lost, or took effect without an answer. */
  #epoch = 0
  /** The end of the last transaction: they run one after another. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(world: World, postgres: PGlite) {
    this.#world = world
    this.#postgres = postgres
  }

  /** From now on every message arrives. */
  calm() {
    this.#isCalm = true
  }

  /** Its connections end, and it answers again after a while. */
  restart(ms: number) {
    this.#epoch++
    this.#awayUntil = Math.max(this.#awayUntil, this.#world.now + ms)
  }

  connect(tenant: string): Connection {
    const owner = this.#world.current
    const query: Query = async (text, ...values) => {
      return this.#exchange(owner, async () => {
        const rows = await this.#locked(() => this.#run(this.#postgres, text, values as Values))
        this.#tell(text)
        return rows as never
      })
    }
    return {
      location,
      tenant,
      timeoutMs,
      query,
      transaction: (job) => this.#exchange(owner, () => this.#locked(() => this.#transact(owner, job))),
      listen: (_channel, onNotice) => {
        this.#listeners.add({ owner, onNotice })
      },
      async close() {},
    }
  }

  /** A request and its response. The request may take effect although the response is lost. */
  async #exchange<Result>(owner: Replica | undefined, request: () => Promise<Result>): Promise<Result> {
    const world = this.#world
    const epoch = this.#epoch
    const isLost = () => owner !== undefined && owner.cutOffUntil > world.now
    const isBad = (probability: number) => !this.#isCalm && world.chance(probability)
    if (isLost() || isBad(0.005)) return this.#timeOut()
    // Some requests arrive after their sender has given up on them.
    const isLate = owner !== undefined && isBad(0.002)
    await world.sleep(isLate ? world.between(timeoutMs, 2 * timeoutMs) : toDelay(world))
    if (this.#awayUntil > world.now || epoch !== this.#epoch) {
      await world.sleep(toDelay(world))
      throw toConnectionLost()
    }
    const result = request().then(
      (value) => () => value,
      (cause) => () => {
        throw cause
      },
    )
    result.catch(() => {})
    if (isLate) throw toTimeoutError(location, timeoutMs)
    const settle = await result
    await world.sleep(toDelay(world))
    if (isLost() || isBad(0.005)) return this.#timeOut()
    if (epoch !== this.#epoch) throw toConnectionLost()
    return settle()
  }

  async #timeOut(): Promise<never> {
    if (this.#world.chance(0.5)) {
      await this.#world.sleep(timeoutMs)
      throw toTimeoutError(location, timeoutMs)
    }
    await this.#world.sleep(toDelay(this.#world))
    throw toConnectionLost()
  }

  async #locked<Result>(job: () => Promise<Result>): Promise<Result> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    try {
      return await job()
    } finally {
      resolve()
    }
  }

  /** Statements of one transaction are delayed too; if their process dies, or the database restarts, nothing of it remains. */
  async #transact<Result>(owner: Replica | undefined, job: (query: Query) => Promise<Result>): Promise<Result> {
    const world = this.#world
    const epoch = this.#epoch
    const notices: string[] = []
    const { promise: over, reject: end } = Promise.withResolvers<never>()
    over.catch(() => {})
    // The server ends a transaction whose client is silent. A timer of its own: the client may be dead.
    const stopTimer = world.as(undefined, () => world.after(timeoutMs, () => end(toConnectionLost())))
    const { promise: begun, resolve: begin } = Promise.withResolvers<Transaction>()
    const { promise: outcome, resolve: conclude, reject: abandon } = Promise.withResolvers<void>()
    const done = world.as(undefined, () =>
      this.#postgres.transaction(async (transaction) => {
        begin(transaction)
        await outcome
      }),
    )
    done.catch(() => {})
    const transaction = await world.work(() => begun)
    try {
      const own: Query = async (text, ...values) => {
        await world.sleep(world.between(0.1, 2))
        const rows = await this.#run(transaction, text, values as Values)
        notices.push(text)
        return rows as never
      }
      const result = await Promise.race([world.as(owner, () => job(own)), over])
      if (epoch !== this.#epoch && world.chance(0.5)) throw toConnectionLost()
      conclude()
      await world.work(() => done)
      for (const text of notices) this.#tell(text)
      return result
    } catch (cause) {
      abandon(cause)
      await world.work(() => done.catch(() => {}))
      throw cause
    } finally {
      stopTimer()
    }
  }

  async #run(on: Pick<Transaction, 'query'>, text: string, values: Values): Promise<object[]> {
    const parameters = (values as unknown[]).map((value) => {
      if (typeof value === 'string') return toStoredText(value)
      if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? toStoredText(one) : one))
      return value
    })
    try {
      const { rows } = await this.#world.work(() => on.query<{ [name: string]: unknown }>(text, parameters))
      return rows.map(toRow)
    } catch (cause) {
      throw toPostgresError(cause, location)
    }
  }

  /** Notices arrive late, and some never. */
  #tell(text: string) {
    if (!text.includes('pg_notify')) return
    for (const { owner, onNotice } of this.#listeners)
      if (this.#world.chance(0.7))
        this.#world.as(owner, () => this.#world.after(toDelay(this.#world), () => onNotice('')))
  }
}

/** Mostly a few milliseconds, sometimes much longer. */
function toDelay(world: World): number {
  return world.chance(0.02) ? world.between(50, 3000) : world.between(0.2, 8)
}

function toConnectionLost(): Error {
  return toPostgresError(Object.assign(new Error('The connection was closed'), { code: 'CONNECTION_CLOSED' }), location)
}

function toRow(row: { readonly [name: string]: unknown }): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? fromStoredText(value) : value]),
  )
}
