import { availableParallelism, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** A start that takes longer gives up its slot. Scaled up while many starts are pending and compete for the CPU. */
const holdMs = 250
const manyPending = 16
const sampleMs = 50
/** If more of the CPU is idle, the starts are waiting for something else, such as the network. */
const idleShare = 0.25

/**
 * Limits concurrent server starts: a hundred at once would compete for the CPU, and some would time out. A start holds its
 * slot until it is ready or `holdMs` has passed. While the CPU is idle, more starts are let through.
 */
export class StartLimiter {
  readonly #waiting: ((hasSlot: boolean) => void)[] = []
  readonly #readIdle: () => number
  #free: number
  #pending = 0
  #sampling: NodeJS.Timeout | undefined

  /** `readIdle`: the share of CPU time that was idle since the last call. */
  constructor(slots = Math.max(4, availableParallelism() * 2), readIdle = createIdleReader()) {
    this.#free = slots
    this.#readIdle = readIdle
  }

  /** Runs `start`, which never rejects, once a slot is free. */
  async run(start: () => Promise<unknown>): Promise<void> {
    const hasSlot = await this.#enter()
    const stop = new AbortController()
    this.#pending++
    const started = start().then(() => {
      this.#pending--
      stop.abort()
    })
    const maxHoldMs = holdMs * Math.max(1, this.#pending / manyPending)
    await sleep(maxHoldMs, undefined, { signal: stop.signal }).catch(() => {})
    if (hasSlot) this.#leave()
    await started
  }

  async #enter(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--
      return true
    }
    if (!this.#sampling) {
      this.#readIdle()
      this.#sampling = setInterval(() => this.#fillIdle(), sampleMs).unref()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #fillIdle() {
    if (this.#readIdle() >= idleShare) for (const enter of this.#waiting.splice(0, availableParallelism())) enter(false)
    if (this.#waiting.length === 0) {
      clearInterval(this.#sampling)
      this.#sampling = undefined
    }
  }

  #leave() {
    const next = this.#waiting.shift()
    if (next) next(true)
    else this.#free++
  }
}

function createIdleReader(): () => number {
  let last = { idle: 0, total: 0 }
  return () => {
    const now = { idle: 0, total: 0 }
    for (const { times } of cpus()) {
      now.idle += times.idle
      now.total += times.user + times.nice + times.sys + times.irq + times.idle
    }
    const share = (now.idle - last.idle) / Math.max(1, now.total - last.total)
    last = now
    return share
  }
}
