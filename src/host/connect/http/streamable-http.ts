import type { IncomingMessage } from 'node:http'
import { type HttpAddress, toTooLong, UpstreamFailure } from '../client.ts'
import { readIncoming } from '../read-incoming.ts'
import type { Outgoing, Transport, TransportOptions } from '../transport.ts'
import type { EventReader } from './event-reader.ts'
import type { Sent } from './http-link.ts'
import { HttpSession, maxFailureBytes } from './http-session.ts'
import { kindOf, readEvents, readWhole } from './read-answer.ts'
import { StandingStream } from './standing-stream.ts'

const firstRetryMs = 1000
const maxRetryMs = 30_000
/** How often an interrupted answer is resumed without progress. */
const maxResumes = 5
/** Max notifications in flight: a server could otherwise make the client send without end. */
const maxNotices = 64
/** Max streams that may stay open after their answer. */
const maxLingering = 16

/** The Streamable HTTP transport: one POST per message, with sessions up to 2025-11-25 and without them since. */
export async function openStreamableHttp(address: HttpAddress, options: TransportOptions): Promise<Transport> {
  return new StreamableHttp(address, options)
}

/** A request in flight, or waiting to resume its answer. */
interface InFlight {
  sent: Sent | undefined
  timer: NodeJS.Timeout | undefined
  resumes: number
}

class StreamableHttp implements Transport {
  readonly #session: HttpSession
  readonly #stream: StandingStream
  readonly #options: TransportOptions
  readonly #inFlight = new Map<number, InFlight>()
  readonly #lingering = new Set<IncomingMessage>()
  #notices = 0

  constructor(address: HttpAddress, options: TransportOptions) {
    const onLost = (failure: UpstreamFailure) => {
      this.#stream.close()
      options.listener.onLost(failure)
    }
    this.#session = new HttpSession(address, { quote: options.quote, authorizer: options.authorizer, onLost })
    this.#stream = new StandingStream(this.#session, options)
    this.#options = options
  }

  request(id: number, outgoing: Outgoing) {
    const inFlight: InFlight = { sent: undefined, timer: undefined, resumes: 0 }
    this.#inFlight.set(id, inFlight)
    inFlight.sent = this.#session.post(
      outgoing,
      (response) => this.#takeAnswer(id, inFlight, response),
      (failure, refusal) => {
        if (refusal) this.#takeRefusal(id, refusal)
        this.#end(id, () => failure)
      },
    )
  }

  notify(outgoing: Outgoing): Promise<void> {
    if (this.#notices >= maxNotices) return Promise.resolve()
    this.#notices++
    return new Promise<void>((resolve, reject) => {
      const onAnswer = (response: IncomingMessage) => readWhole(response, maxFailureBytes, () => resolve())
      this.#session.post(outgoing, onAnswer, reject)
    }).finally(() => this.#notices--)
  }

  abandon(id: number): boolean {
    const inFlight = this.#inFlight.get(id)
    this.#inFlight.delete(id)
    clearTimeout(inFlight?.timer)
    inFlight?.sent?.destroy()
    return this.#session.isModern
  }

  speak(revision: string | undefined) {
    this.#session.revision = revision
  }

  listen() {
    this.#stream.open()
  }

  lastWords() {
    return ''
  }

  async close() {
    this.#stream.close()
    for (const id of [...this.#inFlight.keys()]) this.abandon(id)
    for (const response of this.#lingering) response.destroy()
    await this.#session.close()
  }

  #takeAnswer(id: number, inFlight: InFlight, response: IncomingMessage) {
    const { maxMessageBytes, listener, quote } = this.#options
    const kind = kindOf(response)
    if (kind === 'events') return this.#readStream(id, inFlight, response)
    if (kind === 'other') {
      response.destroy()
      const type = quote(response.headers['content-type'] ?? 'nothing')
      const plain = `The server answered with HTTP ${response.statusCode} and content that is neither JSON nor an event stream.`
      const message = `${plain.slice(0, -1)}: ${type}`
      return this.#end(id, () => new UpstreamFailure('protocol', message, { plain }))
    }
    readWhole(response, maxMessageBytes, (body) => {
      if (body) listener.onMessage(body, id)
      this.#end(id, () => (body ? toUnanswered() : response.errored ? toBrokenOff() : toTooLong(maxMessageBytes)))
    })
  }

  /** A JSON-RPC error may come with an HTTP error status. */
  #takeRefusal(id: number, body: Buffer) {
    const [incoming, ...others] = readIncoming(body, maxFailureBytes)
    if (incoming?.kind === 'error' && others.length === 0) this.#options.listener.onMessage(body, id)
  }

  #readStream(id: number, inFlight: InFlight, response: IncomingMessage) {
    const { maxMessageBytes, listener } = this.#options
    readEvents(
      response,
      maxMessageBytes,
      ({ data }) => {
        inFlight.resumes = 0
        listener.onMessage(data, id)
        if (!listener.isAwaited(id)) this.#linger(response)
      },
      (reader, failure) => {
        this.#lingering.delete(response)
        if (failure) this.#end(id, () => failure)
        else if (this.#session.isModern || reader.lastEventId === undefined) this.#end(id, toBrokenOff)
        else this.#resume(id, inFlight, reader)
      },
    )
  }

  /** The server should close a stream after the answer; some do not. */
  #linger(response: IncomingMessage) {
    this.#lingering.add(response)
    if (this.#lingering.size > maxLingering) this.#lingering.values().next().value!.destroy()
  }

  /** The server may close the connection before it has answered, and expects the client to resume later. */
  #resume(id: number, inFlight: InFlight, { lastEventId, retryMs = firstRetryMs }: EventReader) {
    if (!this.#options.listener.isAwaited(id) || ++inFlight.resumes > maxResumes) return this.#end(id, toBrokenOff)
    const resume = () => {
      inFlight.sent = this.#session.get(
        lastEventId,
        (response) => this.#readStream(id, inFlight, response),
        (failure) => this.#end(id, () => failure),
      )
    }
    inFlight.timer = setTimeout(resume, Math.min(retryMs, maxRetryMs))
  }

  /** Fails the request if it was not answered. */
  #end(id: number, toFailure: () => UpstreamFailure) {
    this.#inFlight.delete(id)
    const { listener } = this.#options
    if (listener.isAwaited(id)) listener.onRequestFailed(id, toFailure())
  }
}

function toUnanswered(): UpstreamFailure {
  return new UpstreamFailure('protocol', 'The response does not answer the request.')
}

function toBrokenOff(): UpstreamFailure {
  return new UpstreamFailure('unavailable', 'The response was interrupted. Try again.')
}
