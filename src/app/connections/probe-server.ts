import { type Challenge, parseChallenge } from '../../identity/oauth/challenge.ts'
import type { OAuthFetch } from '../../identity/oauth/discover.ts'
import { OAuthError } from '../../identity/oauth/oauth-error.ts'

interface ProbeOptions {
  readonly fetch: OAuthFetch
  readonly signal?: AbortSignal | undefined
  /** Default: without one. */
  readonly token?: string
}

/** What the server says if it is called with this token, or without one; undefined if it does not mind. */
export async function probeServer(url: URL, { fetch, signal, token }: ProbeOptions): Promise<Challenge | undefined> {
  const authorized: { [name: string]: string } = token === undefined ? {} : { authorization: `Bearer ${token}` }
  for (const { headers, body } of probes) {
    const response = await fetch(url.href, {
      method: 'POST',
      headers: { ...headers, ...authorized },
      body,
      signal,
    }).catch((cause: Error) => {
      throw new OAuthError(`The server at ${url.origin}${url.pathname} could not be reached: ${cause.message}`, {
        cause,
      })
    })
    if (response.status === 401 || response.status === 403)
      return parseChallenge(response.headers.get('www-authenticate') ?? undefined) ?? {}
  }
  return undefined
}

const common = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const clientInfo = { name: 'toolpact', version: '1' }
/** The first requests of both generations of the protocol. */
const probes = [
  {
    headers: common,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    }),
  },
  {
    headers: { ...common, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  },
]
