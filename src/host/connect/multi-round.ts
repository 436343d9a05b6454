import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientRequest, ClientRequests } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { type Peer, PeerRefusal, UpstreamFailure } from './client.ts'
import type { Conversation } from './conversation.ts'

/** A server that keeps asking would hold the call forever. */
const maxRounds = 20
const maxRequests = 16
const maxStateCharacters = 262_144
const pauseMs = 100

interface Rounds {
  /** Sends the request, with these fields in addition. */
  readonly send: (more: string) => Promise<JsonValue>
  readonly peer: Peer | undefined
  readonly roots: readonly JsonObject[] | undefined
  readonly signal: AbortSignal
  /** Follows a task that the server answers with. Absent: a task is no valid answer. */
  readonly follow?: ((task: JsonObject) => Promise<JsonValue>) | undefined
}

/**
 * Sends a request of 2026-07-28 until its result is complete. A server that needs input answers with `input_required`; the
 * answers are sent with a new request, which repeats the server's `requestState` unchanged.
 */
export async function runRounds(
  conversation: Conversation,
  { send, peer, roots, signal, follow }: Rounds,
): Promise<JsonValue> {
  let more = ''
  for (let round = 0; round < maxRounds; round++) {
    const result = await send(more)
    const type = isObject(result) ? result.resultType : undefined
    if (type === undefined || type === 'complete') return result
    if (type === 'task' && follow) return follow(result as JsonObject)
    if (type !== 'input_required') throw toUnknownType(conversation, type)
    const { inputRequests, requestState } = result as JsonObject
    const requests = readRequests(inputRequests)
    if (requestState !== undefined && (typeof requestState !== 'string' || requestState.length > maxStateCharacters))
      throw new UpstreamFailure('protocol', 'The server sent a requestState that is not a string, or is too long.')
    const answers = requests && (await answerRequests(requests, { peer, roots, signal }))
    // Without questions, the server only wants to be asked again.
    if (!answers) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    more = `${answers ? `,"inputResponses":${JSON.stringify(answers)}` : ''}${requestState === undefined ? '' : `,"requestState":${JSON.stringify(requestState)}`}`
  }
  throw new UpstreamFailure('refused', `The server asked for input ${maxRounds} times, and the call was given up.`)
}

/** Undefined if there are none. Throws if they are not as MCP defines them, or too many. */
export function readRequests(value: JsonValue | undefined): ClientRequests | undefined {
  if (value === undefined) return undefined
  const entries = isObject(value) ? Object.entries(value) : undefined
  const isSound = entries?.every(([, request]) => isObject(request) && typeof request.method === 'string' && (request.params === undefined || isObject(request.params))) // biome-ignore format: one line
  if (!entries || !isSound || entries.length > maxRequests)
    throw new UpstreamFailure('protocol', 'The server asked for input in a form that MCP does not allow.')
  const requests = entries.map(([key, request]) => [key, { params: {}, ...(request as object) } as ClientRequest])
  return entries.length === 0 ? undefined : Object.fromEntries(requests)
}

/** Answers what a server asks: roots here, and the rest by the user of the call. */
export async function answerRequests(
  requests: ClientRequests,
  { peer, roots, signal }: Pick<Rounds, 'peer' | 'roots' | 'signal'>,
): Promise<JsonObject> {
  const answers: { [key: string]: JsonObject } = {}
  const rest: { [key: string]: ClientRequest } = {}
  for (const [key, request] of Object.entries(requests)) {
    if (request.method === 'roots/list' && roots) answers[key] = { roots: [...roots] }
    else rest[key] = request
  }
  if (Object.keys(rest).length === 0) return answers
  if (!peer) throw new UpstreamFailure('refused', 'The server asks for input, and there is no one to ask.')
  try {
    return { ...answers, ...(await peer.answer(rest, signal)) }
  } catch (cause) {
    if (cause instanceof PeerRefusal) throw new UpstreamFailure('refused', cause.message, { cause })
    throw cause
  }
}

function toUnknownType(conversation: Conversation, type: JsonValue): UpstreamFailure {
  const plain = 'The server answered with an unknown type of result.'
  const said = conversation.quote(typeof type === 'string' ? type : JSON.stringify(type), 100)
  return new UpstreamFailure('protocol', `${plain} Its type is ${said}.`, { plain })
}
