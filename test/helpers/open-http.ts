import { once } from 'node:events'
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import type { Credentials } from '../../src/surfaces/http/credentials.ts'
import { createHealth } from '../../src/surfaces/http/health.ts'
import { createMetadata } from '../../src/surfaces/http/metadata.ts'
import { type HttpServer, type HttpServerOptions, openHttpServer } from '../../src/surfaces/http/open-http-server.ts'
import type { Handle, HttpSurface } from '../../src/surfaces/http/route.ts'
import { createMcpHttp } from '../../src/surfaces/mcp/http.ts'
import { createRest } from '../../src/surfaces/rest/rest.ts'
import type { Served } from '../../src/surfaces/served.ts'
import { toolsets } from '../../src/toolsets/index.ts'

export const rightToken = `toolpact_${'r'.repeat(43)}`

export const health = createHealth({
  storage: async () => ({ isWritable: true, lastCommitAt: null, lastFailure: null }),
  upstreams: () => [],
})

/** One caller, ada, with one token. */
export const oneToken: Credentials = {
  identify(token) {
    if (token === undefined) return { kind: 'missing' }
    if (token === rightToken) return { kind: 'caller', caller: { name: 'ada' } }
    return { kind: 'wrong', detail: 'The token is not accepted.' }
  },
}

/** Responds with a summary of the request. */
export const echo: Handle = async (request, response, { body, caller }) => {
  const text = JSON.stringify({ method: request.method, caller: caller.name, bytes: body?.length ?? null })
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
}

export interface TestServer extends HttpServer {
  send(path: string, options?: SendOptions): Promise<Answer>
  /** Writes raw bytes and returns everything received until the connection closes. */
  sendRaw(...texts: readonly string[]): Promise<string>
}

/** A server whose routes echo the request. Closed after the test. */
export async function openHttp(
  options: Partial<HttpServerOptions> & {
    /** Handles `/mcp` instead of `echo`. */
    readonly mcp?: Pick<HttpSurface, 'close'> & { readonly handle: Handle }
    readonly metadata?: HttpSurface
    /** Additional surfaces. */
    readonly surfaces?: readonly HttpSurface[]
  } = {},
): Promise<TestServer> {
  const {
    mcp = { handle: echo },
    metadata = withHandle(createMetadata([{ issuer: 'https://issuer.example' }]), { handle: echo }),
    credentials = oneToken,
    surfaces = [],
    ...more
  } = options
  const catalog = createCatalog(toolsets)
  const served = { catalog } as unknown as Served
  const asking = { waitMs: 0, onWaiting: () => {} }
  const server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    credentials,
    toSurfaces: () => [
      withHandle(createMcpHttp(served, { info: { name: 'test', version: '1.0.0' }, asking }), mcp),
      withHandle(createRest(served, { version: '1.0.0', asking }), { handle: echo }),
      health,
      metadata,
      ...surfaces,
    ],
    ...more,
  })
  onTestFinished(() => server.close(0))
  return {
    ...server,
    send: (path, sent) => send(`${server.url}${path}`, sent),
    sendRaw: (...texts) => sendRaw(server.port, texts),
  }
}

/** The routes of a surface with another handler. */
function withHandle(
  surface: HttpSurface,
  { handle, ...more }: Pick<HttpSurface, 'close'> & { handle: Handle },
): HttpSurface {
  return { ...surface, ...more, routes: surface.routes.map((route) => ({ ...route, handle })) }
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Buffer
  /** Default: the right one; null sends none. */
  readonly token?: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: ReturnType<typeof JSON.parse>
}

export function send(url: string, { method, headers, body, token = rightToken }: SendOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      agent: false,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject).on('end', () => {
        const isJson = text !== '' && response.headers['content-type']?.includes('json')
        const json = isJson ? JSON.parse(text) : undefined
        resolve({ status: response.statusCode!, headers: response.headers, text, json })
      })
    })
    sent.end(body)
  })
}

async function sendRaw(port: number, texts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const text of texts) {
    socket.write(text)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const hang = setTimeout(() => socket.destroy(), 20_000)
  if (!socket.closed) await once(socket, 'close')
  clearTimeout(hang)
  return received
}
