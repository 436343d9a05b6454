import { clientFeatures, type LogLevel, logLevels, type TraceContext } from '../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { Progress } from '../../contract/tool.ts'
import type { RequestId } from '../../protocol/message.ts'
import { errorCodes } from '../../protocol/reply.ts'
import { metaKeys } from '../../protocol/revisions.ts'
import { tasksExtension } from '../../protocol/tasks.ts'
import { type ChangedList, type OperatorLogs, type Peer, UpstreamFailure } from './client.ts'
import { inQuotes } from './quote.ts'
import { type Incoming, type RpcError, readIncoming } from './read-incoming.ts'
import { ServerRequests } from './server-requests.ts'
import type { Quote, Transport, TransportListener } from './transport.ts'

export interface ConversationOptions {
  readonly maxMessageBytes: number
  readonly quote: Quote
  readonly onNoise: (text: string) => void
  readonly roots: readonly JsonObject[] | undefined
  readonly logs: OperatorLogs | undefined
  /** Whether the roots of a client may be asked for. */
  readonly offersRoots: boolean
  readonly onListChanged: (kind: ChangedList) => void
  readonly onResourceUpdated: (uri: string) => void
  readonly onLost: (failure: UpstreamFailure) => void
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((update: Progress) => void) | undefined
  /** A subscription: its answer arrives at the end of the connection, if at all. */
  readonly isStanding?: boolean
  /** The subscription is in force. */
  readonly onAcknowledged?: (() => void) | undefined
  /** Answers what the server asks meanwhile. */
  readonly peer?: Peer | undefined
  readonly trace?: TraceContext | undefined
  /** For HTTP: the called tool, and the headers that its schema requires. */
  readonly name?: string | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Declares that the answer may be a task (2026-07-28). */
  readonly takesTasks?: boolean
}

interface Pending {
  readonly method: string
  readonly resolve: (result: JsonValue) => void
  readonly reject: (failure: UpstreamFailure) => void
  readonly onProgress: ((update: Progress) => void) | undefined
  readonly signal: AbortSignal | undefined
  readonly onAbort: (() => void) | undefined
  readonly isStanding: boolean
  readonly onAcknowledged: (() => void) | undefined
  readonly peer: Peer | undefined
}

/** Limits for a progress message and a log message, in characters. */
const maxProgress = 200
const maxLog = 4000
const maxLogger = 100

/** How long a server may go on with a call that was given up, and send questions and logs that belong to it. */
const strayMs = 60_000

/** How many abandoned requests to remember, since their answers may still arrive. */
const maxForgotten = 1000

