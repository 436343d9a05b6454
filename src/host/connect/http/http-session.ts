import type { IncomingMessage } from 'node:http'
import { errorCodes } from '../../../protocol/reply.ts'
import { modernRevisions } from '../../../protocol/revisions.ts'
import type { Authorizer, HttpAddress, UpstreamFailure } from '../client.ts'
import { encodeHeader } from '../param-headers.ts'
import type { Outgoing, Quote } from '../transport.ts'
import { isUnreachable, toStatusFailure } from './http-failure.ts'
import { HttpLink, type Sent } from './http-link.ts'
import { isGood, kindOf, readWhole } from './read-answer.ts'

/** How much of an error response is read. */
export const maxFailureBytes = 64 * 1024
const closeMs = 2000
const accept = 'application/json, text/event-stream'

interface SessionOptions {
  readonly quote: Quote
  readonly authorizer?: Authorizer | undefined
  /** The server has gone away, or has dropped the session. */
  readonly onLost: (failure: UpstreamFailure) => void
}

/** Adds the headers of the protocol to each request, and interprets the status of responses. */
export class HttpSession {
  revision: string | undefined
  /** The session id, which servers up to 2025-11-25 may assign. */
  #id: string | undefined
  readonly #link: HttpLink
  readonly #options: SessionOptions

  constructor(address: HttpAddress, options: SessionOptions) {
    this.#link = new HttpLink({ ...address, authorizer: options.authorizer })
    this.#options = options
  }

  get isModern(): boolean {
    return this.revision !== undefined && modernRevisions.includes(this.revision)
  }

  /** `onAnswer`: for a 2xx response. `onFailure`: for everything else. */
  post(
    outgoing: Outgoing,
    onAnswer: (response: IncomingMessage) => void,
    onFailure: (failure: UpstreamFailure, refusal?: Buffer) => void,
  ): Sent {
    const { text: body, method } = outgoing
    return this.#link.send(
      { method: 'POST', headers: this.#toHeaders(outgoing), body, isRepeatable: method !== 'tools/call' },
      (response) => {
        if (!isGood(response)) return this.#readFailure(response, onFailure)
        if (method === 'initialize') this.#id = toSessionId(response)
        onAnswer(response)
      },
      (failure) => this.#fail(failure, onFailure),
    )
  }

  /** Opens an event stream. */
  get(
    lastEventId: string | undefined,
    onStream: (response: IncomingMessage) => void,
    onFailure: (failure: UpstreamFailure) => void,
  ): Sent {
    const headers = this.#toHeaders({ text: '', method: '' })
    headers.accept = 'text/event-stream'
    if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
    return this.#link.send(
      { method: 'GET', headers, isRepeatable: true },
      (response) => {
        if (isGood(response) && kindOf(response) === 'events') onStream(response)
        else this.#readFailure(response, onFailure)
      },
      (failure) => this.#fail(failure, onFailure),
    )
  }

  /** Ends the session at the server too. Never rejects. */
  async close(): Promise<void> {
    const id = this.#id
    this.#id = undefined
    if (id !== undefined) await this.#delete(id)
    this.#link.close()
  }

  #delete(id: string): Promise<void> {
    const headers = { ...this.#toHeaders({ text: '', method: '' }), 'mcp-session-id': id }
    return new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        resolve()
      }
      const request = this.#link.send(
        { method: 'DELETE', headers, isRepeatable: true },
        (response) => response.resume().on('close', end),
        end,
      )
      const timer = setTimeout(() => {
        request.destroy()
        resolve()
      }, closeMs)
    })
  }

  #toHeaders({ method, name, headers }: Outgoing): { [name: string]: string } {
    const all: { [name: string]: string } = { accept, ...headers }
    if (this.revision !== undefined) all['mcp-protocol-version'] = this.revision
    if (this.#id !== undefined) all['mcp-session-id'] = this.#id
    if (!this.isModern || method === '') return all
    all['mcp-method'] = method
    if (name !== undefined) all['mcp-name'] = encodeHeader(name)
    return all
  }

  #readFailure(response: IncomingMessage, onFailure: (failure: UpstreamFailure, refusal?: Buffer) => void) {
    readWhole(response, maxFailureBytes, (body = Buffer.alloc(0)) => {
      const failure = toStatusFailure(response, body.toString(), this.#options.quote)
      const isLost = this.#isLost(response, body)
      if (isLost) this.#lose(failure)
      onFailure(failure, isLost || kindOf(response) !== 'json' ? undefined : body)
    })
  }

  #fail(failure: UpstreamFailure, onFailure: (failure: UpstreamFailure) => void) {
    onFailure(failure)
    if (isUnreachable(failure)) this.#lose(failure)
  }

  #lose(failure: UpstreamFailure) {
    this.#id = undefined
    this.#options.onLost(failure)
  }

  /** MCP specifies 404 for an expired session. Many servers send 400, with the reason only in the text. */
  #isLost({ statusCode }: IncomingMessage, body: Buffer): boolean {
    if (this.#id === undefined || this.isModern) return false
    if (statusCode === 404) return !body.includes(String(errorCodes.method))
    return statusCode === 400 && /session|not initialized/i.test(body.toString())
  }
}

function toSessionId({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,2000}$/.test(id) ? id : undefined
}
