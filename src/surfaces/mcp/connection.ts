import type { IncomingHttpHeaders } from 'node:http'
import type { ClientRequest, LogLevel } from '../../contract/call-client.ts'
import { passCallerToken } from '../../contract/caller-token.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import { isRequestId, type Message, type RequestId } from '../../protocol/message.ts'
import { toNotification } from '../../protocol/reply.ts'
import { toCaller } from '../../runtime/pipeline/to-caller.ts'
import type { ListKind } from './changes.ts'
import type { Client } from './server.ts'

/** Abort reason of a request that its client cancelled: it gets no response. */
export const cancelledByClient = new DOMException('The client cancelled the request', 'AbortError')

/** One request, and the channel to its client. */
export interface Exchange {
  readonly caller: Caller
  /** Absent if requests are stateless. */
  readonly connection?: Connection
  /** Aborted when the client cancels the request, or the server ends it. */
  readonly controller: AbortController
  /** Whether messages can be sent before the response. */
  readonly canSend: boolean
  /** Aborted once messages no longer reach the client; absent if only the connection knows. */
  readonly closed?: AbortSignal
  /** The client reads too slowly: drop optional messages. */
  readonly isCongested: boolean
  send(text: string): void
  /** Of the HTTP request; absent over stdio. */
  readonly headers?: IncomingHttpHeaders
  /** What differs between the input and the headers that repeat parts of it; absent if the transport has no headers. */
  findInputFault?(contract: Contract, input: JsonValue): string | undefined
}

/** Aborted once the client can no longer read the result. */
export function toGone({ connection, closed }: Exchange): AbortSignal {
  return AbortSignal.any([connection?.gone, closed].filter((signal) => signal !== undefined))
}

/** A stateful client: over stdio, or in a session over HTTP. */
export class Connection {
  readonly caller: Caller
  /** From `initialize`. */
  client: Client | undefined
  /** Resolves once `initialize` is answered. Other requests wait for it, so that its reply comes first. */
  starting: Promise<void> | undefined
  /** From `logging/setLevel`. */
  logLevel: LogLevel | undefined
  /** Few: searching them takes less than a `Map` or an object, whose tables also outlive their entries (see `Slots`). */
  readonly #inFlight: { readonly id: RequestId; readonly controller: AbortController }[] = []
  readonly #asked = new Map<RequestId, (answer: JsonValue | undefined) => void>()
  /** Aborted once no answer can arrive. */
  readonly #gone = new AbortController()
  /** Subscriptions to resources, by URI, with the functions that end them. */
  readonly subscriptions = new Map<string, () => void>()
  /** Kinds of lists that `initialize` declared, whose changes are announced. */
  lists: readonly ListKind[] = ['tools']
  /** Sends a message outside of a request. Returns false if the client cannot take it now. */
  push: (text: string) => boolean = () => false
  /** Ends the stream of change notifications. */
  #endStream: (() => void) | undefined
  #asks = 0
  #last: { readonly from: Caller; readonly caller: Caller } | undefined

  constructor(caller: Caller) {
    this.caller = toCaller(caller)
  }

  /** The caller of a request, in this session: it may have other groups and scopes than the one that began the session. */
  callerOf(from: Caller): Caller {
    if (this.#last?.from !== from) {
      const { session } = this.caller
      const caller = toCaller({ ...from, ...(session !== undefined && { session }) })
      this.#last = { from, caller: passCallerToken(caller, from) }
    }
    return this.#last.caller
  }

  /** Aborted once the client sends nothing more. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  get hasStream(): boolean {
    return this.#endStream !== undefined
  }

  /** A client has one stream: a new one replaces it. */
  openStream(end: () => void) {
    this.#endStream?.()
    this.#endStream = end
  }

  dropStream(end: () => void) {
    if (this.#endStream === end) this.#endStream = undefined
  }

  get callsInFlight(): number {
    return this.#inFlight.length
  }

  isInFlight(id: RequestId): boolean {
    return this.#find(id) !== -1
  }

  begin(id: RequestId, controller: AbortController) {
    this.#inFlight.push({ id, controller })
  }

  end(id: RequestId) {
    const index = this.#find(id)
    const last = this.#inFlight.pop()!
    if (index < this.#inFlight.length) this.#inFlight[index] = last
  }

  /** -1 if it is not in flight. */
  #find(id: RequestId): number {
    const inFlight = this.#inFlight
    for (let index = 0; index < inFlight.length; index++) if (inFlight[index]!.id === id) return index
    return -1
  }

  /** Handles messages without a response: notifications, and the client's responses. */
  take(message: Message) {
    if (message.kind === 'response') this.#asked.get(message.id)?.(message.result)
    if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return
    const { requestId } = message.params
    if (isRequestId(requestId)) this.#inFlight[this.#find(requestId)]?.controller.abort(cancelledByClient)
  }

  /** Sends a request. Returns the result, or undefined if the client responds with an error; rejects if it does not respond. */
  ask(exchange: Exchange, { method, params }: ClientRequest, until: AbortSignal): Promise<JsonValue | undefined> {
    const id = `toolpact-${++this.#asks}`
    const signal = AbortSignal.any([until, this.#gone.signal])
    return new Promise<JsonValue | undefined>((resolve, reject) => {
      signal.throwIfAborted()
      this.#asked.set(id, resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      exchange.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
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
    for (const stop of this.subscriptions.values()) stop()
    this.subscriptions.clear()
    for (const { controller } of [...this.#inFlight]) controller.abort()
  }
}
