import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** One that takes longer does not hold up the next. */
const mostHoldMs = 1000

/**
 * Lets servers start a few at a time: a hundred at once would all be slow, and some too slow. Each has its place until it
 * is ready or a moment has passed.
 */
export class StartGate {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(places = Math.max(4, availableParallelism() * 2)) {
    this.#free = places
  }

  /** Runs it in its turn. `start` never rejects. */
  async run(start: () => Promise<unknown>): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const stop = new AbortController()
    const started = start().then(() => stop.abort())
    await sleep(mostHoldMs, undefined, { signal: stop.signal }).catch(() => {})
    this.#leave()
    await started
  }

  #leave() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
