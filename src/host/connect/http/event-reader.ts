import { createParser } from 'eventsource-parser'

export interface ServerEvent {
  readonly event: string
  readonly data: Buffer
}

interface EventListener {
  /** Not called for events without data. */
  onEvent(event: ServerEvent): void
  /** Called once, for the first event whose data exceeds the limit. Nothing is read after it. */
  onTooLong(): void
}

const dataPrefix = 'data: '

/** Reads server-sent events whose data is limited in bytes. */
export class EventReader {
  /** Sent as `Last-Event-ID` to resume the stream. */
  lastEventId: string | undefined
  retryMs: number | undefined
  readonly #parser
  #isStopped = false

  constructor(maxBytes: number, { onEvent, onTooLong }: EventListener) {
    const stop = () => {
      if (this.#isStopped) return
      this.#isStopped = true
      onTooLong()
    }
    this.#parser = createParser({
      // Covers the data collected so far and the unfinished line, which still has its field name.
      maxBufferSize: maxBytes + dataPrefix.length,
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') stop()
      },
      onEvent: ({ event = 'message', data }) => {
        if (this.#isStopped || data === '') return
        // An event that arrives within one chunk is never buffered.
        if (data.length > maxBytes) stop()
        else onEvent({ event, data: Buffer.from(data, 'latin1') })
      },
      onId: (id) => {
        // It becomes a header.
        if (/^[\x21-\x7e]{0,1000}$/.test(id)) this.lastEventId = id
      },
      onRetry: (ms) => {
        this.retryMs = ms
      },
    })
  }

  push(chunk: Buffer) {
    // Latin-1 maps each byte to one character: the parser, which counts characters, counts bytes, and no character is
    // split between chunks. The syntax of events is ASCII.
    if (!this.#isStopped) this.#parser.feed(chunk.toString('latin1'))
  }
}
