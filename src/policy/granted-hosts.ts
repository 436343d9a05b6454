import { decideUrl } from './network.ts'

/** Which hosts a server may reach: some, none, or the whole network of the machine. */
export type NetworkGrant = 'none' | 'any' | readonly string[]

/** An entry is `host`, for the ports 80 and 443, or `host:port`; `*.example.com` stands for every name below it. */
export const hostPattern = '^(?:\\*\\.)?(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?::[0-9]{1,5})?$' // biome-ignore format: one line

const webPorts = [80, 443]

/** A host as it is granted. `port` is undefined if only the name was looked up. */
export function toHostEntry({ host, port }: { readonly host: string; readonly port?: number }): string {
  return port === undefined || webPorts.includes(port) ? host : `${host}:${port}`
}

/** Whether a connection was granted. `isPrivate`: the operator names a host that is private by its name or address. */
export function decideHost(
  network: NetworkGrant,
  host: string,
  port: number,
): { readonly allow: boolean; readonly isPrivate: boolean } {
  const entry = network === 'any' || network === 'none' ? undefined : network.find((one) => matches(one, host, port))
  return { allow: entry !== undefined, isPrivate: entry !== undefined && isPrivate(entry) }
}

/** Whether a name belongs to a granted host, whatever the port. */
export function isGrantedName(network: NetworkGrant, name: string): boolean {
  return typeof network !== 'string' && network.some((entry) => matchesName(splitEntry(entry).name, name))
}

/** The ports of granted hosts. */
export function listPorts(network: NetworkGrant): number[] {
  if (typeof network === 'string') return []
  return [...new Set(network.flatMap((entry) => splitEntry(entry).ports))]
}

function matches(entry: string, host: string, port: number): boolean {
  const { name, ports } = splitEntry(entry)
  return ports.includes(port) && matchesName(name, host)
}

function matchesName(name: string, host: string): boolean {
  const wanted = host.toLowerCase()
  return name.startsWith('*.') ? wanted.endsWith(name.slice(1)) && wanted.length > name.length - 1 : wanted === name
}

function splitEntry(entry: string): { readonly name: string; readonly ports: readonly number[] } {
  const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return { name: name.toLowerCase(), ports: port === undefined ? webPorts : [Number(port)] }
}

/** A public name that resolves to a private address is refused; a private name was written by the operator. */
function isPrivate(entry: string): boolean {
  return !entry.startsWith('*.') && !decideUrl(`http://${entry}`).allow
}
