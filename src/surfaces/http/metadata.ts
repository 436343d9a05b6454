import type { IncomingMessage } from 'node:http'
import { isHttps } from './client-of.ts'
import type { HttpSurface, Route } from './route.ts'

interface Issuer {
  readonly issuer: string
  readonly scopes?: { readonly [use: string]: string | undefined } | undefined
}

/** OAuth protected resource metadata (RFC 9728): who issues the tokens that this server accepts, and which scopes count. */
export function createMetadata(issuers: readonly Issuer[]): HttpSurface {
  const scopes = new Set(issuers.flatMap(({ scopes = {} }) => Object.values(scopes)))
  const toRoute = (resource: string): Route => ({
    methods: ['GET', 'HEAD'],
    path: `/.well-known/oauth-protected-resource${resource}`,
    needs: 'none',
    handle(request, response) {
      const body = JSON.stringify({
        resource: `${toBase(request)}${resource}`,
        authorization_servers: issuers.map(({ issuer }) => issuer),
        ...(scopes.size > 0 && { scopes_supported: [...scopes] }),
        bearer_methods_supported: ['header'],
        resource_name: 'Toolpact',
      })
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'max-age=300',
      })
      response.end(body)
    },
  })
  return { routes: [toRoute(''), toRoute('/mcp')] }
}

/** The URL by which the client reached this server. The host was checked; a trusted proxy reports whether it terminates TLS. */
export function toBase(request: IncomingMessage): string {
  return `${isHttps(request) ? 'https' : 'http'}://${request.headers.host}`
}
