import { randomUUID } from 'node:crypto'
import type { ClientRequests } from '../../contract/call-client.ts'
import { digest } from '../../contract/digest.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply } from '../../protocol/reply.ts'
import type { Asked } from './call-offer.ts'
import type { CallReply, CallServices } from './call-tool.ts'
import { LiveCall } from './live-call.ts'
import { findLevelFault } from './logging.ts'
import { RequestStates } from './request-state.ts'
import type { Client } from './server.ts'
import type { TaskRunner } from './tasks/task-runner.ts'

type Work = (live: LiveCall, states: RequestStates) => Promise<CallReply>

interface Parked {
  readonly live: LiveCall
  readonly reply: Promise<CallReply>
}

/** A person who is asked has this long. */
const parkMs = 600_000
const maxParked = 256
const maxParkedOfCaller = 32

/** Calls that wait for input of clients of 2026-07-28, in the memory of this process. */
export class ParkedCalls {
  /** `of`: the client must repeat the same request. */
  readonly #calls = new Map<string, Parked & { readonly of: string; readonly timer: NodeJS.Timeout }>()

  readonly #toId: (id: string) => string

  /** `toId` makes the id of a call from a random one. */
  constructor(toId: (id: string) => string = (id) => id) {
    this.#toId = toId
  }

  /** Above a limit, the oldest call ends. */
  add(parked: Parked): string {
    const own = [...this.#calls].filter(([, { live }]) => live.caller.name === parked.live.caller.name)
    if (own.length >= maxParkedOfCaller) this.#end(own[0]![0])
    else if (this.#calls.size >= maxParked) this.#end(this.#calls.keys().next().value!)
    const id = `${prefix}${this.#toId(randomUUID())}`
    const timer = setTimeout(() => this.#end(id), parkMs).unref()
    this.#calls.set(id, { ...parked, of: digestOf(parked.live.current), timer })
    return id
  }

  /** Undefined if there is no such call, or the request is another one. */
  take(id: string, asked: Asked): Parked | undefined {
    const parked = this.#calls.get(id)
    if (!parked || parked.of !== digestOf(asked)) return undefined
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
export const endedCall = 'The call that asked for input has ended, or was another one. Call again without requestState.'

/**
 * Answers a request that makes a call, or goes on with the call that asked this client for input. Most calls ask nothing, so
 * states are signed, and requests compared, only once one does. With `tasks`, a call that takes long or waits for approval is
 * answered with a task.
 */
export function answerCall(
  services: CallServices,
  asked: Asked,
  { work, tasks }: Pick<Begun, 'work' | 'tasks'>,
): Reply | Promise<Reply> {
  const { request, exchange, client } = asked
  const { id, params } = request
  const states = new RequestStates(services.stateKey, exchange.caller.name, request)
  if (!client.isModern) return work(new LiveCall(asked), states)
  const { inputResponses, requestState } = params
  if (inputResponses !== undefined && !isObject(inputResponses)) return refuse(id, 'inputResponses must be an object.')
  if (requestState !== undefined) return answerState(services, { asked, work, states, tasks }, requestState)
  const fault = findLevelFault(params)
  return fault === undefined ? begin(services, { asked, work, states, tasks }) : refuse(id, fault)
}

interface Begun {
  readonly asked: Asked
  readonly work: Work
  readonly states: RequestStates
  /** Set if the client takes a task in place of a result. */
  readonly tasks?: TaskRunner | undefined
}

function begin(services: CallServices, { asked, work, states, tasks }: Begun): Promise<Reply> {
  const live = new LiveCall(asked, tasks !== undefined)
  const reply = work(live, states)
  return isAnswering(asked.client) || tasks ? replyOrAsk(services, states, { live, reply, tasks }) : reply
}

/** Goes on with a call, or answers a question about approval. */
async function answerState(services: CallServices, begun: Begun, requestState: JsonValue): Promise<Reply> {
  const { asked, states } = begun
  const { id, params } = asked.request
  if (!(await states.read(requestState)))
    return refuse(id, 'requestState is not valid for this request. Call again without it.')
  const fault = findLevelFault(params)
  if (fault !== undefined) return refuse(id, fault)
  const { given } = states
  if (!given?.id.startsWith(prefix)) return begin(services, begun)
  const parked = services.parked.take(given.id, asked)
  if (!parked) return refuse(id, endedCall)
  parked.live.resume(asked)
  return replyOrAsk(services, states, { ...parked, tasks: begun.tasks })
}

/** Whether there is anything that a tool can ask this client. */
function isAnswering({ capabilities: { elicitation, sampling, roots } }: Client): boolean {
  return isObject(elicitation) || isObject(sampling) || isObject(roots)
}

interface Raced extends Parked, Pick<Begun, 'tasks'> {}

/** The reply of a call, what it asks the client first, or a task once it has run for a while. */
function replyOrAsk(services: CallServices, states: RequestStates, { tasks, ...call }: Raced): Promise<Reply> {
  const { live, reply } = call

  async function toAsk(requests: ClientRequests): Promise<Reply> {
    const { id } = live.current.request
    const requestState = await states.sign(services.parked.add(call))
    const inputRequests = requests as unknown as JsonObject
    return toReply(id, { resultType: 'input_required', inputRequests, requestState, _meta: services.serverMeta })
  }

  async function toTask(): Promise<Reply> {
    live.hush()
    return (await tasks!.adopt(live, reply)) ?? replyOrAsk(services, states, call)
  }

  async function toReplied(reply: CallReply): Promise<Reply> {
    return (reply.question && (await tasks?.hold(live.current, reply.question))) ?? reply
  }

  return new Promise((resolve, reject) => {
    let isOver = false
    const clock = tasks && setTimeout(() => end(toTask), tasks.afterMs)
    const end = (make: () => Reply | Promise<Reply>) => {
      if (isOver) return
      isOver = true
      clearTimeout(clock)
      resolve(make())
    }
    live.onAsk((requests) => end(() => toAsk(requests)))
    reply.then((reply) => end(() => (reply.question ? toReplied(reply) : reply)), reject)
  })
}

/** The error for a modern client that lacks what a tool needs. Undefined if it lacks nothing. */
export function toMissingReply({ current, missing }: LiveCall): Reply | undefined {
  if (!missing || !current.client.isModern) return undefined
  const message = `This needs a client that supports ${Object.keys(missing).join(', ')}. Declare it in the client's capabilities.`
  return toErrorReply(current.request.id, {
    code: errorCodes.capability,
    message,
    data: { requiredCapabilities: missing },
  })
}

/** A request as its client must repeat it. */
function digestOf({ request: { method, params }, exchange: { caller } }: Asked): string {
  const input = isObject(params.arguments) ? params.arguments : {}
  const { name: whose, session = '' } = caller
  return digest({ whose, session, method, name: params.name ?? params.uri ?? '', input })
}
