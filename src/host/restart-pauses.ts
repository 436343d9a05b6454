export interface PauseTimes {
  readonly firstMs: number
  readonly maxMs: number
  /** After so long without a failure the pauses begin anew. */
  readonly healthyMs: number
}

const pauseTimes: PauseTimes = { firstMs: 500, maxMs: 30_000, healthyMs: 60_000 }

/** How long to wait before a server is started again: twice as long after each failure, and never quite the same. */
export class RestartPauses {
  readonly #times: PauseTimes
  #failures = 0

  constructor(times: PauseTimes = pauseTimes) {
    this.#times = times
  }

  /** Failures since it was last healthy. */
  get failures(): number {
    return this.#failures
  }

  /** The pause after a failure of what was well for so long. `random` is from 0 to 1. */
  next(healthyForMs: number, random = Math.random()): number {
    const { firstMs, maxMs, healthyMs } = this.#times
    if (healthyForMs >= healthyMs) this.#failures = 0
    this.#failures++
    const longest = Math.min(firstMs * 2 ** Math.min(this.#failures - 1, 30), maxMs)
    return longest * (0.5 + random / 2)
  }
}
