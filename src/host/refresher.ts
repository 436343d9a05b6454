export interface RefreshTimes {
  /** So long is waited for more requests. */
  readonly settleMs: number
  /** Once in this time at most. */
  readonly minMs: number
}

/** Does something again after requests for it, however many there are: never twice at once, and not too often. */
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

  /** How long ago it was done. */
  get ageMs(): number {
    return performance.now() - this.#doneAt
  }

  /** Tells that it was just done elsewhere. */
  done() {
    this.#doneAt = performance.now()
  }

  request() {
    this.#isWanted = true
    if (this.#timer || this.#isWorking) return
    const { settleMs, minMs } = this.#times
    this.#timer = setTimeout(() => this.#run(), Math.max(settleMs, minMs - this.ageMs)).unref()
  }

  /** What was asked for is not done any more. */
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
