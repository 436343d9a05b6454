import type { IncomingMessage, ServerResponse } from 'node:http'
import { publicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Credentials, type Identified, nobody, readBearer } from './credentials.ts'
import { type HostCheck, isLoopback } from './host-check.ts'
import type { HttpErrorCode } from './http-errors.ts'
import type { HttpLimits } from './http-limits.ts'
import { toBase } from './metadata.ts'
import { findMediaFault, hasBody, readBody } from './read-body.ts'
import { refuse, refuseAndClose } from './refuse.ts'
import type { Route } from './route.ts'
import { createRouteFinder, toPath } from './routes.ts'

/** Header fields that clients of MCP and REST send and read. */
const sent = 'Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, Toolpact-Approval-Id, Toolpact-Query' // biome-ignore format: one line

const read = 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, WWW-Authenticate'

export interface AnswerOptions {
  readonly routes: readonly Route[]
  readonly credentials: Credentials
  readonly hostCheck: HostCheck
  readonly limits: HttpLimits
  /** Answer requests without a token as those of the public caller, on routes that take it. */
  readonly allowsPublic: boolean
  /** Counts a request that is to be answered; says why it cannot be now. */
  readonly admit: (response: ServerResponse, isAuthenticated: boolean) => HttpErrorCode | undefined
}

/** Of a request without a token. */
const publicBodyBytes = 131_072

/**
 * The one way in which a request is answered. The order is a security property: host and origin first, then who asks,
 * and only then what there is; a body is read last, and for nobody else.
 */
