import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Slots } from '../../contract/slots.ts'
import { createAnswer, createRooms } from './answer.ts'
import { createTogether } from './begin-together.ts'
import { answerClientError } from './client-error.ts'
import { createClientReader, isHttps, readPassedOn } from './client-of.ts'
import { createConnections } from './connections.ts'
import type { Credentials } from './credentials.ts'
import { createHandshakes } from './handshakes.ts'
import { createHostCheck, toUrlHost } from './host-check.ts'
import { type HttpLimits, toLimits } from './http-limits.ts'
import { refuseAndClose } from './refuse.ts'
import type { HttpSurface, Route } from './route.ts'
import { composeRoutes } from './routes.ts'
import { sendProblem } from './send-problem.ts'
import { followTlsFiles, readTlsFiles, type TlsFiles, type TlsPair } from './tls-files.ts'
import { createTurns } from './turns.ts'
import { createUnreadResponses } from './unread-responses.ts'

export interface HttpServerOptions {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  readonly credentials: Credentials
  /** Serve public tools without a token. Default: false. */
  readonly allowsPublic?: boolean
  /** Creates the surfaces once the address is known. The server answers their routes and no others. */
  readonly toSurfaces: (address: HttpAddress) => readonly HttpSurface[]
  /** If the server has several sites: the one that a request is for. It keeps the site open until the response is closed. */
  readonly findSite?: (request: IncomingMessage, response: ServerResponse) => Promise<HttpSite | SiteRefusal>
  /** Hosts and origins that are allowed besides the server's own. */
  readonly hosts?: readonly string[]
  readonly origins?: readonly string[]
  /** Proxies whose `X-Forwarded-…` headers are believed. */
  readonly trustedProxies?: readonly string[] | undefined
  /** The address that people reach the server by, if it is not its own. */
  readonly publicUrl?: string | undefined
  /** Serves TLS with these files, and follows their changes. */
  readonly tls?: TlsFiles | undefined
  readonly limits?: Partial<HttpLimits>
  /** Gives connections that another process accepted, in place of listening. */
  readonly listener?: HttpListener | undefined
  /** A socket by which other processes that serve the same port pass requests on. */
  readonly peerSocket?: string | undefined
  /** Receives internal errors, which callers never see. */
  readonly onFailure?: (cause: unknown) => void
}

interface HttpListener {
  readonly address: AddressInfo
  readonly onConnection: (take: (socket: Socket) => void) => void
}

/** Surfaces with callers of their own, such as those of a tenant. */
export interface HttpSite {
  readonly surfaces: readonly HttpSurface[]
  readonly credentials: Credentials
  /** The largest body, if not that of the server. */
  readonly bodyBytes?: number
}

/** Why no site can serve a request now. */
interface SiteRefusal {
  readonly refusal: 'server_busy' | 'server_failed' | 'tokens_unavailable'
}

export interface HttpAddress {
  /** Such as `http://127.0.0.1:7420`. */
  readonly url: string
  readonly port: number
}

export interface HttpServer extends HttpAddress {
  readonly routes: readonly Route[]
  /** Refuses new requests, lets those in flight finish within this time, and cancels the rest. */
  close(graceMs: number): Promise<void>
}

