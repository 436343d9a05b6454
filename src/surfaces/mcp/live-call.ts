import type { CallClient, ClientRequest, ClientRequests } from '../../contract/call-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import type { Asked } from './call-offer.ts'
import type { Exchange } from './connection.ts'
import { canElicit, canOpenPages } from './elicitation.ts'
import { findLogLevel, toLogger } from './logging.ts'

type Responses = { readonly [key: string]: JsonObject }

/** Questions to a client of 2026-07-28 that wait for their answers. */
interface Waiting {
  /** By the keys that the client sees. */
  readonly requests: ClientRequests
  /** From the keys of the tool to those that the client sees. */
  readonly keys: ReadonlyMap<string, string>
  readonly resolve: (responses: Responses) => void
}

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
  #onAsk: (() => void) | undefined
  readonly #waiting = new Set<Waiting>()
  readonly client: CallClient
  /** Responses that the first request brought with it. Each is used once. */
  #offered: JsonObject

  constructor(asked: Asked) {
    this.current = asked
    this.#follow(asked)
    const { request, exchange, client } = asked
    const { inputResponses } = request.params
    this.#offered = isObject(inputResponses) ? { ...inputResponses } : {}
    const logLevel = findLogLevel(request.params, exchange, client)
    this.client = {
      supports: (request) => this.#supports(request),
      ask: async (requests, signal) => this.#takeOffered(requests) ?? this.askAnew(requests, signal),
      lack: (capabilities) => Object.assign(this.missing, capabilities),
      ...(logLevel && { logLevel }),
      log: (level, data, logger) => {
        const { request, exchange, client } = this.current
        toLogger(request.params, exchange, client)?.({ level, data, logger })
      },
    }
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

  /** Resolves when the tool asks for something that the request did not bring, to everything that it waits for. */
  async nextAsk(): Promise<ClientRequests> {
    if (this.#waiting.size === 0)
      await new Promise<void>((resolve) => {
        this.#onAsk = resolve
      })
    return Object.assign({}, ...[...this.#waiting].map(({ requests }) => requests))
  }

  /** Goes on with the answers of another request. Only questions that were asked have answers. */
  resume(asked: Asked) {
    this.current = asked
    this.#follow(asked)
    this.#offered = {}
    const { inputResponses } = asked.request.params
    for (const waiting of this.#waiting) {
      const given = isObject(inputResponses) && findGiven(waiting.keys, inputResponses)
      if (!given) continue
      this.#waiting.delete(waiting)
      waiting.resolve(given)
    }
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

  #takeOffered(requests: ClientRequests): Responses | undefined {
    const keys = Object.keys(requests)
    const given = findGiven(new Map(keys.map((key) => [key, key])), this.#offered)
    if (given) for (const key of keys) delete this.#offered[key]
    return given
  }

  /** Asks, whatever the first request brought with it. */
  async askAnew(requests: ClientRequests, signal?: AbortSignal): Promise<Responses> {
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
    const keys = this.#toKeys(requests)
    return new Promise((resolve, reject) => {
      until.throwIfAborted()
      const entries = Object.entries(requests).map(toShown)
      const waiting = { keys, resolve, requests: Object.fromEntries(entries.map(([key, request]) => [keys.get(key)!, request])) } // biome-ignore format: one line
      until.addEventListener('abort', () => this.#waiting.delete(waiting) && reject(until.reason), { once: true })
      this.#waiting.add(waiting)
      this.#onAsk?.()
    })
  }

  /** The keys that the client sees: questions of the same key that wait at the same time are numbered. */
  #toKeys(requests: ClientRequests): ReadonlyMap<string, string> {
    const taken = new Set([...this.#waiting].flatMap(({ requests }) => Object.keys(requests)))
    return new Map(
      Object.keys(requests).map((key) => {
        let free = key
        for (let number = 2; taken.has(free); number++) free = `${key}-${number}`
        taken.add(free)
        return [key, free]
      }),
    )
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

/** Undefined unless every answer is there. Others that the client sent are ignored. */
function findGiven(keys: Waiting['keys'], responses: JsonObject): Responses | undefined {
  const found: { [key: string]: JsonObject } = {}
  for (const [key, shown] of keys) {
    const response = Object.hasOwn(responses, shown) ? responses[shown] : undefined
    if (!isObject(response)) return undefined
    found[key] = response
  }
  return found
}

/** A person reads the message. */
function toShown([key, { method, params }]: [string, ClientRequest]): [string, ClientRequest] {
  const { message } = params
  return [
    key,
    { method, params: typeof message === 'string' ? { ...params, message: stripHidden(message, 'prose') } : params },
  ]
}
