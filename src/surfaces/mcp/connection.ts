import type { Contract } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import { isRequestId, type Message, type RequestId } from '../../protocol/message.ts'
import { toNotification } from '../../protocol/reply.ts'
import type { Client } from './server.ts'

/** Why a request is aborted that its client no longer wants: nothing is answered then. */
export const cancelledByClient = new DOMException('The client took the request back', 'AbortError')

/** How one request reaches us and how messages about it reach its client. */
export interface Exchange {
  readonly caller: Caller
  /** What outlives the request; absent where each request stands on its own. */
  readonly connection?: Connection
  /** Aborted when the client takes the request back, or it must end. */
  readonly controller: AbortController
  /** Can messages go before the answer? */
  readonly canSend: boolean
  /** Aborted once messages about the request no longer reach the client; absent if only its connection tells. */
  readonly closed?: AbortSignal
  /** The client does not keep up: what may be left out should be. */
  readonly isCongested: boolean
  send(text: string): void
  /** What differs between the input and the headers that repeat parts of it; absent if the transport has no headers. */
  findInputFault?(contract: Contract, input: JsonValue): string | undefined
}

/** Aborted once the client can no longer read the result. */
export function toGone({ connection, closed }: Exchange): AbortSignal {
  return AbortSignal.any([connection?.gone, closed].filter((signal) => signal !== undefined))
}

/** A client that stays: over stdio, or in a session over HTTP. */
export class Connection {
  readonly caller: Caller
  /** What the client said of itself in `initialize`. */
  client: Client | undefined
  readonly #underWay = new Map<RequestId, AbortController>()
  readonly #asked = new Map<RequestId, (answer: JsonValue | undefined) => void>()
  /** Aborted once nobody can answer any more. */
  readonly #gone = new AbortController()
  /** Ends the stream in which the client is told of changes. */
  #endStream: (() => void) | undefined
  #asks = 0

  constructor(caller: Caller) {
    this.caller = caller
  }

  /** Aborted once the client sends nothing more. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  get hasStream(): boolean {
    return this.#endStream !== undefined
  }

  /** A client has one stream: another takes its place. */
  openStream(end: () => void) {
    this.#endStream?.()
    this.#endStream = end
  }

  dropStream(end: () => void) {
    if (this.#endStream === end) this.#endStream = undefined
  }

  get callsInFlight(): number {
    return this.#underWay.size
  }

  isInFlight(id: RequestId): boolean {
    return this.#underWay.has(id)
  }

  begin(id: RequestId, controller: AbortController) {
    this.#underWay.set(id, controller)
  }

  end(id: RequestId) {
    this.#underWay.delete(id)
  }

  /** Takes what needs no answer: notifications, and answers to what the client was asked. */
  take(message: Message) {
    if (message.kind === 'response') this.#asked.get(message.id)?.(message.result)
    if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return
    const { requestId } = message.params
    if (isRequestId(requestId)) this.#underWay.get(requestId)?.abort(cancelledByClient)
  }

  /** Asks the client. Gives its result, or undefined where it answers with an error; rejects when nobody answers. */
  ask(exchange: Exchange, params: JsonObject, until: AbortSignal): Promise<JsonValue | undefined> {
    const id = `toolpact-${++this.#asks}`
    const signal = AbortSignal.any([until, this.#gone.signal])
    return new Promise<JsonValue | undefined>((resolve, reject) => {
      signal.throwIfAborted()
      this.#asked.set(id, resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      exchange.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params }))
    })
      .catch((cause) => {
        exchange.send(toNotification('notifications/cancelled', { requestId: id }))
        throw cause
      })
      .finally(() => this.#asked.delete(id))
  }

  stopAsking() {
    this.#gone.abort(new DOMException('The client is gone', 'AbortError'))
  }

  close() {
    this.stopAsking()
    this.#endStream?.()
    for (const controller of this.#underWay.values()) controller.abort()
  }
}
