import { randomUUID } from 'node:crypto'
import type { CallClient, ClientRequest, ClientRequests, LogLevel, OpenedPage } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { toNotification } from '../../protocol/reply.ts'
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
export class LiveCall implements Exchange, CallClient {
  /** The request that gets the answer. */
  current: Asked
  /** That of the first request, unless it may become a task: it cancels the call, and later requests do so through it. */
  readonly controller: AbortController
  /** What the client lacks, as the tool found out: `{ sampling: {} }`. */
  missing: JsonObject | undefined
  /** Whether it may become a task: then it need not wait for approval, and its request may end before it. */
  readonly mayBecomeTask: boolean
  /** What the tool last reported. */
  message: string | undefined
  /** The run of a workflow that the call has started. */
  runId: string | undefined
  #leaveRun = () => {}
  #onRun: ((id: string) => void) | undefined
  #isDetached = false
  #asked = 0
  #onAsk: ((requests: ClientRequests) => void) | undefined
  #waiting: Set<Waiting> | undefined
  /** Responses that the first request brought with it, once the tool asks. Each is used once. */
  #offered: JsonObject | undefined

  constructor(asked: Asked, mayBecomeTask = false) {
    this.current = asked
    this.mayBecomeTask = mayBecomeTask
    this.controller = mayBecomeTask ? new AbortController() : asked.exchange.controller
    if (mayBecomeTask) this.#follow(asked)
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
    return this.mayBecomeTask ? undefined! : this.current.exchange.closed!
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

  /** Calls back once, with everything that the tool waits for, when it asks for something that the request did not bring. */
  onAsk(take: (requests: ClientRequests) => void) {
    this.#onAsk = take
    if (this.#waiting?.size) this.#reportAsk()
  }

  /** In a later turn, so that questions which are asked together are reported together. */
  #reportAsk() {
    queueMicrotask(() => {
      const take = this.#onAsk
      if (!take || !this.#waiting?.size) return
      if (!this.#isDetached) this.#onAsk = undefined
      take(this.outstanding)
    })
  }

  /** What the tool waits for, by the keys that the client sees. */
  get outstanding(): ClientRequests {
    return Object.assign({}, ...[...(this.#waiting ?? [])].map(({ requests }) => requests))
  }

  /** Keeps questions until `onAsk` or `detach` is called. */
  hush() {
    this.#onAsk = undefined
  }

  /** Continues as a task: the end of its request no longer matters. `onAsk` is called whenever the tool asks something. */
  detach(exchange: Exchange, onAsk: (requests: ClientRequests) => void) {
    const { request, client } = this.current
    this.current = { request, client, exchange }
    this.#isDetached = true
    this.#offered = {}
    this.onAsk(onAsk)
  }

  /** `leave`: ends the call; its run goes on. */
  startRun(id: string, leave: () => void) {
    this.runId = id
    this.#leaveRun = leave
    this.#onRun?.(id)
  }

  /** Calls back once the call has started a run. */
  onRun(take: (id: string) => void) {
    this.#onRun = take
    if (this.runId !== undefined) take(this.runId)
  }

  /** Ends the call, whose run goes on. */
  leaveRun() {
    this.#leaveRun()
  }

  /** Goes on with the answers of another request. Only questions that were asked have answers. */
  resume(asked: Asked) {
    this.current = asked
    this.#follow(asked)
    this.#offered = {}
    const { inputResponses } = asked.request.params
    if (isObject(inputResponses)) this.answer(inputResponses)
  }

  /** Resolves the questions whose answers are all there. */
  answer(responses: JsonObject) {
    for (const waiting of this.#waiting ?? []) {
      const given = findGiven(waiting.keys, responses)
      if (!given) continue
      this.#waiting!.delete(waiting)
      waiting.resolve(given)
    }
  }

  #follow({ exchange }: Asked) {
    const { signal } = exchange.controller
    const stop = () => this.current.exchange === exchange && this.controller.abort(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  }

  get logLevel(): LogLevel | undefined {
    const { request, exchange, client } = this.current
    return findLogLevel(request.params, exchange, client)
  }

  log(level: LogLevel, data: JsonValue, logger?: string) {
    const { request, exchange, client } = this.current
    toLogger(request.params, exchange, client)?.({ level, data, logger })
  }

  lack(capabilities: JsonObject) {
    this.missing = { ...this.missing, ...capabilities }
  }

  supports({ method, params }: ClientRequest): boolean {
    const { client, exchange } = this.current
    if (!this.#asksLater && (!exchange.connection || !exchange.canSend)) return false
    if (method === 'elicitation/create') return params.mode === 'url' ? canOpenPages(client) : canElicit(client)
    return isObject(client.capabilities[method === 'roots/list' ? 'roots' : 'sampling'])
  }

  async ask(requests: ClientRequests, signal?: AbortSignal): Promise<Responses> {
    return this.#takeOffered(requests) ?? this.askAnew(requests, signal)
  }

  async openPage({ message, url, done, signal }: OpenedPage): Promise<boolean> {
    const { client, exchange } = this.current
    const isLegacy = !this.#asksLater
    // Since 2026-07-28 the state of the request correlates answers.
    const elicitationId = randomUUID()
    const params = { mode: 'url', message, url, ...(isLegacy && { elicitationId }) }
    const request = { method: 'elicitation/create', params } as const
    if (!canOpenPages(client) || !this.supports(request)) return false
    const answers = await this.askAnew({ page: request }, signal).catch(() => undefined)
    // Accepting means that the page was opened, not what happened there.
    if (answers?.page?.action !== 'accept') return false
    const isDone = await done(AbortSignal.any([signal, this.controller.signal]))
    if (isLegacy) exchange.send(toNotification('notifications/elicitation/complete', { elicitationId }))
    return isDone
  }

  #takeOffered(requests: ClientRequests): Responses | undefined {
    const { inputResponses } = this.current.request.params
    this.#offered ??= isObject(inputResponses) ? { ...inputResponses } : {}
    const keys = Object.keys(requests)
    const given = findGiven(new Map(keys.map((key) => [key, key])), this.#offered)
    if (given) for (const key of keys) delete this.#offered[key]
    return given
  }

  /** Asks, whatever the first request brought with it. */
  async askAnew(requests: ClientRequests, signal?: AbortSignal): Promise<Responses> {
    const entries = Object.entries(requests)
    for (const [, request] of entries) if (!this.supports(request)) this.lack({ [featureOf[request.method]]: {} })
    if (this.missing) throw new Error(`The client does not support ${Object.keys(this.missing).join(', ')}.`)
    if (entries.length > maxRequests || JSON.stringify(requests).length > maxRequestCharacters)
      throw new Error('The tool asks its client for too much at once.')
    const until = AbortSignal.any([this.controller.signal, ...(signal ? [signal] : [])])
    return this.#asksLater ? this.#askLater(requests, until) : this.#askNow(entries, until)
  }

  get #asksLater(): boolean {
    return this.current.client.isModern || this.#isDetached
  }

  #askLater(requests: ClientRequests, until: AbortSignal): Promise<Responses> {
    this.#waiting ??= new Set()
    const all = this.#waiting
    // A task uses each key once.
    const keys = this.#isDetached ? toTaskKeys(requests, ++this.#asked) : toKeys(requests, all)
    return new Promise((resolve, reject) => {
      until.throwIfAborted()
      const entries = Object.entries(requests).map(toShown)
      const waiting = { keys, resolve, requests: Object.fromEntries(entries.map(([key, request]) => [keys.get(key)!, request])) } // biome-ignore format: one line
      until.addEventListener('abort', () => all.delete(waiting) && reject(until.reason), { once: true })
      all.add(waiting)
      this.#reportAsk()
    })
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

/** The keys that the client sees: questions of the same key that wait at the same time are numbered. */
function toKeys(asked: ClientRequests, waiting: ReadonlySet<Waiting>): ReadonlyMap<string, string> {
  const taken = new Set([...waiting].flatMap(({ requests }) => Object.keys(requests)))
  return new Map(
    Object.keys(asked).map((key) => {
      let free = key
      for (let number = 2; taken.has(free); number++) free = `${key}-${number}`
      taken.add(free)
      return [key, free]
    }),
  )
}

function toTaskKeys(asked: ClientRequests, round: number): ReadonlyMap<string, string> {
  return new Map(Object.keys(asked).map((key) => [key, `${key}.${round}`]))
}

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
