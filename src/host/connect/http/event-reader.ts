export interface ServerEvent {
  readonly event: string
  readonly data: Buffer
}

interface EventListener {
  /** Events without data are passed over. */
  onEvent(event: ServerEvent): void
  /** An event was longer than it may be; nothing more is read. */
  onTooLong(): void
}

const newline = 0x0a
const lineBreak = Buffer.from('\n')

/** Reads server-sent events of bounded length. */
export class EventReader {
  /** What the next request may say to get what follows. */
  lastEventId: string | undefined
  retryMs: number | undefined
  readonly #most: number
  readonly #listener: EventListener
  #parts: Buffer[] = []
  #data: Buffer[] = []
  #event = ''
  #length = 0
  #isOver = false

  constructor(most: number, listener: EventListener) {
    this.#most = most
    this.#listener = listener
  }

  push(chunk: Buffer) {
    let start = 0
    while (!this.#isOver) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) return this.#keep(chunk.subarray(start))
      this.#keep(chunk.subarray(start, end))
      start = end + 1
      if (!this.#isOver) this.#takeLine()
    }
  }

  #keep(part: Buffer) {
    this.#length += part.length
    // The names of the fields do not count.
    if (this.#length > this.#most + 1000) {
      this.#isOver = true
      this.#listener.onTooLong()
    } else if (part.length > 0) this.#parts.push(part)
  }

  #takeLine() {
    let line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#parts = []
    if (line.at(-1) === 0x0d) line = line.subarray(0, -1)
    if (line.length === 0) return this.#dispatch()
    const colon = line.indexOf(0x3a)
    const name = line
      .toString('latin1', 0, colon === -1 ? line.length : Math.min(colon, 20))
      .replace('\xef\xbb\xbf', '')
    const value =
      colon === -1 ? line.subarray(line.length) : line.subarray(line[colon + 1] === 0x20 ? colon + 2 : colon + 1)
    if (name === 'data') this.#data.push(value)
    else {
      // Only data is kept until the event ends.
      this.#length -= line.length
      this.#takeField(name, value)
    }
  }

  #takeField(name: string, value: Buffer) {
    const text = value.toString('utf8', 0, 1001)
    if (name === 'event') this.#event = text
    else if (name === 'id' && text.length <= 1000 && /^[\x21-\x7e]*$/.test(text)) this.lastEventId = text
    else if (name === 'retry' && /^\d{1,9}$/.test(text)) this.retryMs = Number(text)
  }

  #dispatch() {
    const data = this.#data.length === 1 ? this.#data[0]! : Buffer.concat(this.#data.flatMap((line, index) => (index === 0 ? [line] : [lineBreak, line]))) // biome-ignore format: one line
    const event = this.#event || 'message'
    this.#data = []
    this.#event = ''
    this.#length = 0
    if (data.length > 0) this.#listener.onEvent({ event, data })
  }
}
