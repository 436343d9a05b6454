export interface PauseTimes {
  readonly firstMs: number
  readonly maxMs: number
  /** After this long without a failure, the backoff starts over. */
  readonly healthyMs: number
}

const pauseTimes: PauseTimes = { firstMs: 500, maxMs: 30_000, healthyMs: 60_000 }

/** Exponential backoff with jitter between restarts of a server. */
export class RestartPauses {
  readonly #times: PauseTimes
  #failures = 0

  constructor(times: PauseTimes = pauseTimes) {
    this.#times = times
  }

  /** Consecutive failures. */
  get failures(): number {
    return this.#failures
  }

  /** The pause after a failure. `healthyForMs`: how long it ran before. `random`: from 0 to 1. */
  next(healthyForMs: number, random = Math.random()): number {
    const { firstMs, maxMs, healthyMs } = this.#times
    if (healthyForMs >= healthyMs) this.#failures = 0
    this.#failures++
    const longest = Math.min(firstMs * 2 ** Math.min(this.#failures - 1, 30), maxMs)
    return longest * (0.5 + random / 2)
  }
}
