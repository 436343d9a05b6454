import type { ServerResponse } from 'node:http'
import type { Caller } from '../../contract/tool.ts'
import type { Reply } from '../../protocol/reply.ts'
import { toNeededScopes } from '../http/credentials.ts'
import type { RequestContext } from '../http/route.ts'
import { type Connection, cancelledByClient, type Exchange } from './connection.ts'

/** One request over HTTP. The response is JSON, or an event stream if other messages must be sent before it. */
export class HttpExchange implements Exchange {
  readonly response: ServerResponse
  caller: Caller
  readonly canSend: boolean
  readonly controller = new AbortController()
  connection?: Connection
  findInputFault?: Exchange['findInputFault']
  stepUp?: RequestContext['stepUp']
  #isStreaming = false
  #closed: AbortSignal | undefined
  #heardAt = performance.now()

  constructor(response: ServerResponse, caller: Caller, canSend: boolean) {
    this.response = response
    this.caller = caller
    this.canSend = canSend
  }

  get headers() {
    return this.response.req.headers
  }

  get isCongested(): boolean {
    return this.response.writableNeedDrain
  }

  get closed(): AbortSignal {
    if (!this.#closed) {
      const controller = new AbortController()
      this.#closed = controller.signal
      if (this.response.closed) controller.abort()
      else this.response.once('close', () => controller.abort())
    }
    return this.#closed
  }

  /** Assigns the request to a session. */
  join(connection: Connection) {
    this.connection = connection
    this.caller = connection.callerOf(this.caller)
  }

  send(text: string) {
    this.#write(`event: message\ndata: ${text}\n\n`)
  }

  /** Sends a comment if the stream is idle. A client that has not read the previous event by then is disconnected. */
  keepAlive(everyMs: number) {
    if (!this.canSend || performance.now() - this.#heardAt < everyMs) return
    if (this.#isStreaming && this.response.writableLength > 0) this.response.destroy()
    else this.#write(':\n\n')
  }

  /** Sends the headers now: events may come much later. */
  beginStream() {
    this.#write(':\n\n')
  }

  endStream() {
    this.response.end()
  }

  /** For clients that cancel a request by closing its stream. */
  abortOnClose() {
    this.response.on('close', () => {
      if (!this.response.writableFinished) this.controller.abort(cancelledByClient)
    })
  }

  /** Without a reply if the client cancelled the request. */
  end(reply: Reply | undefined, status: number) {
    if (reply?.lacking !== undefined && this.stepUp && !this.#isStreaming) {
      const { lacking } = reply
      this.response.setHeader('WWW-Authenticate', this.stepUp(lacking, toNeededScopes(this.caller, lacking)))
      this.#finish([reply], 403, reply.text)
    } else if (reply?.parts && !this.#isStreaming && !this.response.destroyed)
      sendParts(this.response, status, reply.parts)
    else if (reply) this.#finish([reply], status, reply.text)
    else this.#finish([], 204, '')
  }

  endAll(replies: readonly Reply[]) {
    this.#finish(replies, 200, `[${replies.map(({ text }) => text).join(',')}]`)
  }

  #finish(replies: readonly Reply[], status: number, json: string) {
    if (this.response.destroyed) return
    if (!this.#isStreaming && replies.length > 0) return sendJson(this.response, status, json)
    if (!this.#isStreaming && !this.canSend) return void this.response.writeHead(status).end()
    for (const { text } of replies) this.send(text)
    this.#open()
    this.response.end()
  }

  #write(text: string) {
    if (this.response.destroyed || this.response.writableEnded) return
    this.#open()
    this.#heardAt = performance.now()
    this.response.write(text)
  }

  #open() {
    if (this.#isStreaming) return
    this.#isStreaming = true
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    })
  }
}

/** One request of a batch, which can be cancelled separately. */
export function forkExchange(exchange: HttpExchange): Exchange {
  const { caller, connection, canSend, headers } = exchange
  return {
    caller,
    headers,
    ...(connection && { connection }),
    controller: new AbortController(),
    canSend,
    get isCongested() {
      return exchange.isCongested
    },
    get closed() {
      return exchange.closed
    },
    send: (text) => exchange.send(text),
  }
}

export function sendJson(response: ServerResponse, status: number, text: string) {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text)
}

/** Written together, without putting them into one text. */
function sendParts(response: ServerResponse, status: number, parts: readonly (string | Uint8Array)[]) {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length }).cork()
  for (const part of parts) response.write(part)
  response.end()
}
