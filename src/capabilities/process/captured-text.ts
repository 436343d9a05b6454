/** The output of one stream: its start and end, if it exceeded the limit. */
export interface CapturedText {
  /** With a line in the middle that gives the size of the omitted part, if any. */
  readonly text: string
  /** All bytes received. */
  readonly bytes: number
  readonly omittedBytes: number
  /** All lines received, including an unterminated last one. */
  readonly lines: number
}

/** Keeps the first and last bytes of a stream, in bounded memory. */
export class TextCapture {
  readonly #half: number
  readonly #head: Buffer[] = []
  readonly #tail: Buffer
  #headBytes = 0
  #tailBytes = 0
  #bytes = 0
  #lineEnds = 0
  #last: number | undefined

  constructor(maxBytes: number) {
    this.#half = Math.floor(maxBytes / 2)
    this.#tail = Buffer.allocUnsafe(this.#half)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#last = chunk.at(-1) ?? this.#last
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.#lineEnds++
    const room = this.#half - this.#headBytes
    if (room > 0) {
      const part = Buffer.from(chunk.subarray(0, room))
      this.#head.push(part)
      this.#headBytes += part.length
    }
    if (chunk.length > room) this.#pushTail(chunk.subarray(Math.max(room, 0)))
  }

  /** The tail is a ring buffer. */
  #pushTail(chunk: Buffer): void {
    const part = chunk.subarray(Math.max(0, chunk.length - this.#half))
    this.#tailBytes += chunk.length - part.length
    const at = this.#tailBytes % this.#half
    const first = Math.min(part.length, this.#half - at)
    part.copy(this.#tail, at, 0, first)
    part.copy(this.#tail, 0, first)
    this.#tailBytes += part.length
  }

  toCaptured(): CapturedText {
    const lines = this.#lineEnds + (this.#last === undefined || this.#last === 10 ? 0 : 1)
    const head = Buffer.concat(this.#head)
    const omitted = Math.max(0, this.#tailBytes - this.#half)
    if (omitted === 0) {
      const text = Buffer.concat([head, this.#tail.subarray(0, this.#tailBytes)]).toString()
      return { text, bytes: this.#bytes, omittedBytes: 0, lines }
    }
    const at = this.#tailBytes % this.#half
    const tail = Buffer.concat([this.#tail.subarray(at), this.#tail.subarray(0, at)])
    const begin = cutEnd(head)
    const end = cutBegin(tail)
    const omittedBytes = this.#bytes - begin.length - end.length
    const text = `${begin}\n[… ${omittedBytes} bytes left out …]\n${end}`
    return { text, bytes: this.#bytes, omittedBytes, lines }
  }
}

/** Drops a partial character at the cut. */
function cutEnd(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && end > bytes.length - 4 && isContinuation(bytes[end - 1]!)) end--
  const lead = bytes[end - 1] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return end - 1 + length > bytes.length ? bytes.subarray(0, end - 1) : bytes
}

function cutBegin(bytes: Buffer): Buffer {
  let begin = 0
  while (begin < 3 && isContinuation(bytes[begin] ?? 0)) begin++
  return bytes.subarray(begin)
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
