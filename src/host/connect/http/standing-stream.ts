import type { IncomingMessage } from 'node:http'
import type { TransportOptions } from '../transport.ts'
import type { Sent } from './http-link.ts'
import type { HttpSession } from './http-session.ts'
import { readEvents } from './read-answer.ts'

const firstPauseMs = 1000
const maxPauseMs = 30_000

/** The stream on which a server until 2025-11-25 may say what answers nothing. Opened again whenever it ends. */
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
        // Most servers offer none, and say so by their status.
        if (failure.status === undefined || failure.status >= 500) this.#openLater(firstPauseMs, lastEventId)
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
    // What was said while nobody listened is not known.
    if (this.#rounds > 0) listener.onGap()
    const begin = performance.now()
    const take = ({ data }: { data: Buffer }) => listener.onMessage(data)
    readEvents(response, maxMessageBytes, take, (reader) => {
      if (performance.now() - begin > maxPauseMs) this.#rounds = 0
      this.#openLater(reader.retryMs ?? firstPauseMs, reader.lastEventId)
    })
  }

  #openLater(retryMs: number, lastEventId: string | undefined) {
    if (this.#isClosed) return
    const pauseMs = Math.max(retryMs, firstPauseMs * 2 ** Math.min(this.#rounds++, 5))
    this.#timer = setTimeout(() => this.open(lastEventId), Math.min(pauseMs, maxPauseMs)).unref()
  }
}
