import type { Toolpact } from '../../app/app.ts'
import type { Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import { consoleHeaders } from './headers.ts'

/** Publishes what this server is as a client of issuers, at the address that is its client id. */
export function toClientRoutes({ connections }: Toolpact): readonly Route[] {
  if (!connections) return []
  return [
    {
      methods: ['GET', 'HEAD'],
      path: '/.well-known/oauth-client.json',
      needs: 'none',
      async handle({ method }, response) {
        const document = await connections.clientDocument()
        if (!document) return sendProblem(response, 'not_found', { detail: 'This server publishes no client metadata.', suggestion: 'Set http.publicUrl to an https address.', headers: consoleHeaders }) // biome-ignore format: one line
        const body = JSON.stringify(document)
        response.writeHead(200, {
          ...consoleHeaders,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'Cache-Control': 'public, max-age=300',
          // Issuers of any origin may read it.
          'Cross-Origin-Resource-Policy': 'cross-origin',
        })
        response.end(method === 'HEAD' ? undefined : body)
      },
    },
  ]
}
