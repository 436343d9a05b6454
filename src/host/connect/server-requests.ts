import type { ClientRequest } from '../../contract/call-client.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RequestId } from '../../protocol/message.ts'
import { errorCodes } from '../../protocol/reply.ts'
import { type Peer, PeerRefusal } from './client.ts'

interface ServerRequestsOptions {
  /** The roots that the operator grants; undefined if none are offered. */
  readonly roots: readonly JsonObject[] | undefined
  /** Whether the roots of a client may be asked for. Default: false. */
  readonly offersRoots?: boolean
  /** Who answers: the peer of the call that the request belongs to. */
  readonly findPeer: (answering: number | undefined) => Peer | undefined
  readonly send: (text: string) => void
  readonly onNoise: (text: string) => void
}

/** Max requests of a server in flight. */
const maxInFlight = 16

/** Answers the requests of a server, up to 2025-11-25. Each gets one answer; too many at once are refused. */
export class ServerRequests {
  readonly #options: ServerRequestsOptions
  readonly #inFlight = new Map<RequestId, AbortController>()

  constructor(options: ServerRequestsOptions) {
    this.#options = options
  }

  /** `answering`: our request on whose response it arrived, if known. */
  async take(id: RequestId, { method, params }: { method: string; params: JsonObject }, answering?: number) {
    const { send, onNoise, roots } = this.#options
    const reply = (body: JsonObject) => send(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    if (method === 'ping') return reply({ result: {} })
    if (this.#inFlight.has(id)) return onNoise(`The server repeated the id of its request ${method}, which is ignored.`)
    if (method === 'roots/list' && roots) return reply({ result: { roots: [...roots] } })
    const isKnown = method === 'elicitation/create' || method === 'sampling/createMessage'
    if (!isKnown && !(method === 'roots/list' && this.#options.offersRoots)) {
      onNoise(`The server requested ${method}, which this client does not support.`)
      return reply({ error: { code: errorCodes.method, message: 'This client does not know the method.' } })
    }
    if (this.#inFlight.size >= maxInFlight) {
      onNoise(`The server has more than ${maxInFlight} requests in flight.`)
      return reply({ error: { code: errorCodes.request, message: 'Too many requests are in flight.' } })
    }
    const controller = new AbortController()
    this.#inFlight.set(id, controller)
    try {
      const request = { method, params } as ClientRequest
      const result = await this.#answer(request, answering, controller.signal)
      if (!controller.signal.aborted) reply({ result })
    } catch (cause) {
      const refusal = cause instanceof PeerRefusal ? cause : new PeerRefusal('The request could not be answered.')
      onNoise(`The server requested ${method}: ${refusal.message}`)
      if (!controller.signal.aborted) reply({ error: { code: refusal.code, message: refusal.message } })
    } finally {
      this.#inFlight.delete(id)
    }
  }

  /** The server withdraws its request. Returns false if it is not in flight. */
  cancel(id: RequestId): boolean {
    const controller = this.#inFlight.get(id)
    controller?.abort()
    return controller !== undefined
  }

  /** The connection has ended, so no answer is awaited. */
  end() {
    for (const controller of this.#inFlight.values()) controller.abort()
  }

  async #answer(request: ClientRequest, answering: number | undefined, signal: AbortSignal): Promise<JsonObject> {
    const peer = this.#options.findPeer(answering)
    // Servers ask for roots when they start, and may not start if that fails.
    if (!peer && request.method === 'roots/list') return { roots: [] }
    if (!peer) throw new PeerRefusal('It belongs to no call in flight, so there is no one to ask.', errorCodes.method)
    const { answer } = await peer.answer({ answer: request }, signal)
    return answer!
  }
}
