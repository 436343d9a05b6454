import { randomUUID } from 'node:crypto'
import { digest } from '../../contract/digest.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply } from '../../protocol/reply.ts'
import type { Asked } from './call-offer.ts'
import type { CallServices } from './call-tool.ts'
import { LiveCall } from './live-call.ts'
import { findLevelFault } from './logging.ts'
import { createRequestStates, type RequestState, type RequestStates } from './request-state.ts'

type Work = (live: LiveCall, states: CallStates) => Promise<Reply>

/** Signs states, with what the client brought back. */
export interface CallStates extends Pick<RequestStates, 'sign'> {
  readonly given: RequestState | 'invalid' | undefined
}

interface Parked {
  readonly live: LiveCall
  readonly reply: Promise<Reply>
  /** The client must repeat the same request. */
  readonly of: string
}

/** A person who is asked has this long. */
const parkMs = 600_000
const maxParked = 256
const maxParkedOfCaller = 32

/** Calls that wait for input of clients of 2026-07-28, in the memory of this process. */
export class ParkedCalls {
  readonly #calls = new Map<string, Parked & { readonly timer: NodeJS.Timeout }>()

  /** Above a limit, the oldest call ends. */
  add(parked: Parked): string {
    const own = [...this.#calls].filter(([, { live }]) => live.caller.name === parked.live.caller.name)
    if (own.length >= maxParkedOfCaller) this.#end(own[0]![0])
    else if (this.#calls.size >= maxParked) this.#end(this.#calls.keys().next().value!)
    const id = `${prefix}${randomUUID()}`
    this.#calls.set(id, { ...parked, timer: setTimeout(() => this.#end(id), parkMs).unref() })
    return id
  }

  take(id: string, of: string): Parked | undefined {
    const parked = this.#calls.get(id)
    if (parked?.of !== of) return undefined
    clearTimeout(parked.timer)
    this.#calls.delete(id)
    return parked
  }

  close() {
    for (const id of [...this.#calls.keys()]) this.#end(id)
  }

  #end(id: string) {
    const { live, timer } = this.#calls.get(id)!
    clearTimeout(timer)
    this.#calls.delete(id)
    live.controller.abort(new DOMException('The client did not send its input', 'AbortError'))
  }
}

const prefix = 'call-'

/** Answers a request that makes a call, or goes on with the call that asked this client for input. */
export async function answerCall(services: CallServices, asked: Asked, work: Work): Promise<Reply> {
  const { request, exchange, client } = asked
  const { id, params } = request
  const states = createRequestStates(services.stateKey, exchange.caller.name, request)
  if (!client.isModern) return work(new LiveCall(asked), { ...states, given: undefined })
  const given = await states.read()
  const fault = findFault(params, given)
  if (fault !== undefined) return refuse(id, fault)
  const of = digest({
    ...exchange.caller,
    method: request.method,
    name: params.name ?? params.uri ?? '',
    input: toInput(params),
  })
  if (!isParked(given)) {
    const live = new LiveCall(asked)
    return race(services, states, { live, of, reply: work(live, { ...states, given }) })
  }
  const parked = services.parked.take(given.id, of)
  if (!parked)
    return refuse(id, 'The call that asked for input has ended, or was another one. Call again without requestState.')
  parked.live.resume(asked)
  return race(services, states, parked)
}

function isParked(state: RequestState | 'invalid' | undefined): state is RequestState {
  return state !== undefined && state !== 'invalid' && state.id.startsWith(prefix)
}

function findFault(params: JsonObject, given: RequestState | 'invalid' | undefined): string | undefined {
  if (params.inputResponses !== undefined && !isObject(params.inputResponses))
    return 'inputResponses must be an object.'
  if (given === 'invalid') return 'requestState is not valid for this request. Call again without it.'
  return findLevelFault(params)
}

async function race({ parked, serverMeta }: CallServices, states: RequestStates, call: Parked): Promise<Reply> {
  const first = await Promise.race([call.reply, call.live.nextAsk().then((requests) => ({ requests }))])
  if (!('requests' in first)) return first
  const { id } = call.live.current.request
  const requestState = await states.sign(parked.add(call))
  const inputRequests = first.requests as unknown as JsonObject
  return toReply(id, { resultType: 'input_required', inputRequests, requestState, _meta: serverMeta })
}

/** The error for a modern client that lacks what a tool needs. Undefined if it lacks nothing. */
export function toMissingReply({ current, missing }: LiveCall): Reply | undefined {
  const lacks = Object.keys(missing)
  if (lacks.length === 0 || !current.client.isModern) return undefined
  const message = `This needs a client that supports ${lacks.join(', ')}. Declare it in the client's capabilities.`
  return toErrorReply(current.request.id, {
    code: errorCodes.capability,
    message,
    data: { requiredCapabilities: missing },
  })
}

function toInput({ arguments: input }: JsonObject): JsonObject {
  return isObject(input) ? input : {}
}
