import type { Writable } from 'node:stream'

/** What is read from the other side. */
interface Flow {
  pause(): void
  resume(): void
}

/**
 * Writes lines in order, those of one tick together. While the other side does not read, nothing is read from it
 * either, so that what waits to be written stays bounded.
 */
export class LineWriter {
  readonly #output: Writable
  readonly #input: Flow
  readonly #broken = new AbortController()
  #waiting = ''
  #isScheduled = false
  #isFull = false
  #onEmpty: (() => void) | undefined

  constructor(output: Writable, input: Flow) {
    this.#output = output
    this.#input = input
    // A client that is gone (EPIPE) is no fault of ours.
    output.on('error', () => this.#break())
    output.on('close', () => this.#break())
    output.on('drain', () => {
      this.#isFull = false
      input.resume()
      this.#flush()
    })
  }

  /** Aborted once nothing can be written any more. */
  get broken(): AbortSignal {
    return this.#broken.signal
  }

  get isCongested(): boolean {
    return this.#isFull
  }

  write(line: string) {
    if (this.#broken.signal.aborted) return
    this.#waiting += `${line}\n`
    if (this.#isScheduled || this.#isFull) return
    this.#isScheduled = true
    // Behind what the same commit of the ledger lets go on, and before what that leaves for later.
    process.nextTick(() => this.#flush())
  }

  /** Resolves once everything is handed over, or cannot be. */
  async finish(): Promise<void> {
    if (this.#isEmpty()) return
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve
    })
  }

  #flush() {
    this.#isScheduled = false
    if (this.#isFull || this.#broken.signal.aborted) return
    const text = this.#waiting
    this.#waiting = ''
    if (text !== '' && !this.#output.write(text)) {
      this.#isFull = true
      this.#input.pause()
    }
    if (this.#isEmpty()) this.#onEmpty?.()
  }

  #isEmpty(): boolean {
    return this.#broken.signal.aborted || (this.#waiting === '' && !this.#isFull)
  }

  #break() {
    this.#broken.abort()
    this.#onEmpty?.()
  }
}
