import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import type { TLSSocket } from 'node:tls'

export interface ClientReaderOptions {
  /** Addresses and networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-…` headers are believed. */
  readonly proxies?: readonly string[] | undefined
  /** The address that people reach the server by. */
  readonly publicUrl?: string | undefined
}

interface Client {
  readonly address: string
  readonly isHttps: boolean
}

/** Of requests that a proxy sent, or that came by HTTPS. Any other is from the peer of its connection. */
const clients = new WeakMap<IncomingMessage, Client>()
const passedOn = new WeakSet<IncomingMessage>()

/**
 * Finds out who sent a request, and to which address. Anyone can send `X-Forwarded-…`, so only those of a trusted proxy count;
 * its `X-Forwarded-Host` then takes the place of `Host`, and is checked like it. Throws for what is no address or network.
 */
export function createClientReader({
  proxies = [],
  publicUrl,
}: ClientReaderOptions): (request: IncomingMessage) => void {
  const trusted = toBlockList(proxies)
  const shown = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isTrusted = (address: string) =>
    net.isIP(address) !== 0 && trusted.check(address, net.isIP(address) === 6 ? 'ipv6' : 'ipv4')

  /** From the right: each proxy adds the address that it saw. What comes before the first untrusted one may be invented. */
  function findClient(peer: string, forwarded: readonly string[]): string {
    let client = peer
    for (const next of forwarded.toReversed()) {
      if (!isTrusted(client) || net.isIP(next) === 0) return client
      client = next
    }
    return client
  }

  return (request) => {
    const { headers, socket } = request
    const peer = toPlainAddress(socket.remoteAddress)
    const isProxied = proxies.length > 0 && isTrusted(peer)
    const host = isProxied ? readList(headers['x-forwarded-host']).at(-1) : undefined
    if (host !== undefined) headers.host = host
    const proto = isProxied ? readList(headers['x-forwarded-proto']).at(-1) : undefined
    const isShown = shown?.protocol === 'https:' && headers.host?.toLowerCase() === shown.host
    const isHttps = (socket as Partial<TLSSocket>).encrypted === true || isShown || proto?.toLowerCase() === 'https'
    if (!isProxied && !isHttps) return
    const address = isProxied ? findClient(peer, readList(headers['x-forwarded-for']).map(toAddress)) : peer
    clients.set(request, { address, isHttps })
  }
}

/** How a process tells another that answers in its place who sent a request. */
export const clientHeader = 'toolpact-client'

export function toClientHeader(request: IncomingMessage): string {
  return JSON.stringify({ address: toClientAddress(request), isHttps: isHttps(request) } satisfies Client)
}

/** Reads what another process of this server passed on. Never for a request of the network, which may say anything. */
export function readPassedOn(request: IncomingMessage): void {
  clients.set(request, JSON.parse(String(request.headers[clientHeader])))
  passedOn.add(request)
}

/** Whether another process of this server passed the request on. */
export function isPassedOn(request: IncomingMessage): boolean {
  return passedOn.has(request)
}

/** The address of whoever sent a request, behind trusted proxies. */
export function toClientAddress(request: IncomingMessage): string {
  return clients.get(request)?.address ?? toPlainAddress(request.socket.remoteAddress)
}

/** Whether the client reached the server by TLS: here, or at a proxy. */
export function isHttps(request: IncomingMessage): boolean {
  return clients.get(request)?.isHttps ?? false
}

/** Unwraps IPv4 addresses mapped to IPv6, as dual-stack sockets report them. */
export function toPlainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}

function toBlockList(entries: readonly string[]): net.BlockList {
  const list = new net.BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = net.isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const max = family === 'ipv6' ? 128 : 32
    const isFit = net.isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max))
    if (!isFit) throw new Error(`http.trustedProxies has '${entry}', which is neither an address nor a network such as 10.0.0.0/8.`) // biome-ignore format: one line
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function readList(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',')
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
}

/** Some proxies add the port: `1.2.3.4:5678`, `[::1]:5678`. */
function toAddress(text: string): string {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i.exec(text) ?? []
  return toPlainAddress(bracketed ?? plain ?? text)
}
