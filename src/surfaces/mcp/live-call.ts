import type { CallClient, ClientRequest, ClientRequests } from '../../contract/call-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import type { Asked } from './call-offer.ts'
import type { Exchange } from './connection.ts'
import { canElicit, canOpenPages } from './elicitation.ts'
import { toLogger } from './logging.ts'

type Responses = { readonly [key: string]: JsonObject }

const maxRequests = 20
const maxRequestCharacters = 262_144

/**
 * One call and the request that waits for it. If the tool asks its client for input, a client of 2026-07-28 gets the questions
 * as a result, and the call goes on with the request that brings the answers.
 */
export class LiveCall implements Exchange {
  /** The request that gets the answer. */
  current: Asked
  readonly controller = new AbortController()
  /** What the client lacks, as the tool found out: `{ sampling: {} }`. */
  readonly missing: JsonObject = {}
  #onAsk: ((requests: ClientRequests) => void) | undefined
  #waiting: { readonly requests: ClientRequests; readonly resolve: (responses: Responses) => void } | undefined

  constructor(asked: Asked) {
    this.current = asked
    this.#follow(asked)
  }

  get caller() {
    return this.current.exchange.caller
  }
  get connection() {
    return this.current.exchange.connection!
  }
  get canSend() {
    return this.current.exchange.canSend
  }
  get closed() {
    return this.current.exchange.closed!
  }
  get isCongested() {
    return this.current.exchange.isCongested
  }
  get findInputFault() {
    return this.current.exchange.findInputFault!
  }
  send(text: string) {
    this.current.exchange.send(text)
  }

  /** Resolves when the tool asks for something that the request did not bring. */
  nextAsk(): Promise<ClientRequests> {
    return new Promise((resolve) => {
      this.#onAsk = resolve
      if (this.#waiting) resolve(this.#waiting.requests)
    })
  }

  /** Goes on with the answers of another request. */
  resume(asked: Asked) {
    this.current = asked
    this.#follow(asked)
    const waiting = this.#waiting
    const given = waiting && this.#findGiven(waiting.requests)
    if (!given) return
    this.#waiting = undefined
    waiting!.resolve(given)
  }

  readonly client: CallClient = {
    supports: (request) => this.#supports(request),
    ask: (requests, signal) => this.#ask(requests, signal),
    log: (level, data, logger) => {
      const { request, exchange, client } = this.current
      toLogger(request.params, exchange, client)?.({ level, data, logger })
    },
  }

  #follow({ exchange }: Asked) {
    const { signal } = exchange.controller
    const stop = () => this.current.exchange === exchange && this.controller.abort(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  }

  #supports({ method, params }: ClientRequest): boolean {
    const { client, exchange } = this.current
    if (!client.isModern && (!exchange.connection || !exchange.canSend)) return false
    if (method === 'elicitation/create') return params.mode === 'url' ? canOpenPages(client) : canElicit(client)
    return isObject(client.capabilities[method === 'roots/list' ? 'roots' : 'sampling'])
  }

  async #ask(requests: ClientRequests, signal?: AbortSignal): Promise<Responses> {
    const entries = Object.entries(requests)
    for (const [, request] of entries) if (!this.#supports(request)) this.missing[featureOf[request.method]] = {}
    const lacks = Object.keys(this.missing)
    if (lacks.length > 0) throw new Error(`The client does not support ${lacks.join(', ')}.`)
    if (entries.length > maxRequests || JSON.stringify(requests).length > maxRequestCharacters)
      throw new Error('The tool asks its client for too much at once.')
    const until = AbortSignal.any([this.controller.signal, ...(signal ? [signal] : [])])
    return this.current.client.isModern ? this.#askLater(requests, until) : this.#askNow(entries, until)
  }

  #askLater(requests: ClientRequests, until: AbortSignal): Promise<Responses> {
    const given = this.#findGiven(requests)
    if (given) return Promise.resolve(given)
    return new Promise((resolve, reject) => {
      until.throwIfAborted()
      until.addEventListener('abort', () => reject(until.reason), { once: true })
      this.#waiting = { requests: Object.fromEntries(Object.entries(requests).map(toShown)), resolve }
      this.#onAsk?.(this.#waiting.requests)
    })
  }

  /** Undefined unless every answer is there. Others that the client sent are ignored. */
  #findGiven(requests: ClientRequests): Responses | undefined {
    const { inputResponses } = this.current.request.params
    const given = isObject(inputResponses) ? inputResponses : {}
    const found: { [key: string]: JsonObject } = {}
    for (const key of Object.keys(requests)) {
      const response = Object.hasOwn(given, key) ? given[key] : undefined
      if (!isObject(response)) return undefined
      found[key] = response
    }
    return found
  }

  async #askNow(entries: readonly [string, ClientRequest][], until: AbortSignal): Promise<Responses> {
    const found: { [key: string]: JsonObject } = {}
    for (const entry of entries) {
      const [key, { method, params }] = toShown(entry)
      const { exchange } = this.current
      const response = await exchange.connection!.ask(exchange, { method, params }, until)
      if (!isObject(response)) throw new Error(`The client answered ${method} with an error.`)
      found[key] = response
    }
    return found
  }
}

const featureOf = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const

/** A person reads the message. */
function toShown([key, { method, params }]: [string, ClientRequest]): [string, ClientRequest] {
  const { message } = params
  return [
    key,
    { method, params: typeof message === 'string' ? { ...params, message: stripHidden(message, 'prose') } : params },
  ]
}
