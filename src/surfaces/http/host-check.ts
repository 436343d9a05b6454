import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { toPlainAddress } from './client-of.ts'
import type { HttpErrorCode } from './http-errors.ts'

export interface HostCheckOptions {
  /** The configured host, the address and the port that the server is bound to. */
  readonly host: string
  readonly address: string
  readonly port: number
  /** Whether the server speaks TLS itself. Default: false. */
  readonly isHttps?: boolean
  /** Further allowed hosts, `name` for any port or `name:port`. */
  readonly hosts?: readonly string[]
  /** Allowed origins, such as `https://tools.example`. */
  readonly origins?: readonly string[]
}

export interface HostCheck {
  /** Why the request is refused; undefined if it is allowed. */
  refuse(request: IncomingMessage): HttpErrorCode | undefined
  /** Whether the operator listed the origin, so that its pages may read responses. */
  isListed(origin: string | undefined): origin is string
}

/**
 * Refuses requests that a foreign web page sends. After DNS rebinding, a page sends its own name as Host; a cross-origin
 * request carries its own Origin.
 */
export function createHostCheck(options: HostCheckOptions): HostCheck {
  const { host, address, port, isHttps = false, hosts = [], origins = [] } = options
  const ownNames = ['localhost', '127.0.0.1', '[::1]', toUrlHost(host), toUrlHost(address)]
  const allowed = new Set(ownNames.map((name) => `${name}:${port}`))
  // Browsers omit the default port.
  if (port === (isHttps ? 443 : 80)) for (const name of ownNames) allowed.add(name)
  const named = new Set(hosts.map((entry) => entry.toLowerCase()))
  const ownOrigins = new Set([...allowed].map((entry) => `${isHttps ? 'https' : 'http'}://${entry}`))
  const listed = new Set(origins.map((entry) => entry.toLowerCase().replace(/\/$/, '')))
  const isWildcard = ['0.0.0.0', '::'].includes(address)

  function isOwn(value: string, request: IncomingMessage): boolean {
    if (allowed.has(value)) return true
    const parsed = parseHost(value)
    if (!parsed) return false
    if (named.has(value) || named.has(parsed.name)) return true
    // An IP address cannot be rebound, and it is the one that the connection was made to.
    return isWildcard && parsed.port === port && parsed.name === toUrlHost(toPlainAddress(request.socket.localAddress))
  }

  return {
    refuse(request) {
      const { host: given, origin } = request.headers
      if (given === undefined || hasSeveralHosts(request)) return 'foreign_host'
      const value = given.toLowerCase()
      if (!isOwn(value, request)) return 'foreign_host'
      if (origin === undefined || ownOrigins.has(origin) || listed.has(origin)) return undefined
      // Same origin, behind a proxy or at another address of this machine.
      return origin === `http://${value}` || origin === `https://${value}` ? undefined : 'foreign_origin'
    },
    isListed: (origin): origin is string => origin !== undefined && listed.has(origin),
  }
}

/** Only a host: no user, path, space or trailing dot. */
function parseHost(value: string): { name: string; port: number | undefined } | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[\da-z](?:[\da-z.-]*[\da-z])?)(?::(\d{1,5}))?$/.exec(value) ?? []
  return name === undefined ? undefined : { name, port: port === undefined ? undefined : Number(port) }
}

/** Node reports only the first Host header; a proxy may have used another. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let found = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') found++
  return found > 1
}

/** An address as in a URL: IPv6 in brackets. */
export function toUrlHost(address: string): string {
  return net.isIP(address) === 6 ? `[${address.toLowerCase()}]` : address.toLowerCase()
}

/** Made with the first address: a server on stdio loads this file, too. */
let loopback: net.BlockList | undefined

function toLoopback(): net.BlockList {
  const list = new net.BlockList()
  list.addSubnet('127.0.0.0', 8)
  list.addAddress('::1', 'ipv6')
  return list
}

/** Whether it is a loopback address. */
export function isLoopback(address: string | undefined): boolean {
  const plain = toPlainAddress(address)
  loopback ??= toLoopback()
  return net.isIP(plain) !== 0 && loopback.check(plain, net.isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
