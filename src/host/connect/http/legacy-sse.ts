import type { IncomingMessage } from 'node:http'
import { type HttpAddress, UpstreamFailure } from '../client.ts'
import type { Outgoing, Transport, TransportOptions } from '../transport.ts'
import { toPlace, toStatusFailure } from './http-failure.ts'
import { HttpLink } from './http-link.ts'
import { isGood, kindOf, readEvents, readWhole } from './read-answer.ts'

const maxFailureBytes = 64 * 1024

/** The HTTP+SSE transport of 2024-11-05: one event stream for answers, and an endpoint, announced there, for messages. */
export async function openLegacySse(
  address: HttpAddress,
  options: TransportOptions,
  signal: AbortSignal,
): Promise<Transport> {
  const transport = new LegacySse(address, options)
  try {
    await transport.open(signal)
    return transport
  } catch (failure) {
    await transport.close()
    throw failure
  }
}

class LegacySse implements Transport {
  readonly #address: HttpAddress
  readonly #options: TransportOptions
  readonly #stream: HttpLink
  #posts: HttpLink | undefined
  #isClosed = false

  constructor(address: HttpAddress, options: TransportOptions) {
    this.#address = address
    this.#options = options
    this.#stream = new HttpLink({ ...address, authorizer: options.authorizer })
  }

  /** Resolves when the server has announced its endpoint. */
  open(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      const onResponse = (response: IncomingMessage) => {
        if (!isGood(response) || kindOf(response) !== 'events') {
          return readWhole(response, maxFailureBytes, (body) => reject(this.#toFailure(response, body)))
        }
        this.#read(response, resolve, reject)
      }
      this.#stream.send(
        { method: 'GET', headers: { accept: 'text/event-stream' }, isRepeatable: true },
        onResponse,
        reject,
      )
    })
  }

  request(id: number, outgoing: Outgoing) {
    this.notify(outgoing).catch((failure) => this.#options.listener.onRequestFailed(id, failure))
  }

  notify({ text, method }: Outgoing): Promise<void> {
    return new Promise((resolve, reject) => {
      const onResponse = (response: IncomingMessage) => {
        readWhole(response, maxFailureBytes, (body) => {
          if (isGood(response)) resolve()
          else reject(this.#toFailure(response, body))
        })
      }
      const headers = { accept: 'application/json, text/event-stream' }
      this.#posts!.send(
        { method: 'POST', headers, body: text, isRepeatable: method !== 'tools/call' },
        onResponse,
        reject,
      )
    })
  }

  abandon() {
    return false
  }

  speak() {}

  listen() {}

  lastWords() {
    return ''
  }

  async close() {
    this.#isClosed = true
    this.#stream.close()
    this.#posts?.close()
  }

  #read(response: IncomingMessage, onReady: () => void, onFailure: (failure: UpstreamFailure) => void) {
    const { maxMessageBytes, listener } = this.#options
    readEvents(
      response,
      maxMessageBytes,
      ({ event, data }) => {
        if (this.#posts) return listener.onMessage(data)
        if (event !== 'endpoint') return
        const endpoint = this.#toEndpoint(data.toString('utf8', 0, 4000))
        if (endpoint === undefined) {
          response.destroy()
          const message = `The server announced an endpoint outside ${this.#stream.url.origin}, which is not trusted.`
          return onFailure(new UpstreamFailure('refused', message))
        }
        this.#posts = new HttpLink({
          url: endpoint,
          headers: this.#address.headers,
          authorizer: this.#options.authorizer,
        })
        onReady()
      },
      (_reader, failure = toEnded()) => {
        onFailure(failure)
        if (!this.#isClosed) listener.onLost(failure)
      },
    )
  }

  /** Same origin only: another one would receive the operator's headers and every input. */
  #toEndpoint(text: string): string | undefined {
    const { url } = this.#stream
    if (!URL.canParse(text, url.href)) return undefined
    const endpoint = new URL(text, url)
    if (endpoint.origin !== url.origin || endpoint.username !== '' || endpoint.password !== '') return undefined
    endpoint.username = url.username
    endpoint.password = url.password
    return endpoint.href
  }

  #toFailure(response: IncomingMessage, body: Buffer = Buffer.alloc(0)): UpstreamFailure {
    if (!isGood(response)) return toStatusFailure(response, body.toString(), this.#options.quote)
    return new UpstreamFailure('protocol', `There is no event stream at ${toPlace(this.#stream.url)}.`)
  }
}

function toEnded(): UpstreamFailure {
  return new UpstreamFailure('unavailable', 'The server closed the event stream.')
}
