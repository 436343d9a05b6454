import type { ClientRequests } from '../../contract/call-client.ts'
import type { JsonObject } from '../../contract/json.ts'

type Answers = { readonly [key: string]: JsonObject }

/**
 * Sends what several parts of one answer ask the client as one request, once each part has asked or has ended. A server that
 * asks three things at once gets its answers in one round, although one of the parts is a call of its own.
 */
export class GatheredAsks {
  readonly #send: (requests: ClientRequests) => Promise<Answers>
  readonly #answers = Promise.withResolvers<Answers>()
  #requests: ClientRequests = {}
  #open: number

  /** `parts`: how many will either `ask` or `leave`, once. */
  constructor(parts: number, send: (requests: ClientRequests) => Promise<Answers>) {
    this.#open = parts
    this.#send = send
    // A part that left does not wait for the answers.
    this.#answers.promise.catch(() => {})
  }

  /** Resolves to the answers to all requests. */
  ask(requests: ClientRequests): Promise<Answers> {
    this.#requests = { ...this.#requests, ...requests }
    this.leave()
    return this.#answers.promise
  }

  leave() {
    if (--this.#open === 0 && Object.keys(this.#requests).length > 0)
      this.#send(this.#requests).then(this.#answers.resolve, this.#answers.reject)
  }

  /** One part was refused, so that the others need not be asked. */
  fail(cause: unknown) {
    this.#open = Number.POSITIVE_INFINITY
    this.#answers.reject(cause)
  }
}
