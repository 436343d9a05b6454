import type { HttpSurface, Route } from './route.ts'

export interface Surfaces {
  readonly mcp: HttpSurface
  /** `/v1/tools`, `/v1/tools/{name}`, `/v1/call`, `/v1/approvals/{id}` and `/openapi.json`. */
  readonly rest: HttpSurface
  /** `/healthz` and `/readyz`. */
  readonly health: HttpSurface
  /** The start page, and the one-time links to it. */
  readonly page: HttpSurface
  /** How to get a token, where somebody else issues them (RFC 9728). */
  readonly metadata?: HttpSurface
}

/** Every route there is. Whatever is not listed here is answered 404. */
export function toRoutes({ mcp, rest, health, page, metadata }: Surfaces): readonly Route[] {
  return [
    { methods: ['POST', 'GET', 'DELETE'], path: '/mcp', needs: 'token', takesPublic: true, handle: mcp.handle },
    { methods: ['GET'], path: '/v1/tools', needs: 'token', takesPublic: true, handle: rest.handle },
    { methods: ['GET', 'POST'], path: '/v1/tools/{name}', needs: 'token', takesPublic: true, handle: rest.handle },
    { methods: ['POST'], path: '/v1/call', needs: 'token', takesPublic: true, handle: rest.handle },
    { methods: ['GET'], path: '/v1/approvals/{id}', needs: 'token', handle: rest.handle },
    { methods: ['GET'], path: '/openapi.json', needs: 'token', takesPublic: true, handle: rest.handle },
    { methods: ['GET', 'HEAD'], path: '/healthz', needs: 'loopback', handle: health.handle },
    { methods: ['GET', 'HEAD'], path: '/readyz', needs: 'loopback', handle: health.handle },
    { methods: ['POST'], path: '/link', needs: 'token', handle: page.handle },
    { methods: ['GET', 'HEAD'], path: '/', needs: 'page', handle: page.handle },
    ...(metadata ? metadataPaths.map((path) => toMetadataRoute(path, metadata)) : []),
  ]
}

const metadataPaths = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']

function toMetadataRoute(path: string, { handle }: HttpSurface): Route {
  return { methods: ['GET', 'HEAD'], path, needs: 'none', handle }
}
