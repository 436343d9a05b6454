import type { Writable } from 'node:stream'

/** Limit of the write buffer. */
const maxWaiting = 64 * 1024 * 1024

/**
 * Writes lines to a server, batching those of one tick unless nothing else is in flight. The output of the server is read in
 * the meantime: otherwise a server that waits for its output to be read would deadlock.
 */
export class InputWriter {
  /** Resolves when the input has failed. */
  readonly broken: Promise<void>
  readonly #input: Writable
  #waiting = ''
  #isScheduled = false
  #isFull = false
  #isBroken = false

  constructor(input: Writable) {
    this.#input = input
    this.broken = new Promise((resolve) => {
      const end = () => {
        this.#isBroken = true
        this.#waiting = ''
        resolve()
      }
      // EPIPE: the exit of the server is reported separately.
      input.on('error', end)
      input.on('close', end)
    })
    input.on('drain', () => {
      this.#isFull = false
      this.#flush()
    })
  }

  /** Returns an error message if the line cannot be buffered. */
  write(line: string, isAlone = false): string | undefined {
    if (this.#isBroken) return undefined
    if (this.#waiting.length + line.length > maxWaiting) return 'The server does not read its input.'
    this.#waiting += `${line}\n`
    if (isAlone) this.#flush()
    else if (!this.#isScheduled && !this.#isFull) {
      this.#isScheduled = true
      setImmediate(this.#scheduledFlush)
    }
    return undefined
  }

  end() {
    this.#flush()
    this.#input.end()
  }

  readonly #scheduledFlush = () => {
    this.#isScheduled = false
    this.#flush()
  }

  #flush() {
    if (this.#isFull || this.#isBroken || this.#waiting === '' || this.#input.writableEnded) return
    const text = this.#waiting
    this.#waiting = ''
    this.#isFull = !this.#input.write(text)
  }
}
