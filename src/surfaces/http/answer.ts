import type { IncomingMessage, ServerResponse } from 'node:http'
import { withCallerToken } from '../../contract/caller-token.ts'
import { publicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import { createAttempts } from './attempts.ts'
import { toClientAddress } from './client-of.ts'
import { type Credentials, describeLack, type Identified, nobody, readBearer, toChallenge } from './credentials.ts'
import { type HostCheck, isLoopback } from './host-check.ts'
import type { HttpErrorCode } from './http-errors.ts'
import type { HttpLimits } from './http-limits.ts'
import { toBase } from './metadata.ts'
import { findMediaFault, hasBody, readBody } from './read-body.ts'
import { refuse, refuseAndClose } from './refuse.ts'
import { type Person, type RequestContext, type Route, toCaller } from './route.ts'
import { createRouteFinder, toPath } from './routes.ts'

/** Header fields that MCP and REST clients send and read. */
const sent = 'Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, Toolpact-Approval-Id, Toolpact-Query, Traceparent, Tracestate' // biome-ignore format: one line

const read = 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, WWW-Authenticate'

export interface AnswerOptions {
  readonly routes: readonly Route[]
  readonly credentials: Credentials
  readonly hostCheck: HostCheck
  readonly limits: HttpLimits
  /** Serve requests without a token as the public caller, on routes that allow it. */
  readonly allowsPublic: boolean
  /** Admits a request, or returns why it cannot be served now. */
  readonly admit: (response: ServerResponse, isAuthenticated: boolean) => HttpErrorCode | undefined
  /** Reserves memory for a body until its response is closed. */
  readonly openRoom: (response: ServerResponse) => (bytes: number) => boolean
  /** Begins a request, together with others if there can be any. */
  readonly beginTogether: (begin: () => Promise<void> | void) => Promise<void> | void
}

/** Limit for requests without a token. */
const publicBodyBytes = 131_072

/**
 * The only code path that answers a request. The order is a security property: Host and Origin, then authentication, then
 * routing and admission. The body is read last, so an unauthenticated client cannot make the server buffer anything.
 */
export function createAnswer(options: AnswerOptions) {
  const { routes, credentials, hostCheck, limits, allowsPublic, admit, openRoom, beginTogether } = options
  const findRoute = createRouteFinder(routes)
  const listed = routes.map(({ path }) => path).filter((path) => !path.startsWith('/console/'))
  const suggestion = `Use one of ${listed.join(', ')}.`
  const attempts = createAttempts({ max: limits.wrongTokens, windowMs: 10_000 })
  const publicRequests = createAttempts({ max: limits.publicRequests, windowMs: 10_000 })

  return async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = hostCheck.refuse(request)
    if (foreign) return refuseAndClose(request, response, foreign)
    const { method = '', url = '', headers } = request
    const { route, params } = findRoute(toPath(url)) ?? notFound
    if (hostCheck.isListed(headers.origin)) {
      allowReading(response, headers.origin)
      if (method === 'OPTIONS' && answerPreflight(request, response, route)) return
    }

    let caller: Caller = nobody
    let person: Person | undefined
    if (route?.needs === 'person') {
      const entered = await route.enter!(request)
      if ('refusal' in entered) return (entered.isKnown ? refuse : refuseAndClose)(request, response, entered.refusal, entered) // biome-ignore format: one line
      person = entered.person
      caller = toCaller(person)
    } else if (route?.needs !== 'none') {
      const token = readBearer(headers.authorization)
      const identifying = credentials.identify(token)
      const identified = identifying instanceof Promise ? await identifying : identifying
      if (identified.kind === 'caller')
        caller = identified.caller.via === 'jwt' ? withCallerToken(identified.caller, token!) : identified.caller // biome-ignore format: one line
      else if (allowsPublic && route?.takesPublic && headers.authorization === undefined) {
        const seconds = publicRequests.count(everyone)
        if (seconds !== undefined) return refuseMany(request, response, seconds)
        caller = publicCaller
      } else if (!mayLackToken(route, request)) return refuseUnknown(request, response, identified)
    }

    // The client has disconnected: `close` was emitted and will not be emitted again.
    if (response.closed) return
    if (!url.startsWith('/')) return refuse(request, response, 'bad_request')
    if (!route) return refuse(request, response, 'not_found', { suggestion })
    if (!route.methods.includes(method))
      return refuse(request, response, 'method_not_allowed', { headers: { Allow: route.methods.join(', ') } })
    const { expect } = headers
    if (expect !== undefined && !/^100-continue$/i.test(expect)) return refuse(request, response, 'expectation_failed')
    const busy = admit(response, caller !== nobody && caller !== publicCaller)
    if (busy) return refuse(request, response, busy, { headers: { 'Retry-After': 1 } })

    const context = { caller, ...(person && { person }), params, stepUp: stepUp(request) }
    if (method !== 'POST' || !hasBody(request)) return route.handle(request, response, { ...context, body: undefined })
    const fault = findMediaFault(request)
    if (fault) return refuse(request, response, 'unsupported_media_type', { detail: `The body ${fault}.` })
    const maxBytes = caller === publicCaller ? Math.min(publicBodyBytes, limits.bodyBytes) : limits.bodyBytes
    if (Number(headers['content-length'] ?? 0) > maxBytes) return refuseSize(request, response, maxBytes)
    if (expect !== undefined) response.writeContinue()
    const read = await readBody(request, { maxBytes, take: openRoom(response) })
    if (read.kind === 'gone') return
    if (read.kind === 'too_large') return refuseSize(request, response, maxBytes)
    if (read.kind === 'no_room') return refuse(request, response, 'server_busy', { headers: { 'Retry-After': 1 } })
    const { body } = read
    return beginTogether(() => (response.closed ? undefined : route.handle(request, response, { ...context, body })))
  }

  function refuseUnknown(request: IncomingMessage, response: ServerResponse, identified: Identified) {
    if (identified.kind === 'insufficient') {
      const detail = describeLack(identified.scope)
      return refuse(request, response, 'insufficient_scope', { detail, headers: { 'WWW-Authenticate': stepUp(request)(identified.scope) } }) // biome-ignore format: one line
    }
    if (identified.kind === 'unavailable')
      return refuseAndClose(request, response, identified.code, { detail: identified.detail })
    const wrong = identified.kind === 'wrong' ? identified.detail : undefined
    const seconds = wrong === undefined ? undefined : attempts.count(toClientAddress(request))
    if (seconds !== undefined) return refuseMany(request, response, seconds)
    const challenge = wrong === undefined ? {} : ({ error: 'invalid_token', description: wrong } as const)
    refuseAndClose(request, response, 'unauthorized', {
      ...(wrong !== undefined && { detail: wrong }),
      headers: { 'WWW-Authenticate': toChallenge(credentials, toBase(request), challenge) },
    })
  }

  function stepUp(request: IncomingMessage): RequestContext['stepUp'] {
    return (lacking, scope = lacking) =>
      toChallenge(credentials, toBase(request), { error: 'insufficient_scope', description: describeLack(lacking), scope }) // biome-ignore format: one line
  }

  function refuseMany(request: IncomingMessage, response: ServerResponse, seconds: number) {
    refuseAndClose(request, response, 'too_many_attempts', { headers: { 'Retry-After': seconds } })
  }

  function refuseSize(request: IncomingMessage, response: ServerResponse, maxBytes: number) {
    refuse(request, response, 'body_too_large', { detail: `The body may have ${maxBytes} bytes.` })
  }
}

