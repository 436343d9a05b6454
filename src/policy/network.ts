import net from 'node:net'
import { findHidden } from '../contract/text/hidden-characters.ts'

export type AddressDecision = { readonly allow: true } | { readonly allow: false; readonly reason: string }

export type UrlDecision =
  | {
      readonly allow: true
      readonly url: URL
      /** The operator allows this host at any address. */
      readonly trusted: boolean
    }
  | {
      readonly allow: false
      /** `form`: not a URL that can be fetched. `address`: not allowed for tools. */
      readonly fault: 'form' | 'address'
      readonly reason: string
    }

/**
 * Decides about a URL by its text. `new URL` normalizes every notation of an address (decimal, octal, hexadecimal, full-width,
 * percent-encoded), so the URL is parsed once, here, and only the parsed form is used.
 */
export function decideUrl(text: string, allowHosts: readonly string[] = []): UrlDecision {
  if (text.length > 8192) return malformed('it is longer than 8192 characters')
  if (/[\s\\]/.test(text) || findHidden(text, 'line') !== undefined)
    return malformed('it contains white space, hidden characters or backslashes')
  const url = URL.parse(text)
  if (!url) return malformed('it is not an absolute URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return malformed('only http and https can be fetched')
  if (url.username || url.password) return malformed('it carries a user name or a password')
  if (isAllowedHost(url, allowHosts)) return { allow: true, url, trusted: true }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const reason = net.isIP(host) ? refuse(host) : refuseName(host)
  return reason === undefined ? { allow: true, url, trusted: false } : { allow: false, fault: 'address', reason }
}

/** Decides about the address of a connection, as the system formats it. */
export function decideAddress(address: string): AddressDecision {
  const reason = refuse(address)
  return reason === undefined ? { allow: true } : { allow: false, reason }
}

/** Entries are `host` for all ports, or `host:port`. */
function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  return allowHosts.some((entry) => {
    const allowed = URL.parse(`${url.protocol}//${entry}`)
    if (!allowed || allowed.hostname !== url.hostname || allowed.username || allowed.pathname !== '/') return false
    return !/:\d+$/.test(entry) || allowed.port === url.port
  })
}

function refuse(address: string): string | undefined {
  const family = net.isIP(address)
  if (family === 0 || address.includes('%')) return `${address} is not a plain address`
  lists ??= toLists()
  if (net.isIPv4(address))
    return toReason(address, lists.closedIpv4.find(({ list }) => list.check(address, 'ipv4'))?.kind)
  // Only global unicast is allowed, which excludes embedded IPv4 (mapped, translated, compatible) and all local ranges.
  if (!lists.openIpv6.check(address, 'ipv6')) return toReason(address, 'private, reserved or translated')
  return toReason(address, lists.closedIpv6.find(({ list }) => list.check(address, 'ipv6'))?.kind)
}

function toReason(address: string, kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : `${address} is a ${kind} address`
}

/** Names that are never public, whatever they resolve to. */
function refuseName(host: string): string | undefined {
  if (host.endsWith('.')) return `the name ${host} ends with a dot`
  if (!host.includes('.')) return `the name ${host} is a local one`
  return localEndings.test(host) ? `the name ${host} is a local one` : undefined
}

const localEndings = /\.(?:localhost|local|internal|home\.arpa|localdomain)$/

function malformed(reason: string): UrlDecision {
  return { allow: false, fault: 'form', reason }
}

function toList(...subnets: readonly string[]): net.BlockList {
  const list = new net.BlockList()
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    list.addSubnet(address, Number(bits), net.isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Made with the first address: a start with a config loads this file. */
let lists: ReturnType<typeof toLists> | undefined

function toLists() {
  return {
    closedIpv4: [
      { kind: 'loopback', list: toList('127.0.0.0/8') },
      { kind: 'private', list: toList('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10') },
      { kind: 'link-local or metadata', list: toList('169.254.0.0/16', '168.63.129.16/32') },
      {
        kind: 'reserved',
        list: toList(
          ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
          ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
        ),
      },
    ],
    openIpv6: toList('2000::/3'),
    closedIpv6: [
      { kind: 'reserved', list: toList('2001::/23', '2001:db8::/32', '3fff::/20') },
      { kind: 'translated', list: toList('2002::/16') },
    ],
  }
}