/** Matches requests and answers, over any transport. */
export class Conversation implements TransportListener {
  /** Set once it is open. Events may arrive before that. */
  transport!: Transport
  /** The `_meta` of each request, as JSON without the outer braces, and without client capabilities. */
  meta = ''
  /** Since 2026-07-28 each request declares what the client supports. */
  declaresCapabilities = false
  /** Extensions that every request declares then. */
  extensions: JsonObject = {}
  readonly #options: ConversationOptions
  /** By id. No `Map`: see `Slots`. */
  readonly #pending: { [id: number]: Pending } = Object.create(null)
  #inFlight = 0
  readonly #forgotten = new Set<number>()
  /** Owners of calls that were given up, with the time until which messages may belong to these. */
  readonly #strays = new Map<string, number>()
  readonly #serverRequests: ServerRequests
  #standing = 0
  #lastId = 0
  #end: UpstreamFailure | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#serverRequests = new ServerRequests({
      roots: options.roots,
      offersRoots: options.offersRoots,
      findPeer: (answering) => this.#findPeer(answering),
      send: (text) => void this.transport?.notify({ text, method: '' }).catch(() => {}),
      onNoise: (text) => this.onNoise(text),
    })
  }

  /** `fields`: the content of `params`, as JSON without the outer braces. Rejects with an `UpstreamFailure`. */
  request(method: string, fields: string, options: RequestOptions = {}): Promise<JsonValue> {
    const { signal, onProgress, isStanding = false, onAcknowledged, name, headers, peer } = options
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end)
      if (signal?.aborted) return reject(toGivenUp(method, signal))
      const id = ++this.#lastId
      const onAbort = signal && (() => this.#giveUp(id, toGivenUp(method, signal)))
      this.#pending[id] = { method, resolve, reject, onProgress, signal, onAbort, isStanding, onAcknowledged, peer }
      this.#inFlight++
      if (isStanding) this.#standing++
      signal?.addEventListener('abort', onAbort!, { once: true })
      const meta = this.#toMeta(id, options)
      const params = meta === '' ? fields : `${fields}${fields && ','}"_meta":{${meta}}`
      const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}}}`
      this.transport.request(id, { text, method, name, headers, isAlone: this.#inFlight - this.#standing === 1 })
    })
  }

  #toMeta(id: number, { onProgress, peer, trace, takesTasks }: RequestOptions): string {
    let meta = onProgress ? `"progressToken":${id}` : ''
    if (this.declaresCapabilities) {
      meta += `${meta && ','}${this.meta},${this.#toCapabilities(peer?.capabilities, takesTasks)}`
      const wanted = [peer?.logLevel, this.#options.logs?.level]
      const level = logLevels.find((one) => wanted.includes(one))
      if (level) meta += `,"${metaKeys.logLevel}":"${level}"`
    }
    if (trace) meta += `${meta && ','}${JSON.stringify(trace).slice(1, -1)}`
    return meta
  }

  #toCapabilities(capabilities: JsonObject = {}, takesTasks = false): string {
    const extensions = takesTasks ? { ...this.extensions, [tasksExtension]: {} } : this.extensions
    const all = Object.keys(extensions).length > 0 ? { ...capabilities, extensions } : capabilities
    return `"${metaKeys.capabilities}":${JSON.stringify(all)}`
  }

  notify(method: string, params: JsonObject): Promise<void> {
    return this.transport.notify({ text: JSON.stringify({ jsonrpc: '2.0', method, params }), method })
  }

  /** Text from the server, sanitized and in quotation marks. */
  quote(words: string, max?: number): string {
    return inQuotes(this.#options.quote(words, max))
  }

  /** The failure for an error that the server reports in another place than a response. */
  toRefusal(method: string, error: JsonValue | undefined): UpstreamFailure {
    const { code, message } = isObject(error) ? error : {}
    const known = { code: typeof code === 'number' ? code : errorCodes.internal, message: typeof message === 'string' ? message : '' } // biome-ignore format: one line
    return toRefusal(method, known, this.#options.quote)
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  /** Fails the requests in flight, and sends no more. */
  end(failure: UpstreamFailure) {
    this.#end ??= failure
    this.#serverRequests.end()
    this.onAnswerLost(failure)
  }

  onMessage(text: Uint8Array, answering?: number) {
    for (const incoming of readIncoming(text, this.#options.maxMessageBytes)) {
      this.#take(incoming, text, answering)
    }
  }

  onRequestFailed(id: number, failure: UpstreamFailure) {
    this.#finish(id)?.reject(failure)
  }

  isAwaited(id: number): boolean {
    return this.#pending[id] !== undefined
  }

  onAnswerLost(failure: UpstreamFailure) {
    for (const id of Object.keys(this.#pending)) this.onRequestFailed(Number(id), failure)
  }

  onLost(failure: UpstreamFailure) {
    if (this.#end) return
    this.end(failure)
    this.#options.onLost(failure)
  }

  onGap() {
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#options.onListChanged(kind)
  }

  onNoise(text: string) {
    this.#options.onNoise(this.#options.quote(text))
  }

  #take(incoming: Incoming, text: Uint8Array, answering: number | undefined) {
    switch (incoming.kind) {
      case 'result':
        return this.#answer(incoming.id)?.resolve(incoming.result)
      case 'error':
        return this.#takeError(incoming.id ?? answering ?? this.#onlyOne(), incoming.error)
      case 'request':
        return void this.#serverRequests.take(incoming.id, incoming, answering)
      case 'notification':
        return this.#hear(incoming.method, incoming.params, answering)
      case 'broken':
        return this.#takeBroken(incoming.fault, incoming.id ?? answering)
      case 'noise':
        if (answering === undefined) return this.onNoise(toExcerpt(text))
        return this.#takeBroken('It is not JSON.', answering, this.#options.quote(toExcerpt(text), 100))
    }
  }

  #answer(id: RequestId): Pending | undefined {
    const pending = typeof id === 'number' ? this.#finish(id) : undefined
    if (!pending && !this.#forgotten.delete(id as number)) {
      this.onNoise(`An answer to an unknown request: ${this.#options.quote(JSON.stringify(id), 100)}`)
    }
    return pending
  }

  #takeError(id: RequestId | undefined, error: RpcError) {
    if (id === undefined) return this.onNoise(`An error that answers nothing: ${error.message}`)
    const pending = this.#answer(id)
    pending?.reject(toRefusal(pending.method, error, this.#options.quote))
  }

  #takeBroken(fault: string, id: RequestId | undefined, words = '') {
    const plain = 'The server sent a message that is not MCP.'
    const failure = new UpstreamFailure('protocol', `${plain} ${this.#options.quote(fault)}`, { plain, words })
    this.onNoise(failure.message)
    if (id === undefined) this.onAnswerLost(failure)
    else this.#answer(id)?.reject(failure)
  }

  #hear(method: string, params: JsonObject, answering: number | undefined) {
    const [, changed] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? []
    if (changed) this.#options.onListChanged(changed as ChangedList)
    else if (method === 'notifications/progress') this.#hearProgress(params)
    else if (method === 'notifications/message') this.#hearLog(params, answering)
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string')
      this.#options.onResourceUpdated(params.uri)
    else if (method === 'notifications/subscriptions/acknowledged') this.#hearAcknowledged(params, answering)
    else if (method === 'notifications/cancelled') this.#hearCancelled(params.requestId)
  }

  /** The server may withdraw its own request, or cancel a subscription of ours. */
  #hearCancelled(id: JsonValue | undefined) {
    if ((typeof id === 'number' || typeof id === 'string') && this.#serverRequests.cancel(id)) return
    if (typeof id !== 'number') return
    this.onRequestFailed(id, new UpstreamFailure('unavailable', 'The server cancelled the request.'))
  }

  #hearAcknowledged({ _meta }: JsonObject, answering: number | undefined) {
    const id = isObject(_meta) ? _meta[metaKeys.subscription] : undefined
    this.#pending[typeof id === 'number' ? id : (answering ?? -1)]?.onAcknowledged?.()
  }

  #hearLog({ level, data, logger }: JsonObject, answering: number | undefined) {
    const { quote } = this.#options
    const words = typeof data === 'string' ? data : JSON.stringify(data ?? null)
    const text = typeof logger === 'string' ? `${logger}: ${words}` : words
    this.onNoise(text)
    if (!logLevels.includes(level as LogLevel)) return
    const { logs } = this.#options
    if (logs && logLevels.indexOf(level as LogLevel) >= logLevels.indexOf(logs.level)) logs.onLog(level as LogLevel, quote(text)) // biome-ignore format: one line
    const shown = quote(words, maxLog)
    // Data in which something had to be changed becomes text.
    const passed = shown === words ? (data ?? null) : shown
    this.#findPeer(answering)?.log?.(level as LogLevel, passed, typeof logger === 'string' ? quote(logger, maxLogger) : undefined) // biome-ignore format: one line
  }

  /**
   * The peer of the call that a message of the server belongs to. Over stdio that is known only while all calls in flight, and
   * those that were just given up, are of one user: a question of one call must not reach the user of another.
   */
  #findPeer(answering: number | undefined): Peer | undefined {
    if (answering !== undefined) return this.#pending[answering]?.peer
    const peers = Object.values(this.#pending).flatMap(({ peer }) => (peer ? [peer] : []))
    const now = performance.now()
    for (const [owner, until] of this.#strays) if (until < now) this.#strays.delete(owner)
    const owners = new Set([...peers.map(({ owner }) => owner), ...this.#strays.keys()])
    return owners.size === 1 ? peers[0] : undefined
  }

  #hearProgress({ progressToken, progress, total, message }: JsonObject) {
    const pending = typeof progressToken === 'number' ? this.#pending[progressToken] : undefined
    if (!pending?.onProgress || typeof progress !== 'number') return
    pending.onProgress({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message: this.quote(message, maxProgress) }),
    })
  }

  #giveUp(id: number, failure: UpstreamFailure) {
    const pending = this.#finish(id)
    if (!pending) return
    this.#forgotten.add(id)
    if (this.#forgotten.size > maxForgotten) this.#forgotten.delete(this.#forgotten.values().next().value!)
    if (pending.peer) this.#strays.set(pending.peer.owner, performance.now() + strayMs)
    pending.reject(failure)
    const isCancelled = this.transport.abandon(id)
    // MCP forbids cancelling `initialize`.
    if (isCancelled || pending.method === 'initialize') return
    this.notify('notifications/cancelled', { requestId: id, reason: 'The call was cancelled.' }).catch(() => {})
  }

  #finish(id: number): Pending | undefined {
    const pending = this.#pending[id]
    if (!pending) return undefined
    delete this.#pending[id]
    this.#inFlight--
    if (pending.isStanding) this.#standing--
    if (pending.onAbort) pending.signal?.removeEventListener('abort', pending.onAbort)
    return pending
  }

  #onlyOne(): number | undefined {
    return this.#inFlight === 1 ? Number(Object.keys(this.#pending)[0]) : undefined
  }
}

function toGivenUp(method: string, { reason }: AbortSignal): UpstreamFailure {
  const message =
    reason instanceof UpstreamFailure ? reason.message : `The call ended before the server answered ${method}.`
  return new UpstreamFailure('unavailable', message, { cause: reason })
}

function toRefusal(method: string, { code, message, data }: RpcError, quote: Quote): UpstreamFailure {
  const { supported: listed, requiredCapabilities } = isObject(data) ? data : {}
  const supported = Array.isArray(listed) ? listed.map(String) : undefined
  const isMissing = code === errorCodes.capability && isObject(requiredCapabilities)
  const required = isMissing && clientFeatures.filter((feature) => Object.hasOwn(requiredCapabilities, feature))
  // The message may help to correct the request, so it is passed on in quotes, like the error of a tool.
  const said = quote(message)
  const text = `The server refused ${method} (${code}). It says: ${inQuotes(said)}`
  return new UpstreamFailure('refused', text, {
    code,
    said,
    ...(supported && { supported }),
    ...(required && { required }),
  })
}

/** Longer than a quote, which does the shortening. */
function toExcerpt(text: Uint8Array): string {
  return Buffer.from(text.buffer, text.byteOffset, Math.min(text.byteLength, 65_536)).toString()
}
