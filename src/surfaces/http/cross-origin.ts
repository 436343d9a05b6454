import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from './route.ts'

/** Header fields that clients of MCP and REST send and read. */
const sent = 'Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, Toolpact-Approval-Id, Toolpact-Query' // biome-ignore format: one line
const read = 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, WWW-Authenticate'

/** Lets a page of an origin that the operator listed read the answer. Cookies are no part of it. */
export function letRead(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', read)
  response.setHeader('Vary', 'Origin')
}

/** A browser asks before it sends a token, and so without one. False where this is no such question. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, route: Route | undefined): boolean {
  if (request.headers['access-control-request-method'] === undefined) return false
  response.writeHead(204, {
    'Access-Control-Allow-Methods': (route?.methods ?? []).join(', '),
    'Access-Control-Allow-Headers': sent,
    'Access-Control-Max-Age': 600,
  })
  response.end()
  return true
}