/**
 * Opens the server: sockets, limits and shutdown; `answer.ts` handles a single request. Invariants: memory is bounded for any
 * number of clients that connect, send or read slowly, and callers with a token are served while others flood the server.
 * It is hard because Node parses pipelined requests, timeouts and disconnects in any order. Rejects if it cannot bind.
 */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = toLimits(options.limits)
  const readClient = createClientReader({ proxies: options.trustedProxies, publicUrl: options.publicUrl })
  const server = await makeServer(options, limits)
  // No limit on their number: Node drops excess header fields silently, possibly the Origin. Their size is limited.
  server.maxHeadersCount = 0
  const { address, port } = options.listener?.address ?? (await listen(server, options))
  const url = `${options.tls ? 'https' : 'http'}://${toUrlHost(['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address)}:${port}`
  const surfaces = options.toSurfaces({ url, port })
  const routes = composeRoutes(surfaces)
  const connections = createConnections({ max: limits.connections })
  const takeInTurn = createTurns((request, response) => take(request, response, readClient), limits.requests)
  const unread = createUnreadResponses({ maxBytes: limits.unreadBytes, maxMs: limits.responseMs })
  const inFlight = new Slots<ServerResponse>()
  let admitted = 0
  let unauthenticated = 0
  let stopping = false
  const hostCheck = createHostCheck({ ...options, address, port, isHttps: options.tls !== undefined })
  const shared = {
    hostCheck,
    limits,
    allowsPublic: options.allowsPublic ?? false,
    admit,
    openRoom: createRooms(limits),
    beginTogether: createTogether(() => connections.count() < 2),
  }
  const answerHere = createAnswer({ ...shared, routes, credentials: options.credentials })
  const { findSite } = options
  const answer = findSite ? answerThere : answerHere
  const sites = new WeakMap<HttpSite, typeof answerHere>()

  async function answerThere(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = hostCheck.refuse(request)
    if (foreign) return refuseAndClose(request, response, foreign)
    const site = await findSite!(request, response)
    if ('refusal' in site) return refuseAndClose(request, response, site.refusal, { headers: { 'Retry-After': 1 } })
    if (!sites.has(site)) sites.set(site, toAnswer(site))
    return sites.get(site)!(request, response)
  }

  function toAnswer({ surfaces, credentials, bodyBytes = limits.bodyBytes }: HttpSite) {
    return createAnswer({ ...shared, credentials, limits: { ...limits, bodyBytes }, routes: composeRoutes(surfaces) })
  }

  function admit(response: ServerResponse, isAuthenticated: boolean) {
    if (stopping) return 'stopping'
    if (admitted >= limits.requests) return 'server_busy'
    if (!isAuthenticated && unauthenticated >= limits.requests - limits.reservedRequests) return 'server_busy'
    const { socket } = response.req
    admitted++
    if (!isAuthenticated) unauthenticated++
    connections.begin(socket, isAuthenticated)
    response.on('close', () => {
      admitted--
      if (!isAuthenticated) unauthenticated--
      connections.end(socket)
    })
    return undefined
  }

  async function take(request: IncomingMessage, response: ServerResponse, read: typeof readClient) {
    const slot = inFlight.add(response)
    read(request)
    if (isHttps(request)) response.setHeader('Strict-Transport-Security', 'max-age=31536000')
    response.on('close', () => inFlight.remove(slot))
    try {
      await answer(request, response)
    } catch (cause) {
      options.onFailure?.(cause)
      if (response.headersSent) response.destroy()
      else sendProblem(response, 'server_failed')
    }
    if (response.writableEnded) unread.add(response)
  }

  // For example EMFILE: the connection is lost, and the server keeps running.
  server.on('error', (cause) => options.onFailure?.(cause))
  server.on(options.tls ? 'secureConnection' : 'connection', connections.add)
  const stopFollowing = options.tls && followTls(server as TlsServer, options)
  server.on('request', takeInTurn)
  // `Expect` is handled like any other request.
  server.on('checkContinue', takeInTurn)
  server.on('checkExpectation', takeInTurn)
  server.on('clientError', (error, socket) => answerClientError(error, socket, inFlight))
  if (options.listener) follow(server, options.listener)
  const peers = options.peerSocket === undefined ? undefined : await listenToPeers(options.peerSocket, limits)
  peers?.on('request', (request, response) => take(request, response, readPassedOn))

  return {
    url,
    port,
    routes,
    async close(graceMs) {
      stopping = true
      stopFollowing?.()
      const closed = Promise.all([server, peers].map((each) => new Promise((resolve) => each ? each.close(resolve) : resolve(undefined)))) // biome-ignore format: one line
      for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close')
      const ended = Promise.all([untilClosed(inFlight), ...surfaces.map((surface) => surface.close?.(graceMs))])
      // Surfaces cancel their calls after the grace period; leave time for the responses.
      await Promise.race([
        ended.catch(options.onFailure),
        new Promise((resolve) => setTimeout(resolve, graceMs + 2000).unref()),
      ])
      // Closing a response cancels its call.
      server.closeAllConnections()
      peers?.closeAllConnections()
      await closed
    },
  }
}

function toSettings(limits: HttpLimits) {
  return {
    maxHeaderSize: 16_384,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Each check wakes up an idle process.
    connectionsCheckingInterval: Math.min(5000, limits.headersMs),
  }
}

/** Takes what other processes pass on, headers larger by what they add. `exclusive`: this process alone listens there. */
async function listenToPeers(path: string, limits: HttpLimits): Promise<Server> {
  const server = createServer({ ...toSettings(limits), maxHeaderSize: 32_768 })
  server.maxHeadersCount = 0
  // Of a worker that was killed.
  rmSync(path, { force: true })
  server.listen({ path, exclusive: true })
  await once(server, 'listening')
  return server
}

async function makeServer({ tls }: HttpServerOptions, limits: HttpLimits): Promise<Server | TlsServer> {
  const settings = toSettings(limits)
  if (!tls) return createServer(settings)
  const { createServer: createTlsServer } = await import('node:https')
  const pair = readTlsFiles(tls)
  const server = createTlsServer({ ...settings, ...pair, ...tlsSettings, handshakeTimeout: limits.headersMs })
  const handshakes = createHandshakes(limits.connections)
  server.on('connection', handshakes.begin)
  server.prependListener('secureConnection', handshakes.end)
  return server
}

const tlsSettings = { minVersion: 'TLSv1.2' } as const

/** Connections that are open keep the certificate that they began with. */
function followTls(server: TlsServer, { tls, onFailure = () => {} }: HttpServerOptions): () => void {
  const onChange = (pair: TlsPair) => server.setSecureContext({ ...pair, ...tlsSettings })
  return followTlsFiles({ files: tls!, onChange, onFailure })
}

function listen(server: Server | TlsServer, { host, port }: HttpServerOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

function follow(server: Server | TlsServer, { onConnection }: HttpListener) {
  // Begins to watch the time that requests take, which Node does once a server listens.
  server.emit('listening')
  onConnection((socket) => server.emit('connection', socket))
}

function untilClosed(inFlight: Iterable<ServerResponse>): Promise<unknown> {
  return Promise.all([...inFlight].map((response) => new Promise((resolve) => response.once('close', resolve))))
}
