/**
 * Calls of 2026-07-28 whose tool asks the client. The request ends with `input_required`, while the call stays in memory until
 * the client repeats the request with `inputResponses`.
 *
 * Invariants: a call answers one request at a time, the latest (`#exchange`). A `requestState` names one question of one call,
 * is accepted once, and only from the same caller for the same request. A call whose client does not come back ends.
 */
import { randomUUID } from 'node:crypto'
import type { CallClient, ClientRequests } from '../../contract/call-client.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { digestText } from '../../contract/digest.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { Request } from '../../protocol/message.ts'
import { type Reply, refuse, toReply } from '../../protocol/reply.ts'
import { maxAnswerMs, supportsRequest } from './call-client.ts'
import type { Exchange } from './connection.ts'
import type { Client } from './server.ts'

/** Max calls that wait for their clients; each may hold a request to another server. */
const maxSuspended = 256
const maxPerCaller = 32
const stateForm = /^run-([0-9a-f-]{36})$/

/** Runs a request once. `exchange` stands for the client, whichever request it sends next. */
type Work = (exchange: Exchange) => Promise<Reply | undefined>

interface Asked {
  readonly request: Request
  readonly exchange: Exchange
  readonly client: Client
}

type Turn = { readonly reply: Reply | undefined } | { readonly question: JsonObject }

export class SuspendedCalls {
  readonly #serverMeta: JsonObject
  /** By the state of the pending question. */
  readonly #calls = new Map<string, SuspendedCall>()

  constructor(serverMeta: JsonObject) {
    this.#serverMeta = serverMeta
  }

