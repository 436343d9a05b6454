import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { UpstreamFailure } from './client.ts'
import type { Conversation } from './conversation.ts'

const firstPauseMs = 1000
const maxPauseMs = 30_000
/** A server that does not acknowledge a new subscription gets the end of the old one after this time. */
const maxOverlapMs = 5000
/** Max resources that are followed at a server. */
const maxFollowed = 1000

interface SubscriptionsOptions {
  readonly capabilities: JsonObject
  readonly isModern: boolean
  /** Whether the server may send requests, which some servers do on a stream of their own. */
  readonly mayAsk: boolean
  /** Aborted when the client is closed. */
  readonly signal: AbortSignal
}

interface Standing {
  readonly signal: AbortSignal
  readonly onAcknowledged: () => void
}

/** Follows changes of lists and resources, in the way of the revision. */
export class Subscriptions {
  readonly #conversation: Conversation
  readonly #options: SubscriptionsOptions
  #uris: readonly string[] = []
  #listening: AbortController | undefined

  constructor(conversation: Conversation, options: SubscriptionsOptions) {
    this.#conversation = conversation
    this.#options = options
    const { capabilities, isModern, mayAsk } = options
    const canChange = ['tools', 'prompts', 'resources'].some((kind) => flag(capabilities[kind], 'listChanged'))
    if (isModern) this.#listen()
    else if (mayAsk || canChange || flag(capabilities.resources, 'subscribe')) conversation.transport.listen()
  }

  /** Replaces the set of resources that are followed. Never rejects. */
  async follow(uris: readonly string[]): Promise<void> {
    const { capabilities, isModern } = this.#options
    if (!flag(capabilities.resources, 'subscribe')) return
    const before = this.#uris
    this.#uris = uris.slice(0, maxFollowed)
    if (isModern) return this.#listen()
    const send = (method: string, uri: string) =>
      this.#conversation
        .request(method, `"uri":${JSON.stringify(uri)}`, { signal: this.#options.signal })
        .catch(() => {})
    const added = this.#uris.filter((uri) => !before.includes(uri))
    const removed = before.filter((uri) => !this.#uris.includes(uri))
    await Promise.all([
      ...added.map((uri) => send('resources/subscribe', uri)),
      ...removed.map((uri) => send('resources/unsubscribe', uri)),
    ])
  }

  /** Replaces the subscription of 2026-07-28, if there is anything to follow. The old one ends once the new one is in force. */
  #listen() {
    const { capabilities } = this.#options
    const before = this.#listening
    const end = () => before?.abort()
    const wanted: JsonObject = {
      ...(flag(capabilities.tools, 'listChanged') && { toolsListChanged: true }),
      ...(flag(capabilities.prompts, 'listChanged') && { promptsListChanged: true }),
      ...(flag(capabilities.resources, 'listChanged') && { resourcesListChanged: true }),
      ...(this.#uris.length > 0 && { resourceSubscriptions: [...this.#uris] }),
    }
    if (Object.keys(wanted).length === 0) return end()
    this.#listening = new AbortController()
    const signal = AbortSignal.any([this.#options.signal, this.#listening.signal])
    this.#keepListening(wanted, { signal, onAcknowledged: end })
    setTimeout(end, maxOverlapMs).unref()
  }

  /** Subscribes again with backoff whenever the subscription ends. Stops if the server refuses. Never rejects. */
  async #keepListening(wanted: JsonObject, { signal, onAcknowledged }: Standing): Promise<void> {
    const conversation = this.#conversation
    const fields = `"notifications":${JSON.stringify(wanted)}`
    let pauseMs = firstPauseMs
    for (let round = 0; !signal.aborted && !conversation.isOver; round++) {
      const begin = performance.now()
      const listening = conversation.request('subscriptions/listen', fields, {
        signal,
        isStanding: true,
        onAcknowledged,
      })
      if (round > 0) conversation.onGap()
      try {
        await listening
      } catch (failure) {
        if (failure instanceof UpstreamFailure && failure.kind === 'refused') return
      }
      // Resets the backoff after a subscription that lasted.
      if (performance.now() - begin > maxPauseMs) pauseMs = firstPauseMs
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    }
  }
}

function flag(capability: unknown, name: string): boolean {
  return isObject(capability) && capability[name] === true
}
