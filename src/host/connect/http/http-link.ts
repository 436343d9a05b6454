import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http' // biome-ignore format: one line
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { type Authorizer, type HttpAddress, UpstreamFailure } from '../client.ts'
import { toConnectFailure } from './http-failure.ts'

export interface HttpMessage {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
  /** Whether it may be sent again if it is unknown whether the first attempt arrived. */
  readonly isRepeatable: boolean
}

interface Callbacks {
  readonly onResponse: (response: IncomingMessage) => void
  readonly onFailure: (failure: UpstreamFailure) => void
}

export interface Sent {
  destroy(): void
}

/** Headers of the protocol, which the config cannot set. */
const ours =
  /^(?:accept|accept-encoding|connection|content-length|content-type|host|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade)$/

interface LinkOptions extends Pick<HttpAddress, 'url' | 'headers'> {
  readonly authorizer?: Authorizer | undefined
}

/** Sends requests to one URL over keep-alive connections. Does not follow redirects. */
export class HttpLink {
  readonly url: URL
  readonly #options: RequestOptions
  readonly #headers: { readonly [name: string]: string }
  readonly #agent: HttpAgent | HttpsAgent
  readonly #send: typeof httpRequest
  readonly #authorizer: Authorizer | undefined

  constructor({ url, headers, authorizer }: LinkOptions) {
    this.#authorizer = authorizer
    this.url = toUrl(url)
    const isSecure = this.url.protocol === 'https:'
    // Verify certificates even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
    this.#agent = isSecure
      ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: true })
      : new HttpAgent({ keepAlive: true })
    this.#send = isSecure ? httpsRequest : httpRequest
    this.#options = { ...urlToHttpOptions(this.url), agent: this.#agent, ...(isSecure && { rejectUnauthorized: true }) }
    const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    this.#headers = Object.fromEntries(own.filter(([name]) => !ours.test(name)))
  }

  /** Calls exactly one of the callbacks, unless the request is destroyed. */
  send(
    message: HttpMessage,
    onResponse: (response: IncomingMessage) => void,
    onFailure: (failure: UpstreamFailure) => void,
  ): Sent {
    if (!this.#authorizer) return this.#sendPlain(message, onResponse, onFailure)
    return this.#sendAuthorized(this.#authorizer, message, { onResponse, onFailure })
  }

  /** A request that the server rejects with 401 was not carried out, so it is sent again once, with a renewed token. */
  #sendAuthorized(authorizer: Authorizer, message: HttpMessage, { onResponse, onFailure }: Callbacks): Sent {
    const ended = new AbortController()
    let sent: Sent | undefined
    const fail = (cause: unknown) => {
      if (!ended.signal.aborted) onFailure(cause instanceof UpstreamFailure ? cause : toConnectFailure(cause as Error, this.url)) // biome-ignore format: one line
    }
    const start = async (isAgain: boolean) => {
      const header = await authorizer.header(ended.signal)
      if (ended.signal.aborted) return
      const authorized = { ...message, headers: { ...message.headers, authorization: header } }
      const onAnswer = (response: IncomingMessage) => {
        const challenge = response.headers['www-authenticate']
        if (response.statusCode === 403 && challenge !== undefined)
          return authorizer.explain(challenge).then((lack) => {
            if (!lack || ended.signal.aborted) return onResponse(response)
            response.resume()
            fail(lack)
          }, fail)
        if (response.statusCode !== 401 || isAgain) return onResponse(response)
        // The body of a response that is not read yet stays with it.
        authorizer.renew(header).then((isRenewed) => {
          if (ended.signal.aborted) return response.destroy()
          if (!isRenewed) return onResponse(response)
          response.resume()
          return start(true).catch(fail)
        }, fail)
      }
      sent = this.#sendPlain(authorized, onAnswer, onFailure)
    }
    start(false).catch(fail)
    return {
      destroy() {
        ended.abort()
        sent?.destroy()
      },
    }
  }

  #sendPlain(
    message: HttpMessage,
    onResponse: (response: IncomingMessage) => void,
    onFailure: (failure: UpstreamFailure) => void,
  ): Sent {
    const sent: Sent = { destroy: () => request?.destroy() }
    const start = (isAgain: boolean): ClientRequest | undefined => {
      let hasAnswered = false
      try {
        const started = this.#send(this.#toOptions(message, isAgain), (response) => {
          hasAnswered = true
          onResponse(response)
        })
        started.on('error', (cause) => {
          // Once the response has started, the response reports errors.
          if (hasAnswered) return
          if (!isAgain && message.isRepeatable && isStale(started, cause)) request = start(true)
          else onFailure(toConnectFailure(cause, this.url))
        })
        return started.end(message.body)
      } catch (cause) {
        // An invalid header. The error contains its name, not its value.
        setImmediate(() => onFailure(toConnectFailure(cause as Error, this.url)))
        return undefined
      }
    }
    let request = start(false)
    return sent
  }

  #toOptions({ method, headers, body }: HttpMessage, isAgain: boolean): RequestOptions {
    const about =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const all = { ...this.#headers, 'accept-encoding': 'identity', ...headers, ...about }
    return { ...this.#options, ...(isAgain && { agent: false }), method, headers: all }
  }

  close() {
    this.#agent.destroy()
  }
}

/** The server may close a keep-alive connection just as it is reused. */
function isStale({ reusedSocket }: ClientRequest, { code }: Error & { code?: string }): boolean {
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')
}

function toUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UpstreamFailure(
    'unavailable',
    'The URL of the server is not one of http or https. Correct "url" in the config.',
  )
}
