import type { PGlite, Transaction } from '@electric-sql/pglite'
import type { Connection, Query } from '../../src/runtime/storage/postgres/connection.ts'
import { toPostgresError, toTimeoutError } from '../../src/runtime/storage/postgres/postgres-error.ts'
import { fromStoredText, toStoredText } from '../../src/runtime/storage/postgres/postgres-text.ts'
import type { Replica, World } from './world.ts'

const location = 'the simulated database'
const timeoutMs = 5000

type Values = Parameters<Query> extends [string, ...infer Rest] ? Rest : never

/** Of a transaction. Far shorter than the real limit, because here it holds up everybody, and not only those who need its rows. */
const maxSilenceMs = 300
/** How far the clocks of a primary and its standby may be from the true time. */
export const maxServerSkewMs = 50

/**
 * A real Postgres, in this process, behind a simulated network: requests and responses are delayed, lost, or arrive after
 * their sender has given up. The statements of the storage engine run in it as they are.
 *
 * It has a synchronous standby. What a primary has not replicated when it fails is lost; nobody has seen it, and nobody was
 * told that it is stored.
 */
export class SimulatedDatabase {
  readonly #world: World
  readonly #postgres: PGlite
  readonly #listeners = new Set<{ readonly owner: Replica | undefined; readonly onNotice: (payload: string) => void }>()
  /** A defect: the standby is asynchronous, so what is lost may have been acknowledged. */
  readonly #isAsynchronous: boolean
  /** Changes statements, to put in a defect. */
  readonly #alter: (text: string) => string
  readonly #server: Replica = { name: 'database', isAlive: true, skewMs: 0, stalledUntil: 0, cutOffUntil: 0 }
  /** Restarting, or failing over to its standby. */
  #awayUntil = 0
  /** The standby receives nothing. */
  #isBehind = false
  #isCalm = false
  /** Changes with each restart: what was in flight before is lost, or took effect without an answer. */
  #epoch = 0
  /** The end of the last transaction: they run one after another. */
  #last: Promise<unknown> = Promise.resolve()
  /** Commits that a failover lost. */
  lost = 0

  constructor(world: World, postgres: PGlite, defect: { isAsynchronous: boolean; alter: (text: string) => string }) {
    this.#world = world
    this.#postgres = postgres
    this.#isAsynchronous = defect.isAsynchronous
    this.#alter = defect.alter
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

  /** Its standby, which has a clock of its own, falls behind and then takes over. In between, commits wait for it. */
  failOver(ms: number) {
    this.#isBehind = true
    this.#world.after(this.#world.between(5, 300), () => {
      this.#isBehind = false
      this.restart(ms)
      this.#server.skewMs = this.#world.between(-maxServerSkewMs, maxServerSkewMs)
    })
  }

  connect(tenant: string): Connection {
    const owner = this.#world.current
    const query: Query = (text, ...values) =>
      this.#exchange(owner, (epoch) => this.#locked(() => this.#runAlone(epoch, text, values as Values))) as never
    return {
      location,
      tenant,
      timeoutMs,
      query,
      transaction: (job) => this.#exchange(owner, (epoch) => this.#locked(() => this.#transact(epoch, owner, job))),
      listen: (_channel, onNotice) => {
        this.#listeners.add({ owner, onNotice })
      },
      async close() {},
    }
  }

  /** A request and its response. The request may take effect although the response is lost. */
  async #exchange<Result>(owner: Replica | undefined, request: (epoch: number) => Promise<Result>): Promise<Result> {
    const world = this.#world
    const epoch = this.#epoch
    const isBad = (probability: number) => !this.#isCalm && world.chance(probability)
    if (this.#isCutOff(owner) || isBad(0.005)) return this.#timeOut()
    // Some requests arrive after their sender has given up on them.
    const isLate = owner !== undefined && isBad(0.002)
    await world.sleep(isLate ? world.between(timeoutMs, 2 * timeoutMs) : toDelay(world))
    if (this.#awayUntil > world.now || epoch !== this.#epoch) {
      await world.sleep(toDelay(world))
      throw toConnectionLost()
    }
    const result = request(epoch).then(
      (value) => () => value,
      (cause) => () => {
        throw cause
      },
    )
    result.catch(() => {})
    if (isLate) throw toTimeoutError(location, timeoutMs)
    const settle = await result
    await world.sleep(toDelay(world))
    if (this.#isCutOff(owner) || isBad(0.005)) return this.#timeOut()
    if (epoch !== this.#epoch && !this.#isAsynchronous) throw toConnectionLost()
    return settle()
  }

  #isCutOff(owner: Replica | undefined): boolean {
    return owner !== undefined && owner.cutOffUntil > this.#world.now
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

  /** One statement that commits by itself. `epoch`: in which it arrived. */
  async #runAlone(epoch: number, text: string, values: Values): Promise<object[]> {
    const isReplicated = !/\b(?:INSERT|UPDATE|DELETE)\b/.test(text) || (await this.#replicate(epoch))
    if (isReplicated) {
      const rows = await this.#run(this.#postgres, text, values)
      this.#tell(text)
      return rows
    }
    if (!this.#isAsynchronous) throw toConnectionLost()
    return this.#undone((transaction) => this.#run(transaction, text, values))
  }

  /** Waits for the standby. False if the primary fails before, and the standby does not have it. Until then nobody sees it. */
  async #replicate(epoch: number): Promise<boolean> {
    const world = this.#world
    await world.as(undefined, async () => {
      await world.sleep(world.between(0.02, 0.5))
      while (this.#isBehind) await world.sleep(2)
    })
    const isReplicated = epoch === this.#epoch || world.chance(0.5)
    if (!isReplicated) this.lost++
    return isReplicated
  }

  /** What a statement would have returned. */
  async #undone<Result>(job: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#world.work(() =>
      this.#postgres.transaction(async (transaction) => {
        const result = await job(transaction)
        await transaction.rollback()
        return result
      }),
    )
  }

  /** Statements of one transaction are delayed too; if their process dies, or the database restarts, nothing of it remains. */
  async #transact<Result>(
    epoch: number,
    owner: Replica | undefined,
    job: (query: Query) => Promise<Result>,
  ): Promise<Result> {
    const world = this.#world
    if (epoch !== this.#epoch) throw toConnectionLost()
    const notices: string[] = []
    const { promise: over, reject: end } = Promise.withResolvers<never>()
    over.catch(() => {})
    let stopTimer = () => {}
    // The server ends a transaction whose client is silent. A timer of its own: the client may be dead.
    const restartTimer = () => {
      stopTimer()
      stopTimer = world.as(undefined, () => world.after(maxSilenceMs, () => end(toConnectionLost())))
    }
    restartTimer()
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
        await world.sleep(world.between(0.05, 0.5))
        if (this.#isCutOff(owner)) return this.#timeOut()
        if (epoch !== this.#epoch) throw toConnectionLost()
        const rows = await this.#run(transaction, text, values as Values)
        restartTimer()
        notices.push(text)
        return rows as never
      }
      const result = await Promise.race([world.as(owner, () => job(own)), over])
      if (!(await this.#replicate(epoch))) throw toConnectionLost()
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
      const run = () => on.query<{ [name: string]: unknown }>(this.#alter(text), parameters)
      const { rows } = await this.#world.work(run, this.#server)
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