  /** Answers a request: resumes the call that it continues, or starts one. */
  async answer(asked: Asked, work: Work): Promise<Reply | undefined> {
    const { request, exchange, client } = asked
    const { requestState } = request.params
    const state = typeof requestState === 'string' ? stateForm.exec(requestState)?.[1] : undefined
    // Most clients can answer nothing.
    if (state === undefined && !['elicitation', 'sampling', 'roots'].some((name) => client.capabilities[name]))
      return work(exchange)
    if (state === undefined) return this.#settle(asked, new SuspendedCall(this, asked), work)
    const call = this.#calls.get(state)
    if (!call?.isFor(request, exchange))
      return refuse(request.id, 'requestState does not belong to a pending question about this request. Call again without it.') // biome-ignore format: one line
    const missing = call.take(asked)
    if (missing) return toReply(request.id, this.#toQuestion(state, missing))
    this.#calls.delete(state)
    return this.#settle(asked, call)
  }

  /** Registers a question. Throws if too many are pending. */
  suspend(call: SuspendedCall, requests: ClientRequests): { readonly state: string; readonly question: JsonObject } {
    const ofCaller = [...this.#calls.values()].filter(({ caller }) => caller === call.caller).length
    if (this.#calls.size >= maxSuspended || ofCaller >= maxPerCaller)
      throw new Error('Too many calls wait for an answer.')
    const state = randomUUID()
    this.#calls.set(state, call)
    return { state, question: this.#toQuestion(state, requests) }
  }

  forget(state: string) {
    this.#calls.delete(state)
  }

  close() {
    for (const call of this.#calls.values()) call.abort()
    this.#calls.clear()
  }

  async #settle({ request }: Asked, call: SuspendedCall, work?: Work): Promise<Reply | undefined> {
    const turn = await call.run(work)
    if ('question' in turn) return toReply(request.id, turn.question)
    return turn.reply && withId(turn.reply, call.firstId, request.id)
  }

  #toQuestion(state: string, requests: ClientRequests): JsonObject {
    const inputRequests = Object.fromEntries(
      Object.entries(requests).map(([key, { method, params }]): [string, JsonObject] => [key, { method, params }]),
    )
    return { resultType: 'input_required', inputRequests, requestState: `run-${state}`, _meta: this.#serverMeta }
  }
}

class SuspendedCall {
  readonly caller: string
  readonly firstId: Request['id']
  readonly #calls: SuspendedCalls
  readonly #request: Request
  readonly #controller = new AbortController()
  readonly #client: Client
  #exchange: Exchange
  #progressToken: JsonValue | undefined
  #ended: Promise<Turn> | undefined
  #turn = Promise.withResolvers<Turn>()
  /** The question that waits for its answer. */
  #pending: { requests: ClientRequests; answers: { [key: string]: JsonObject }; resolve: () => void } | undefined

  constructor(calls: SuspendedCalls, { request, exchange, client }: Asked) {
    this.#calls = calls
    this.firstId = request.id
    this.caller = toOwner(exchange)
    this.#request = request
    this.#client = client
    this.#exchange = exchange
    this.#follow(exchange, request)
  }

  isFor(request: Request, exchange: Exchange): boolean {
    return this.caller === toOwner(exchange) && toSubject(this.#request) === toSubject(request)
  }

  /** Starts or continues the call, until it ends or asks. */
  run(work?: Work): Promise<Turn> {
    this.#turn = Promise.withResolvers()
    this.#ended ??= work!(this.#toExchange()).then((reply) => ({ reply }))
    return Promise.race([this.#ended, this.#turn.promise])
  }

  /** Takes the client's answers. Returns the questions that are still open, if any. */
  take({ request, exchange }: Asked): ClientRequests | undefined {
    const { inputResponses } = request.params
    const { requests, answers, resolve } = this.#pending!
    for (const key of Object.keys(requests)) {
      const given = isObject(inputResponses) && Object.hasOwn(inputResponses, key) ? inputResponses[key] : undefined
      if (isObject(given)) answers[key] = given
    }
    const open = Object.entries(requests).filter(([key]) => !Object.hasOwn(answers, key))
    if (open.length > 0) return Object.fromEntries(open)
    this.#follow(exchange, request)
    // After `run` has made the next turn: the call may ask again at once.
    setImmediate(resolve)
    return undefined
  }

  abort() {
    this.#controller.abort()
  }

  readonly #ask: CallClient['ask'] = async (requests, signal) => {
    const unsupported = Object.values(requests).find((request) => !supportsRequest(this.#client, request))
    if (unsupported) throw new Error(`The client does not support ${unsupported.method}.`)
    const { promise, resolve } = Promise.withResolvers<void>()
    const { state, question } = this.#calls.suspend(this, requests)
    const answers: { [key: string]: JsonObject } = {}
    this.#pending = { requests, answers, resolve }
    this.#turn.resolve({ question })
    const until = AbortSignal.any([AbortSignal.timeout(maxAnswerMs), this.#controller.signal, ...(signal ? [signal] : [])]) // biome-ignore format: one line
    try {
      await orAborted(promise, until)
      return answers
    } finally {
      this.#calls.forget(state)
      // The client no longer waits, so the call has no one to answer to.
      if (until.aborted) this.abort()
    }
  }

  #follow(exchange: Exchange, { params: { _meta } }: Request) {
    this.#exchange = exchange
    this.#progressToken = isObject(_meta) ? _meta.progressToken : undefined
    const { signal } = exchange.controller
    const onAbort = () => this.#exchange === exchange && this.#controller.abort(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  }

  /** The exchange of whichever request the client has sent last. */
  #toExchange(): Exchange {
    const current = () => this.#exchange
    const first = this.#exchange
    return {
      caller: first.caller,
      ...(first.connection && { connection: first.connection }),
      controller: this.#controller,
      canSend: first.canSend,
      get closed() {
        return current().closed
      },
      get isCongested() {
        return current().isCongested
      },
      send: (text) => this.#send(text),
      ...(first.findInputFault && { findInputFault: (contract, input) => first.findInputFault!(contract, input) }),
      callClient: { supports: (request) => supportsRequest(this.#client, request), ask: this.#ask },
    } as Exchange
  }

  /** Progress carries the token of the request that is in flight. */
  #send(text: string) {
    if (!text.includes('"notifications/progress"')) return this.#exchange.send(text)
    const message = JSON.parse(text)
    if (this.#progressToken === undefined) return
    message.params.progressToken = this.#progressToken
    this.#exchange.send(JSON.stringify(message))
  }
}

function toOwner({ caller }: Exchange): string {
  return JSON.stringify([caller.name, caller.session ?? null])
}

/** Everything that a request is about. Its answers and metadata may differ when it is repeated. */
function toSubject({ method, params }: Request): string {
  const { _meta, inputResponses, requestState, ...rest } = params
  return digestText(canonicalJson({ method, rest }))
}

/** The reply to the first request, for the one that is in flight now. */
function withId(reply: Reply, from: Request['id'], to: Request['id']): Reply {
  const start = (id: Request['id']) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
  return from === to ? reply : { ...reply, text: start(to) + reply.text.slice(start(from).length) }
}

function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) return fail()
    signal.addEventListener('abort', fail, { once: true })
    work.then(resolve).finally(() => signal.removeEventListener('abort', fail))
  })
}
