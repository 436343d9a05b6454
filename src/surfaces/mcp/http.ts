import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Slots } from '../../contract/slots.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Message, type Request, readMessages } from '../../protocol/message.ts'
import { errorCodes, limitReplies, type Reply, toErrorReply, toInvalidReply } from '../../protocol/reply.ts'
import { batchRevision, legacyRevisions } from '../../protocol/revisions.ts'
import { isPassedOn } from '../http/client-of.ts'
import type { PassedOn } from '../http/peers.ts'
import type { Handle, HttpSurface, RequestContext } from '../http/route.ts'
import type { Served } from '../served.ts'
import { endedCall } from './answer-call.ts'
import { Connection } from './connection.ts'
import { forkExchange, HttpExchange, sendJson } from './http-exchange.ts'
import { findHeaderFault, findParamFault, readAccept, readRevision } from './http-headers.ts'
import { SessionStore } from './http-sessions.ts'
import { openStream } from './http-stream.ts'
import { createMcpServer, type McpOptions, maxCallsInFlight } from './server.ts'

export interface McpHttpOptions extends McpOptions {
  /** A request that takes longer becomes an event stream with comments, so that proxies and clients keep it open. */
  readonly keepAliveMs?: number
  /** Idle timeout of sessions. */
  readonly idleMs?: number
  readonly maxSessions?: number
}

