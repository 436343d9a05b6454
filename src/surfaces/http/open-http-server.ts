import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnswer } from './answer.ts'
import { answerClientError } from './client-error.ts'
import { createConnections } from './connections.ts'
import type { Credentials } from './credentials.ts'
import { createHostCheck, toUrlHost } from './host-check.ts'
import { type HttpLimits, toLimits } from './http-limits.ts'
import type { HttpSurface, Route } from './route.ts'
import { composeRoutes } from './routes.ts'
import { sendProblem } from './send-problem.ts'
import { createTurns } from './turns.ts'
import { createUnreadResponses } from './unread-responses.ts'

export interface HttpServerOptions {
  readonly host: string
  /** 0 takes one that is free. */
  readonly port: number
  readonly credentials: Credentials
  /** Serve public tools without a token. Default: false. */
  readonly allowsPublic?: boolean
  /** Creates the surfaces once the address is known. The server answers their routes and no others. */
  readonly toSurfaces: (address: HttpAddress) => readonly HttpSurface[]
  /** Hosts and origins that are let in beside the server's own. */
  readonly hosts?: readonly string[]
  readonly origins?: readonly string[]
  readonly limits?: Partial<HttpLimits>
  /** Told what went wrong inside, which callers never see. */
  readonly onFailure?: (cause: unknown) => void
}

export interface HttpAddress {
  /** Such as `http://127.0.0.1:7420`. */
  readonly url: string
  readonly port: number
}

export interface HttpServer extends HttpAddress {
  readonly routes: readonly Route[]
  /** Begins nothing new, lets what is under way end within this time, and ends the rest. */
  close(graceMs: number): Promise<void>
}

/** Opens the server. Rejects with the error of `listen` where it cannot bind. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = toLimits(options.limits)
  const server = createServer({
    maxHeaderSize: 16_384,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  })
  // Beyond a number Node drops header fields silently, and one of those might be the Origin. The size bounds them.
  server.maxHeadersCount = 0
  const { address, port } = await listen(server, options)
  const url = `http://${toUrlHost(['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address)}:${port}`
  const surfaces = options.toSurfaces({ url, port })
  const routes = composeRoutes(surfaces)
  const connections = createConnections({ max: limits.connections })
  const takeInTurn = createTurns(take, limits.requests)
  const unread = createUnreadResponses({ maxBytes: limits.unreadBytes, maxMs: limits.responseMs })
  const underWay = new Set<ServerResponse>()
  let admitted = 0
  let unauthenticated = 0
  let stopping = false
  const answer = createAnswer({
    routes,
    credentials: options.credentials,
    hostCheck: createHostCheck({ ...options, address, port }),
    limits,
    allowsPublic: options.allowsPublic ?? false,
    admit,
  })

  function admit(response: ServerResponse, isAuthenticated: boolean) {
    if (stopping) return 'stopping'
    if (admitted >= limits.requests) return 'server_busy'
    if (!isAuthenticated && unauthenticated >= limits.requests - limits.reservedRequests) return 'server_busy'
    const { socket } = response.req
    admitted++
    if (!isAuthenticated) unauthenticated++
    connections.begin(socket, isAuthenticated)
    response.once('close', () => {
      admitted--
      if (!isAuthenticated) unauthenticated--
      connections.end(socket)
    })
    return undefined
  }

  async function take(request: IncomingMessage, response: ServerResponse) {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    try {
      await answer(request, response)
    } catch (cause) {
      options.onFailure?.(cause)
      if (response.headersSent) response.destroy()
      else sendProblem(response, 'server_failed')
    }
    if (response.writableEnded) unread.add(response)
  }

  // Such as no room for one more open file: that connection is lost, and the server goes on.
  server.on('error', (cause) => options.onFailure?.(cause))
  server.on('connection', connections.add)
  server.on('request', takeInTurn)
  // What a request expects is looked at in its turn.
  server.on('checkContinue', takeInTurn)
  server.on('checkExpectation', takeInTurn)
  server.on('clientError', (error, socket) => answerClientError(error, socket, underWay))

  return {
    url,
    port,
    routes,
    async close(graceMs) {
      stopping = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
      const ended = Promise.all([untilClosed(underWay), ...surfaces.map((surface) => surface.close?.(graceMs))])
      // Surfaces end their calls when the time is over; their callers should still be told.
      await Promise.race([
        ended.catch(options.onFailure),
        new Promise((resolve) => setTimeout(resolve, graceMs + 2000).unref()),
      ])
      // A response that is cut off tells its call to end.
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

function untilClosed(underWay: ReadonlySet<ServerResponse>): Promise<unknown> {
  return Promise.all([...underWay].map((response) => new Promise((resolve) => response.once('close', resolve))))
}