export function createAnswer(options: AnswerOptions) {
  const { routes, credentials, hostCheck, limits, allowsPublic, admit } = options
  const findRoute = createRouteFinder(routes)
  const suggestion = `Use one of ${routes.map(({ path }) => path).join(', ')}.`
  /** Bytes of the bodies of requests that are under way. */
  let held = 0
  const attempts = createAttempts({ most: limits.wrongTokens, windowMs: 10_000 })
  const publicRequests = createAttempts({ most: limits.publicRequests, windowMs: 10_000 })

  return async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = hostCheck.refuse(request)
    if (foreign) return refuseAndClose(request, response, foreign)
    const { method = '', url = '', headers } = request
    const { route, params } = findRoute(toPath(url)) ?? notFound
    if (hostCheck.isListed(headers.origin)) {
      letRead(response, headers.origin)
      if (method === 'OPTIONS' && answerPreflight(request, response, route)) return
    }

    let caller: Caller = nobody
    if (route?.needs !== 'none') {
      const identified = await credentials.identify(readBearer(headers.authorization))
      if (identified.kind === 'caller') caller = identified.caller
      else if (allowsPublic && route?.takesPublic && headers.authorization === undefined) {
        const seconds = publicRequests.count()
        if (seconds !== undefined) return refuseMany(request, response, seconds)
        caller = publicCaller
      } else if (route?.needs !== 'page' && !(route?.needs === 'loopback' && isLocalWithoutToken(request)))
        return refuseUnknown(request, response, identified)
    }

    // Who went away meanwhile is not answered: nothing would tell any more that they have gone.
    if (response.closed) return
    if (!url.startsWith('/')) return refuse(request, response, 'bad_request')
    if (!route) return refuse(request, response, 'not_found', { suggestion })
    if (!route.methods.includes(method))
      return refuse(request, response, 'method_not_allowed', { headers: { Allow: route.methods.join(', ') } })
    const { expect } = headers
    if (expect !== undefined && !/^100-continue$/i.test(expect)) return refuse(request, response, 'expectation_failed')
    const busy = admit(response, caller !== nobody && caller !== publicCaller)
    if (busy) return refuse(request, response, busy, { headers: { 'Retry-After': 1 } })

    if (method !== 'POST' || !hasBody(request))
      return route.handle(request, response, { caller, params, body: undefined })
    const fault = findMediaFault(request)
    if (fault) return refuse(request, response, 'unsupported_media_type', { detail: `The body ${fault}.` })
    const maxBytes = caller === publicCaller ? Math.min(publicBodyBytes, limits.bodyBytes) : limits.bodyBytes
    if (Number(headers['content-length'] ?? 0) > maxBytes) return refuseSize(request, response, maxBytes)
    if (expect !== undefined) response.writeContinue()
    const read = await readBody(request, { maxBytes, take: openRoom(response) })
    if (read.kind === 'gone') return
    if (read.kind === 'too_large') return refuseSize(request, response, maxBytes)
    if (read.kind === 'no_room') return refuse(request, response, 'server_busy', { headers: { 'Retry-After': 1 } })
    return route.handle(request, response, { caller, params, body: read.body })
  }

  /** What a body takes is given back once its request is answered, or its client has gone. */
  function openRoom(response: ServerResponse): (bytes: number) => boolean {
    let taken = 0
    response.once('close', () => {
      held -= taken
    })
    return (bytes) => {
      if (held + bytes > limits.allBodiesBytes) return false
      taken += bytes
      held += bytes
      return true
    }
  }

  function refuseUnknown(request: IncomingMessage, response: ServerResponse, identified: Identified) {
    if (identified.kind === 'unavailable')
      return refuseAndClose(request, response, identified.code, { detail: identified.detail })
    const wrong = identified.kind === 'wrong' ? identified.detail : undefined
    const seconds = wrong === undefined ? undefined : attempts.count()
    if (seconds !== undefined) return refuseMany(request, response, seconds)
    const challenge = [
      'Bearer realm="toolpact"',
      ...(wrong === undefined ? [] : [`error="invalid_token", error_description="${wrong}"`]),
      ...(credentials.hint ? [credentials.hint(toBase(request))] : []),
    ]
    refuseAndClose(request, response, 'unauthorized', {
      ...(wrong !== undefined && { detail: wrong }),
      headers: { 'WWW-Authenticate': challenge.join(', ') },
    })
  }

  function refuseMany(request: IncomingMessage, response: ServerResponse, seconds: number) {
    refuseAndClose(request, response, 'too_many_attempts', { headers: { 'Retry-After': seconds } })
  }

  function refuseSize(request: IncomingMessage, response: ServerResponse, maxBytes: number) {
    refuse(request, response, 'body_too_large', { detail: `The body may have ${maxBytes} bytes.` })
  }
}

const notFound = { route: undefined, params: {} }

function isLocalWithoutToken({ headers, socket }: IncomingMessage): boolean {
  return headers.authorization === undefined && isLoopback(socket.remoteAddress)
}

/** Counts requests with a wrong token, or with none. Beyond the limit they are answered with less work; right tokens never are held up. */
interface Attempts {
  /** Counts one; gives how many seconds to wait where there were too many. */
  count(): number | undefined
}

function createAttempts({ most, windowMs }: { most: number; windowMs: number }): Attempts {
  let began = Number.NEGATIVE_INFINITY
  let counted = 0
  return {
    count() {
      const now = performance.now()
      if (now - began >= windowMs) {
        began = now
        counted = 0
      }
      counted++
      return counted > most ? Math.max(1, Math.ceil((began + windowMs - now) / 1000)) : undefined
    },
  }
}

/** Lets a page of an origin that the operator listed read the answer. Cookies are no part of it. */
function letRead(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', read)
  response.setHeader('Vary', 'Origin')
}

/** A browser asks before it sends a token, and so without one. False where this is no such question. */
function answerPreflight(request: IncomingMessage, response: ServerResponse, route: Route | undefined): boolean {
  if (request.headers['access-control-request-method'] === undefined) return false
  response.writeHead(204, {
    'Access-Control-Allow-Methods': (route?.methods ?? []).join(', '),
    'Access-Control-Allow-Headers': sent,
    'Access-Control-Max-Age': 600,
  })
  response.end()
  return true
}