/** Serves MCP at `/mcp`. The HTTP server has authenticated the caller and read the body. */
export function createMcpHttp(served: Served, options: McpHttpOptions): Required<HttpSurface> {
  const { keepAliveMs = 15_000, idleMs = 1_800_000, maxSessions = 1000, peers } = options
  const server = createMcpServer(served, options)
  const sessions = new SessionStore({ idleMs, max: maxSessions, toId: peers?.toOwnId })
  const open = new Slots<HttpExchange>()
  /** Notification streams of sessions. */
  const streams = new Set<HttpExchange>()
  /** Modern requests in flight, by caller. */
  const openBy = new Map<string, number>()
  let isClosing = false
  const lookEveryMs = Math.min(keepAliveMs, 5000)
  let timer: NodeJS.Timeout | undefined
  /** Nothing is open: the next look is when a session expires, if ever. */
  let isResting = true

  function attend() {
    if (!isResting) return
    isResting = false
    clearTimeout(timer)
    timer = setTimeout(look, lookEveryMs).unref()
  }

  function look() {
    for (const exchange of [...open, ...streams]) exchange.keepAlive(keepAliveMs)
    const expiryMs = sessions.sweep()
    isResting = open.size === 0 && streams.size === 0
    if (!isResting) timer = setTimeout(look, lookEveryMs).unref()
    else if (expiryMs !== undefined) timer = setTimeout(look, Math.max(expiryMs, lookEveryMs)).unref()
  }

  function begin(exchange: HttpExchange) {
    attend()
    return open.add(exchange)
  }

  const handle: Handle = (request, response, context) => {
    const { caller } = context
    if (isClosing) return refuse(response, 503, 'The server is stopping.')
    const session = request.headers['mcp-session-id']
    if (typeof session === 'string' && passOn(session, { request, response, body: context.body }, endedSession)) return
    if (request.method === 'POST') return post(request, response, context)
    if (request.method === 'DELETE') return endSession(request, response, caller)
    if (request.method === 'GET') return listen(request, response, caller)
    refuseGet(response)
  }

  /** Passes on what another process has in its memory. False if there is no such process. */
  function passOn(id: string, exchange: PassedOn, otherwise: string): boolean {
    const other = isPassedOn(exchange.request) ? undefined : peers?.findOther(id)
    if (other === undefined) return false
    peers!.passOn(other, exchange, () => refuse(exchange.response, 404, otherwise))
    return true
  }

  function refuseGet(response: ServerResponse) {
    response.setHeader('Allow', 'POST, DELETE')
    refuse(response, 405, 'Send messages by POST.')
  }

  function post(request: IncomingMessage, response: ServerResponse, { body, caller, stepUp }: RequestContext) {
    const { headers } = request
    const accepted = readAccept(headers.accept)
    if (!accepted.json) return refuse(response, 406, 'Accept application/json and text/event-stream.')
    if (!headers['content-type']?.toLowerCase().startsWith('application/json'))
      return refuse(response, 415, 'Send application/json.')
    const message = readMessages(body ?? Buffer.alloc(0))
    const isBatch = Array.isArray(message)
    if (!isBatch && message.kind === 'invalid') return sendJson(response, 400, toInvalidReply(message).text)
    const exchange = Object.assign(new HttpExchange(response, caller, accepted.stream), { stepUp })
    const revision = isBatch ? undefined : readRevision(headers, message)
    if (!isBatch && revision !== undefined && !legacyRevisions.includes(revision)) {
      const state = message.kind === 'request' ? message.params.requestState : undefined
      if (typeof state === 'string' && passOn(state, { request, response, body }, endedCall)) return
      return answerModern(request, exchange, message)
    }
    if (!isBatch && message.kind === 'request' && message.method === 'initialize') return initialize(exchange, message)
    const connection = findSession(request, response, caller)
    if (!connection) return
    exchange.join(connection)
    if (isBatch) return answerBatch(exchange, message)
    if (message.kind === 'request') return answer(exchange, message)
    connection.take(message)
    response.writeHead(202).end()
  }

  async function answerModern({ headers }: IncomingMessage, exchange: HttpExchange, message: Message) {
    const { response, caller } = exchange
    if (message.kind === 'notification') return void response.writeHead(202).end()
    if (message.kind !== 'request') return refuse(response, 400, 'Answer in the next request, in inputResponses.')
    const fault = findHeaderFault(headers, message)
    if (fault) return sendJson(response, 400, fault.text)
    exchange.findInputFault = (contract, input) => findParamFault(headers, contract, input)
    const others = openBy.get(caller.name) ?? 0
    if (others >= maxCallsInFlight)
      return refuse(
        response,
        503,
        `${others} of your requests are in flight. Retry once one of them has ended.`,
        message.id,
      )
    openBy.set(caller.name, others + 1)
    exchange.abortOnClose()
    try {
      await answer(exchange, message, toStatus)
    } finally {
      const left = openBy.get(caller.name)! - 1
      if (left > 0) openBy.set(caller.name, left)
      else openBy.delete(caller.name)
    }
  }

  async function initialize(exchange: HttpExchange, message: Request) {
    // A separate id for rules and the ledger: the MCP session id is a secret of the client.
    const connection = new Connection({ session: randomUUID(), ...exchange.caller })
    exchange.join(connection)
    const slot = begin(exchange)
    const reply = await server.answer(message, exchange)
    open.remove(slot)
    if (reply?.errorCode === undefined) {
      const id = sessions.add(connection)
      if (id === undefined) return refuse(exchange.response, 503, 'Every session is busy. Try again later.', message.id)
      exchange.response.setHeader('Mcp-Session-Id', id)
    }
    exchange.end(reply, 200)
  }

  async function answer(exchange: HttpExchange, message: Request, toStatus: (reply?: Reply) => number = () => 200) {
    const slot = begin(exchange)
    const reply = await server.answer(message, exchange)
    open.remove(slot)
    exchange.end(reply, toStatus(reply))
  }

  async function answerBatch(exchange: HttpExchange, messages: readonly Message[]) {
    const { response, connection } = exchange
    if (connection!.client?.revision !== batchRevision)
      return refuse(response, 400, `Only ${batchRevision} supports batches.`)
    const slot = begin(exchange)
    const replies = await Promise.all(
      messages.map((message) => {
        if (message.kind === 'request') return server.answer(message, forkExchange(exchange))
        if (message.kind === 'invalid') return toInvalidReply(message)
        connection!.take(message)
        return undefined
      }),
    )
    open.remove(slot)
    if (messages.every(({ kind }) => kind === 'notification' || kind === 'response'))
      return void response.writeHead(202).end()
    exchange.endAll(limitReplies(replies, messages))
  }

  /** The session of a request. If there is none, answers the request with an error. */
  function findSession({ headers }: IncomingMessage, response: ServerResponse, caller: Caller): Connection | undefined {
    const id = headers['mcp-session-id']
    if (typeof id !== 'string') {
      refuse(response, 400, 'Send initialize first, then the Mcp-Session-Id header of its response.')
      return undefined
    }
    const connection = sessions.find(id, caller)
    if (!connection) refuse(response, 404, endedSession)
    return connection
  }

  async function listen(request: IncomingMessage, response: ServerResponse, caller: Caller) {
    if (!(await server.canListen(caller))) return refuseGet(response)
    if (!readAccept(request.headers.accept).stream) return refuse(response, 406, 'Accept text/event-stream.')
    const connection = findSession(request, response, caller)
    if (!connection) return
    const stream = openStream(response, connection, server.changes)
    if (!stream) return refuse(response, 503, 'Too many subscriptions. Try again later.')
    streams.add(stream)
    attend()
    response.once('close', () => streams.delete(stream))
  }

  function endSession(request: IncomingMessage, response: ServerResponse, caller: Caller) {
    const connection = findSession(request, response, caller)
    if (!connection) return
    sessions.end(request.headers['mcp-session-id'] as string)
    response.writeHead(204).end()
  }

  async function close(graceMs: number) {
    isClosing = true
    // Streams of notifications need no grace period.
    server.close()
    const until = performance.now() + graceMs
    while (open.size > 0 && performance.now() < until) await sleep(10)
    for (const exchange of open) exchange.controller.abort()
    sessions.close()
    await server.settle(Math.max(0, until - performance.now()))
    // Aborted calls end promptly, whatever their tools do.
    for (let turns = 0; open.size > 0 && turns < 100; turns++) await sleep(10)
    clearTimeout(timer)
  }

  return { routes: [{ methods: ['POST', 'GET', 'DELETE'], path: '/mcp', takesPublic: true, handle }], close }
}

const endedSession = 'There is no such session, or it has ended. Send initialize again.'

/** An invalid request has an error status; a failed call has not. */
function toStatus(reply: Reply | undefined): number {
  if (reply?.errorCode === undefined) return 200
  if (reply.errorCode === errorCodes.method) return 404
  return reply.errorCode === errorCodes.internal ? 500 : 400
}

function refuse(response: ServerResponse, status: number, message: string, id?: Request['id']) {
  const code = status >= 500 ? errorCodes.internal : errorCodes.request
  sendJson(response, status, toErrorReply(id, { code, message }).text)
}
