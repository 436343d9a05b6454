import type { IncomingMessage } from 'node:http'
import type { HttpSurface } from './route.ts'

/** Tells clients who issues the tokens that are accepted here (RFC 9728). */
export function createMetadata(issuer: string): HttpSurface {
  return {
    async handle(request, response) {
      const isForMcp = request.url!.includes('oauth-protected-resource/mcp')
      const body = JSON.stringify({
        resource: `${toBase(request)}${isForMcp ? '/mcp' : ''}`,
        authorization_servers: [issuer],
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
  }
}

/** How the client reached this server. The host was checked; a proxy in front says whether it speaks TLS. */
export function toBase({ headers }: IncomingMessage): string {
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${headers.host}`
}
