import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { HttpErrorCode } from './http-errors.ts'

export interface HostCheckOptions {
  /** What the server was told to bind, the address that this gave, and the port. */
  readonly host: string
  readonly address: string
  readonly port: number
  /** Further hosts, `name` for any port or `name:port`. */
  readonly hosts?: readonly string[]
  /** Pages of these origins may call, such as `https://tools.example`. */
  readonly origins?: readonly string[]
}

export interface HostCheck {
  /** Why the request is refused; undefined where host and origin are fine. */
  refuse(request: IncomingMessage): HttpErrorCode | undefined
  /** Whether the operator listed the origin: a page of it may read the answers. */
  isListed(origin: string | undefined): origin is string
}

/**
 * Tells requests that are meant for this server from those that a foreign page sends. A page whose name suddenly points
 * to this machine (DNS rebinding) sends its own name as Host; one that calls across sends its own Origin.
 */
export function createHostCheck({ host, address, port, hosts = [], origins = [] }: HostCheckOptions): HostCheck {
  const ownNames = ['localhost', '127.0.0.1', '[::1]', toUrlHost(host), toUrlHost(address)]
  const allowed = new Set(ownNames.map((name) => `${name}:${port}`))
  // A browser leaves the usual port out.
  if (port === 80) for (const name of ownNames) allowed.add(name)
  const named = new Set(hosts.map((entry) => entry.toLowerCase()))
  const ownOrigins = new Set([...allowed].map((entry) => `http://${entry}`))
  const listed = new Set(origins.map((entry) => entry.toLowerCase().replace(/\/$/, '')))
  const isWildcard = ['0.0.0.0', '::'].includes(address)

  function isOwn(value: string, request: IncomingMessage): boolean {
    if (allowed.has(value)) return true
    const parsed = parseHost(value)
    if (!parsed) return false
    if (named.has(value) || named.has(parsed.name)) return true
    // No name can be pointed elsewhere here: it is the very address that the connection came to.
    return isWildcard && parsed.port === port && parsed.name === toUrlHost(toPlainAddress(request.socket.localAddress))
  }

  return {
    refuse(request) {
      const { host: given, origin } = request.headers
      if (given === undefined || hasSeveralHosts(request)) return 'foreign_host'
      const value = given.toLowerCase()
      if (!isOwn(value, request)) return 'foreign_host'
      if (origin === undefined || ownOrigins.has(origin) || listed.has(origin)) return undefined
      // Behind a proxy, or at an address of the machine: the page that came from there.
      return origin === `http://${value}` || origin === `https://${value}` ? undefined : 'foreign_origin'
    },
    isListed: (origin): origin is string => origin !== undefined && listed.has(origin),
  }
}

/** A whole host and nothing else: no user, path, space or trailing dot. */
function parseHost(value: string): { name: string; port: number | undefined } | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[\da-z](?:[\da-z.-]*[\da-z])?)(?::(\d{1,5}))?$/.exec(value) ?? []
  return name === undefined ? undefined : { name, port: port === undefined ? undefined : Number(port) }
}

/** Node shows the first of several, and a proxy may have gone by another one. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let found = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') found++
  return found > 1
}

/** An address as it stands in a URL: IPv6 in brackets. */
export function toUrlHost(address: string): string {
  return isIP(address) === 6 ? `[${address.toLowerCase()}]` : address.toLowerCase()
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether only this machine can reach the address, or sends from it. */
export function isLoopback(address: string | undefined): boolean {
  const plain = toPlainAddress(address)
  return isIP(plain) !== 0 && loopback.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 as a socket for both kinds shows it. */
function toPlainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}
