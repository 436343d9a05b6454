import type { Writable } from 'node:stream'

/** What waits to be written may not grow for ever. */
const maxWaiting = 64 * 1024 * 1024

/**
 * Writes lines to a server, those of one tick together unless there is no reason to wait for more. Its output is read
 * meanwhile: one that waits for us to read before it reads would wait for ever.
 */
export class InputWriter {
  /** Resolves once nothing can be written any more. */
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
      // A server that is gone (EPIPE) is told of by its end.
      input.on('error', end)
      input.on('close', end)
    })
    input.on('drain', () => {
      this.#isFull = false
      this.#flush()
    })
  }

  /** Gives what is wrong where the line cannot be taken. */
  write(line: string, isAlone = false): string | undefined {
    if (this.#isBroken) return undefined
    if (this.#waiting.length + line.length > maxWaiting) return 'The server does not read what is sent to it.'
    this.#waiting += `${line}\n`
    if (isAlone) this.#flush()
    else if (!this.#isScheduled && !this.#isFull) {
      this.#isScheduled = true
      setImmediate(this.#flushLater)
    }
    return undefined
  }

  end() {
    this.#flush()
    this.#input.end()
  }

  readonly #flushLater = () => {
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