/** Memory for the bodies of all requests in flight. */
export function createRooms({ allBodiesBytes }: Pick<HttpLimits, 'allBodiesBytes'>): AnswerOptions['openRoom'] {
  let held = 0
  return (response) => {
    let taken = 0
    response.on('close', () => {
      held -= taken
    })
    return (bytes) => {
      if (held + bytes > allBodiesBytes) return false
      taken += bytes
      held += bytes
      return true
    }
  }
}

/** The ledger grows by the requests of all addresses. */
const everyone = 'everyone'

const notFound = { route: undefined, params: {} }

function mayLackToken(route: Route | undefined, request: IncomingMessage): boolean {
  if (request.headers.authorization !== undefined) return false
  return route?.needs === 'optional' || (route?.needs === 'loopback' && isLoopback(toClientAddress(request)))
}

/** CORS headers for an origin that the operator listed. Cookies are not included. */
function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', read)
  response.setHeader('Vary', 'Origin')
}

/** A preflight has no token, so its tenant may be unknown, and with it the route. The request itself is refused if need be. */
const anyMethod = ['GET', 'HEAD', 'POST', 'DELETE']

/** Answers a CORS preflight, which carries no token. False if the request is not one. */
function answerPreflight(request: IncomingMessage, response: ServerResponse, route: Route | undefined): boolean {
  if (request.headers['access-control-request-method'] === undefined) return false
  response.writeHead(204, {
    'Access-Control-Allow-Methods': (route?.methods ?? anyMethod).join(', '),
    'Access-Control-Allow-Headers': sent,
    'Access-Control-Max-Age': 600,
  })
  response.end()
  return true
}
