import type { IncomingMessage } from 'node:http'
import type { TransportOptions } from '../transport.ts'
import type { Sent } from './http-link.ts'
import type { HttpSession } from './http-session.ts'
import { readEvents } from './read-answer.ts'

const firstPauseMs = 1000
const maxPauseMs = 30_000

/** The stream for server-initiated messages, up to 2025-11-25. Reopened with backoff whenever it ends. */
export class StandingStream {
  readonly #session: HttpSession
  readonly #options: TransportOptions
  #sent: Sent | undefined
  #timer: NodeJS.Timeout | undefined
  #rounds = 0
  #isClosed = false

  constructor(session: HttpSession, options: TransportOptions) {
    this.#session = session
    this.#options = options
  }

  open(lastEventId?: string) {
    if (this.#isClosed) return
    this.#sent = this.#session.get(
      lastEventId,
      (response) => this.#read(response),
      (failure) => {
        // Most servers offer none, and answer with a 4xx status.
        if (failure.status === undefined || failure.status >= 500) this.#scheduleOpen(firstPauseMs, lastEventId)
      },
    )
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#sent?.destroy()
  }

  #read(response: IncomingMessage) {
    const { maxMessageBytes, listener } = this.#options
    // Messages may have been missed in between.
    if (this.#rounds > 0) listener.onGap()
    const begin = performance.now()
    const take = ({ data }: { data: Buffer }) => listener.onMessage(data)
    readEvents(response, maxMessageBytes, take, (reader) => {
      if (performance.now() - begin > maxPauseMs) this.#rounds = 0
      this.#scheduleOpen(reader.retryMs ?? firstPauseMs, reader.lastEventId)
    })
  }

  #scheduleOpen(retryMs: number, lastEventId: string | undefined) {
    if (this.#isClosed) return
    const pauseMs = Math.max(retryMs, firstPauseMs * 2 ** Math.min(this.#rounds++, 5))
    this.#timer = setTimeout(() => this.open(lastEventId), Math.min(pauseMs, maxPauseMs)).unref()
  }
}
