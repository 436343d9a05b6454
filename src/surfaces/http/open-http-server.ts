import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnswer } from './answer.ts'
import { answerClientError } from './client-error.ts'
import type { Credentials } from './credentials.ts'
import { createHostCheck, toUrlHost } from './host-check.ts'
import type { Route } from './route.ts'
import { type Surfaces, toRoutes } from './routes.ts'
import { sendProblem } from './send-problem.ts'

export interface HttpServerOptions {
  readonly host: string
  /** 0 takes one that is free. */
  readonly port: number
  readonly credentials: Credentials
  /** Serve public tools without a token. Default: false. */
  readonly allowsPublic?: boolean
  /** Makes what answers, once the address is known. */
  readonly toSurfaces: (address: HttpAddress) => Surfaces
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

export interface HttpLimits {
  readonly bodyBytes: number
  /** The bodies of all requests under way together. */
  readonly allBodiesBytes: number
  /** How long the header fields, and the whole request, may take to arrive. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long a connection without a request is kept. */
  readonly keepAliveMs: number
  /** How long a client may take to read what was answered. */
  readonly responseMs: number
  readonly connections: number
  /** Requests under way at once, over all connections. */
  readonly requests: number
  /** Wrong tokens in ten seconds that get the full answer. */
  readonly wrongTokens: number
  /** Requests of the public caller in ten seconds. Each call is recorded, so it bounds the ledger too. */
  readonly publicRequests: number
}

const defaultLimits: HttpLimits = {
  bodyBytes: 4_194_304,
  allBodiesBytes: 268_435_456,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  responseMs: 30_000,
  connections: 1024,
  requests: 1024,
  wrongTokens: 100,
  publicRequests: 200,
}

export interface HttpServer extends HttpAddress {
  readonly routes: readonly Route[]
  /** Begins nothing new, lets what is under way end within this time, and ends the rest. */
  close(graceMs: number): Promise<void>
}

/** Opens the server. Rejects with the error of `listen` where it cannot bind. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...defaultLimits, ...options.limits }
  const server = createServer({
    maxHeaderSize: 16_384,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  })
  server.maxConnections = limits.connections
  // Beyond a number Node drops header fields silently, and one of those might be the Origin. The size bounds them.
  server.maxHeadersCount = 0
  const { address, port } = await listen(server, options)
  const url = `http://${toUrlHost(['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address)}:${port}`
  const surfaces = options.toSurfaces({ url, port })
  const routes = toRoutes(surfaces)
  const underWay = new Set<ServerResponse>()
  let admitted = 0
  let stopping = false
  const answer = createAnswer({
    routes,
    credentials: options.credentials,
    hostCheck: createHostCheck({ ...options, address, port }),
    limits,
    allowsPublic: options.allowsPublic ?? false,
    admit,
  })

  function admit(response: ServerResponse) {
    if (stopping) return 'stopping'
    if (admitted >= limits.requests) return 'server_busy'
    admitted++
    response.once('close', () => admitted--)
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
    // What the system could not take yet waits for a client that may never read it.
    if (response.writableEnded && response.writableLength > 0) boundReading(response, limits.responseMs)
  }

  // Such as no room for one more open file: that connection is lost, and the server goes on.
  server.on('error', (cause) => options.onFailure?.(cause))
  server.on('request', take)
  // What a request expects is looked at in its turn.
  server.on('checkContinue', take)
  server.on('checkExpectation', take)
  server.on('clientError', (error, socket) => answerClientError(error, socket, underWay))

  return {
    url,
    port,
    routes,
    async close(graceMs) {
      stopping = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
      const ended = Promise.all([untilClosed(underWay), ...Object.values(surfaces).map((it) => it?.close?.(graceMs))])
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

function boundReading(response: ServerResponse, responseMs: number) {
  const timer = setTimeout(() => response.destroy(), responseMs)
  response.once('close', () => clearTimeout(timer))
}

function untilClosed(underWay: ReadonlySet<ServerResponse>): Promise<unknown> {
  return Promise.all([...underWay].map((response) => new Promise((resolve) => response.once('close', resolve))))
}
