import type { Writable } from 'node:stream'

/** The input from the peer. */
interface Flow {
  pause(): void
  resume(): void
}

/**
 * Writes lines in order, batching those of one tick. While the peer does not read, its input is paused, so that the buffer
 * stays bounded.
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
    // EPIPE: the client has gone away.
    output.on('error', () => this.#break())
    output.on('close', () => this.#break())
    output.on('drain', () => {
      this.#isFull = false
      input.resume()
      this.#flush()
    })
  }

  /** Aborted when the output has failed. */
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
    // nextTick: batches the replies that one commit of the ledger releases.
    process.nextTick(() => this.#flush())
  }

  /** Resolves when everything is flushed, or cannot be. */
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
