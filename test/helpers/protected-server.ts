import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { readBody } from './read-body.ts'

export interface ProtectedServer {
  readonly url: string
  /** The access tokens that it has seen, in order. */
  readonly seen: readonly string[]
  /** From now on these tokens are answered with 401. */
  reject(token: string): void
  close(): Promise<void>
}

interface ProtectedServerOptions {
  /** Of whom tokens are accepted. Set later if the issuer needs the address of this server first. */
  issuer(): string
  /** Whether it says in its challenge where it is described. Default: true. */
  readonly isChallenging?: boolean
  /** Changes the description of itself. */
  readonly describe?: (document: object) => object
}

/** An MCP server of the official SDK that requires a signed token for itself, and says who is calling. */
export async function startProtectedServer(options: ProtectedServerOptions): Promise<ProtectedServer> {
  const seen: string[] = []
  const rejected = new Set<string>()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, url)
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const document = { resource: url, authorization_servers: [options.issuer()], scopes_supported: ['read'] }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(options.describe?.(document) ?? document)) // biome-ignore format: one line
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const person = token === undefined || rejected.has(token) ? undefined : await identify(token)
    if (person === undefined) {
      const where = options.isChallenging === false ? '' : ` resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', url)}"` // biome-ignore format: one line
      return response.writeHead(401, { 'www-authenticate': `Bearer error="invalid_token",${where}` }).end()
    }
    seen.push(token!)
    const body = await readBody(request)
    if (!body) return
    // Its tool `drafts` needs a scope that others do not.
    if (body.includes('"name":"drafts"') && !readScopes(token!).includes('write'))
      return response.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' }).end()
    const mcp = new McpServer({ name: 'mail', version: '1.0.0' })
    mcp.registerTool('whoami', { description: 'Says who is calling.', inputSchema: {}, annotations: { readOnlyHint: true } }, async () => ({ content: [{ type: 'text', text: `You are ${person}.` }] })) // biome-ignore format: one line
    mcp.registerTool('drafts', { description: 'Lists drafts.', inputSchema: {}, annotations: { readOnlyHint: true } }, async () => ({ content: [{ type: 'text', text: `Drafts of ${person}.` }] })) // biome-ignore format: one line
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    response.on('close', () => void transport.close().then(() => mcp.close()))
    await mcp.connect(transport as never)
    await transport.handleRequest(request, response, body.length > 0 ? JSON.parse(body.toString()) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`

  async function identify(token: string): Promise<string | undefined> {
    try {
      const keys = createRemoteJWKSet(new URL('/jwks', options.issuer()))
      return (await jwtVerify(token, keys, { issuer: options.issuer(), audience: url })).payload.sub
    } catch {
      return undefined
    }
  }

  return {
    url,
    seen,
    reject: (token) => rejected.add(token),
    close: () => end(server),
  }
}

function readScopes(token: string): string[] {
  return String(decodeJwt(token).scope ?? '').split(' ')
}

function end(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
