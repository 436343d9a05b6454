import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** A process in the simulation. Nothing of it runs once it is dead. */
export interface Replica {
  readonly name: string
  isAlive: boolean
  /** Its clock differs from the true time by this. */
  skewMs: number
  /** It does nothing until then, as if the machine had stopped. */
  stalledUntil: number
  /** Its messages do not arrive until then. */
  cutOffUntil: number
}

interface Event {
  readonly at: number
  readonly order: number
  readonly owner: Replica | undefined
  readonly run: () => void
}

const start = Date.UTC(2026, 0, 31, 23, 50)
const realImmediate = setImmediate
const RealDate = Date

/**
 * Virtual time: nothing waits for a real clock, so an hour takes as long as the work that is done in it. Timers, dates and
 * random numbers of everything that runs in this process come from here, in an order that only the seed determines.
 */
export class World {
  readonly random: () => number
  /** The true time. */
  now = start
  #order = 0
  /** Sorted by time, the next one last. */
  readonly #events: Event[] = []
  readonly #owners = new AsyncLocalStorage<Replica | undefined>()
  /** Work of the database, which takes real time but no virtual time. */
  #working = 0

  constructor(seed: number) {
    this.random = createRandom(seed)
    this.#replaceGlobals()
  }

  get current(): Replica | undefined {
    return this.#owners.getStore()
  }

  between(least: number, most: number): number {
    return least + this.random() * (most - least)
  }

  chance(probability: number): boolean {
    return this.random() < probability
  }

  pick<One>(all: readonly One[]): One {
    return all[Math.floor(this.random() * all.length)]!
  }

  /** Runs as a replica: its timers end with it, and its clock is used. */
  as<Result>(owner: Replica | undefined, run: () => Result): Result {
    return this.#owners.run(owner, run)
  }

  after(ms: number, run: () => void): () => void {
    const owner = this.current
    const event = { at: this.now + Math.max(0, ms), order: ++this.#order, owner, run: () => this.as(owner, run) }
    this.#add(event)
    return () => {
      const index = this.#events.indexOf(event)
      if (index >= 0) this.#events.splice(index, 1)
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** For work that ends by itself, such as a statement of the database, with the clock of its owner. */
  async work<Result>(job: () => Promise<Result>, owner?: Replica): Promise<Result> {
    this.#working++
    try {
      return await this.#owners.run(owner, job)
    } finally {
      this.#working--
    }
  }

  /** Lets time pass until the promise settles. Rejects if it never will. */
  async until<Result>(promise: Promise<Result>): Promise<Result> {
    let isSettled = false
    const settled = promise.finally(() => {
      isSettled = true
    })
    settled.catch(() => {})
    for (;;) {
      await this.#settle()
      if (isSettled) return settled
      if (!this.#step()) throw new Error('The simulation waits for something that never happens.')
    }
  }

  #add(event: Event) {
    const isLater = (other: Event) => other.at > event.at || (other.at === event.at && other.order > event.order)
    let [low, high] = [0, this.#events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isLater(this.#events[middle]!)) low = middle + 1
      else high = middle
    }
    this.#events.splice(low, 0, event)
  }

  /** Runs the next event; false if there is none. */
  #step(): boolean {
    const event = this.#events.pop()
    if (!event) return false
    this.now = Math.max(this.now, event.at)
    const { owner } = event
    if (owner && !owner.isAlive) return true
    if (owner && owner.stalledUntil > this.now) this.#add({ ...event, at: owner.stalledUntil, order: ++this.#order })
    else event.run()
    return true
  }

  /** Waits until everything has run that can run without time passing. */
  async #settle() {
    let quiet = 0
    while (quiet < 3) {
      await new Promise<void>((resolve) => realImmediate(resolve))
      quiet = this.#working === 0 ? quiet + 1 : 0
    }
  }

  #replaceGlobals() {
    const clock = () => this.now + (this.current?.skewMs ?? 0)
    class VirtualDate extends RealDate {
      constructor(...given: [] | [number | string | Date]) {
        if (given.length === 0) super(Math.floor(clock()))
        else super(given[0])
      }
      static override now = () => Math.floor(clock())
    }
    globalThis.Date = VirtualDate as DateConstructor
    performance.now = () => this.now
    Math.random = this.random
    const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => toTimer(this.after(ms, () => run(...args))) // biome-ignore format: one line
    const repeat = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      let stop = () => {}
      const next = () => {
        stop = this.after(Math.max(1, ms), () => {
          next()
          run(...args)
        })
      }
      next()
      return toTimer(() => stop())
    }
    const clear = (timer?: Timer) => timer?.stop()
    Object.assign(globalThis, { setTimeout: set, setInterval: repeat, clearTimeout: clear, clearInterval: clear })
    Object.assign(timers, { setTimeout: (ms: number) => this.sleep(ms) })
    Object.assign(crypto, { randomUUID: () => toUuid(this.random) })
    syncBuiltinESMExports()
  }
}

interface Timer {
  stop(): void
  ref(): Timer
  unref(): Timer
}

function toTimer(stop: () => void): Timer {
  const timer: Timer = { stop, ref: () => timer, unref: () => timer }
  return timer
}

function toUuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

/** Mulberry32: small, and the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
