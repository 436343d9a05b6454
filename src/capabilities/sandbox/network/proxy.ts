import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Egress, HostRefused } from './egress.ts'

const maxConnections = 256
const headersMs = 10_000

export interface ProxyOptions {
  /** Required of clients where other programs can reach the port: `user:password`. */
  readonly credential?: string
}

/** An HTTP proxy with CONNECT. It connects to what `egress` allows, and answers 403 with the reason otherwise. */
export function createProxy(egress: Egress, { credential }: ProxyOptions = {}): Server {
  const proxy = createServer({ maxHeaderSize: 32_768, headersTimeout: headersMs, requestTimeout: 0 })
  proxy.maxConnections = maxConnections
  proxy.on('connect', (asked: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    tunnel(egress, { asked, client, head, isKnown: isKnown(asked, credential) })
  })
  proxy.on('request', (asked: IncomingMessage, response: ServerResponse) => {
    forward(egress, { asked, response, isKnown: isKnown(asked, credential) })
  })
  // A client that sends something else is closed.
  proxy.on('clientError', (_, socket) => socket.destroy())
  proxy.on('upgrade', (_, socket) => socket.destroy())
  return proxy
}

interface Tunnel {
  readonly asked: IncomingMessage
  readonly client: Socket
  readonly head: Buffer
  readonly isKnown: boolean
}

async function tunnel(egress: Egress, { asked, client, head, isKnown }: Tunnel): Promise<void> {
  if (!isKnown) return void client.end(toAnswer(407, 'This proxy belongs to another server.'))
  const { host, port } = splitAuthority(asked.url ?? '')
  try {
    const target = await egress.reach(host, port)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    target.write(head)
    join(client, target)
  } catch (cause) {
    const { status, text } = toFailure(cause)
    client.end(toAnswer(status, text))
  }
}

interface Forwarded {
  readonly asked: IncomingMessage
  readonly response: ServerResponse
  readonly isKnown: boolean
}

async function forward(egress: Egress, { asked, response, isKnown }: Forwarded): Promise<void> {
  const fail = (status: number, text: string) => {
    if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
    response.end(`${text}\n`)
  }
  if (!isKnown) return fail(407, 'This proxy belongs to another server.')
  const url = URL.parse(asked.url ?? '')
  if (url?.protocol !== 'http:') return fail(400, 'This is a proxy: request http://host/path, or use CONNECT.')
  try {
    const socket = await egress.reach(url.hostname, Number(url.port) || 80)
    const sent = request({
      createConnection: () => socket,
      method: asked.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...withoutHopByHop(asked.headers), host: url.host, connection: 'close' },
      setHost: false,
    })
    sent.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, withoutHopByHop(received.headers))
      received.pipe(response)
    })
    sent.on('error', () => fail(502, 'The connection was lost.'))
    response.on('close', () => socket.destroy())
    asked.pipe(sent)
  } catch (cause) {
    const { status, text } = toFailure(cause)
    fail(status, text)
  }
}

/** Pipes two connections into each other, until either ends. */
export function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

function toFailure(cause: unknown): { readonly status: number; readonly text: string } {
  if (cause instanceof HostRefused) return { status: 403, text: `Refused by Toolpact: ${cause.message}.` }
  return { status: 502, text: 'The host could not be reached.' }
}

function toAnswer(status: number, text: string): string {
  const reasons: { readonly [status: number]: string } = { 403: 'Forbidden', 407: 'Proxy Authentication Required' }
  return `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Gateway'}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length + 1}\r\nConnection: close\r\n\r\n${text}\n`
}

function isKnown({ headers }: IncomingMessage, credential: string | undefined): boolean {
  if (credential === undefined) return true
  const expected = Buffer.from(`Basic ${Buffer.from(credential).toString('base64')}`)
  const given = Buffer.from(headers['proxy-authorization'] ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function splitAuthority(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = '443'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  return { host, port: Number(port) }
}

const hopByHop = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'] // biome-ignore format: one line

function withoutHopByHop(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
}
