import { lookup as lookupAll } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { decideHost, type NetworkGrant } from '../../../policy/granted-hosts.ts'
import { type AddressDecision, decideAddress } from '../../../policy/network.ts'
import { type Connector, connect, dialDirectly } from '../../web/connect.ts'

/** A connection that was not granted, or whose address is closed. */
export interface RefusedHost {
  /** Lower case, printable and bounded. */
  readonly host: string
  /** Undefined if only the name was looked up. */
  readonly port?: number
  readonly reason: string
}

/** The only way out of a network namespace: connects to granted hosts alone. */
export interface Egress {
  readonly network: NetworkGrant
  /** Rejects with a `HostRefused` or the failure of the connection. */
  reach(host: string, port: number): Promise<Socket>
  refuse(refused: RefusedHost): void
}

export interface EgressOptions {
  readonly network: NetworkGrant
  readonly onRefused: (refused: RefusedHost) => void
  /** Granted hosts that may have a private address, such as the registry that the operator chose. */
  readonly trusted?: readonly string[] | undefined
  readonly lookup?: Connector['lookup']
  readonly dial?: Connector['dial']
}

export class HostRefused extends Error {
  override readonly name = 'HostRefused'
}

const connectMs = 15_000

/** Names are resolved here and their addresses checked as for `web.fetch`. */
export function openEgress({
  network,
  onRefused,
  trusted = [],
  lookup = resolveBySystem,
  dial = dialDirectly,
}: EgressOptions): Egress {
  // biome-ignore format: one line
  const fail = (host: string, port: number, reason: string) => {
    onRefused({ host, port, reason })
    return new HostRefused(`${host}:${port}: ${reason}`)
  }
  return {
    network,
    refuse: onRefused,
    async reach(given, port) {
      const host = toHostName(given)
      const { allow, isPrivate } = decideHost(network, host, port)
      const isTrusted = isPrivate || trusted.includes(host)
      if (!allow) throw fail(host, port, 'it was not granted')
      const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
      if (!url) throw fail(host, port, 'it is not an address')
      const addresses = isIP(host) ? [host] : await lookup(host)
      const closed = isTrusted ? undefined : addresses.map(decideAddress).find(isClosed)
      if (closed) throw fail(host, port, `it resolves to an address that is closed to tools: ${closed.reason}`)
      const signal = AbortSignal.timeout(connectMs)
      const connector: Connector = { lookup: async () => addresses, dial, certificateAuthorities: undefined }
      return connect(connector, { url, trusted: isTrusted, signal, deadline: performance.now() + connectMs })
    },
  }
}

function isClosed(decision: AddressDecision): decision is Extract<AddressDecision, { allow: false }> {
  return !decision.allow
}

/** Host names of untrusted programs end in the ledger and in messages. */
export function toHostName(text: string): string {
  const host = text.replace(/^\[|\]$/g, '').toLowerCase()
  return host.replace(/[^a-z0-9.:_-]/g, '?').slice(0, 253)
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  return (await lookupAll(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}
