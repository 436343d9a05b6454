export interface RefreshTimes {
  /** Debounce: wait this long for more requests. */
  readonly settleMs: number
  /** Minimum time between two runs. */
  readonly minMs: number
}

/** Debounced and throttled: any number of requests result in one run, and runs never overlap. */
export class Refresher {
  readonly #work: () => Promise<void>
  readonly #times: RefreshTimes
  #timer: NodeJS.Timeout | undefined
  #isWorking = false
  #isWanted = false
  #doneAt = Number.NEGATIVE_INFINITY

  /** `work` never rejects. */
  constructor(work: () => Promise<void>, times: RefreshTimes) {
    this.#work = work
    this.#times = times
  }

  /** Time since the last run. */
  get ageMs(): number {
    return performance.now() - this.#doneAt
  }

  /** Records that the work was just done elsewhere. */
  done() {
    this.#doneAt = performance.now()
  }

  request() {
    this.#isWanted = true
    if (this.#timer || this.#isWorking) return
    const { settleMs, minMs } = this.#times
    this.#timer = setTimeout(() => this.#run(), Math.max(settleMs, minMs - this.ageMs)).unref()
  }

  /** Cancels pending requests. */
  stop() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWanted = false
  }

  async #run() {
    this.#timer = undefined
    this.#isWanted = false
    this.#isWorking = true
    await this.#work()
    this.#isWorking = false
    this.done()
    if (this.#isWanted) this.request()
  }
}
