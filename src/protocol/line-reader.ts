interface LineListener {
  onLine(line: Buffer): void
  /** Called once per line that exceeds the limit, as soon as it does. The line is dropped. */
  onTooLong(): void
}

const newline = 0x0a
const carriageReturn = 0x0d

/** Splits bytes into lines of bounded length. Skips empty lines, and strips a trailing carriage return. */
export class LineReader {
  readonly #maxBytes: number
  readonly #listener: LineListener
  #parts: Buffer[] = []
  #length = 0
  #isTooLong = false

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes
    this.#listener = listener
  }

  push(chunk: Buffer) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      // Fast path: the whole line is in this chunk.
      if (this.#length === 0 && end - start <= this.#maxBytes) this.#give(chunk.subarray(start, end))
      else {
        this.#keep(chunk.subarray(start, end))
        this.#finish()
      }
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  /** Emits the text after the last newline as a line. */
  end() {
    this.#finish()
  }

  #keep(part: Buffer) {
    this.#length += part.length
    if (this.#length <= this.#maxBytes) this.#parts.push(part)
    else if (!this.#isTooLong) {
      this.#isTooLong = true
      this.#parts = []
      this.#listener.onTooLong()
    }
  }

  #finish() {
    const parts = this.#parts
    const isTooLong = this.#isTooLong
    this.#parts = []
    this.#length = 0
    this.#isTooLong = false
    if (isTooLong) return
    this.#give(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
  }

  #give(whole: Buffer) {
    const line = whole[whole.length - 1] === carriageReturn ? whole.subarray(0, -1) : whole
    if (line.length > 0) this.#listener.onLine(line)
  }
}
