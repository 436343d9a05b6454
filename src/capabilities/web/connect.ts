import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { decideAddress } from '../../policy/network.ts'
import { toFetchFailed, toRefused } from './web-error.ts'

export interface Connector {
  /** All addresses of a name. */
  readonly lookup: (hostname: string) => Promise<readonly string[]>
  /** Connects to an address, not to a name. */
  readonly dial: (address: string, port: number) => Socket
  readonly certificateAuthorities: string | undefined
}

export interface Destination {
  readonly url: URL
  /** The operator allows the host, whatever its address. */
  readonly trusted: boolean
  readonly signal: AbortSignal
  /** Deadline, in `performance.now()` time. */
  readonly deadline: number
}

/** Maximum number of addresses to try per host. */
const maxAddresses = 4

/**
 * Connects to a host. Resolves its name once; if any address is closed to tools, none is used. Connects to a checked
 * address, and compares the peer's address with it before a byte is sent.
 */
export async function connect(connector: Connector, destination: Destination): Promise<Socket> {
  const { url, trusted, signal } = destination
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const addresses = isIP(host) ? [host] : await resolve(connector, host, signal)
  if (!trusted) for (const address of addresses) admit(address, host)
  const socket = await dialFirst(connector, { ...destination, addresses: addresses.slice(0, maxAddresses), port })
  return url.protocol === 'https:' ? secure(connector, socket, { host, signal }) : socket
}

async function resolve({ lookup }: Connector, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await unlessAborted(lookup(host), signal)
  if (addresses.length === 0) throw toFetchFailed('host not found')
  return addresses
}

function admit(address: string, host: string): void {
  const decision = decideAddress(address)
  if (decision.allow) return
  throw toRefused(
    address === host ? decision.reason : `${host} resolves to an address that is closed to tools: ${decision.reason}`,
  )
}

async function dialFirst(
  { dial }: Connector,
  { addresses, port, trusted, signal, deadline }: Destination & { addresses: readonly string[]; port: number },
): Promise<Socket> {
  let failure: unknown
  for (const [index, address] of addresses.entries()) {
    const share = (deadline - performance.now()) / (addresses.length - index)
    const socket = dial(address, port)
    try {
      await connected(socket, { event: 'connect', signal, milliseconds: share })
      const { remoteAddress = '' } = socket
      if (toPlainAddress(remoteAddress) !== toPlainAddress(address))
        throw toRefused(`the connection to ${address} reached ${remoteAddress}`)
      if (!trusted) admit(remoteAddress, remoteAddress)
      return socket
    } catch (error) {
      socket.destroy()
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

async function secure(
  { certificateAuthorities }: Connector,
  socket: Socket,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<Socket> {
  const secured = connectSecure({
    socket,
    host,
    // Not for an address: the standard allows names only.
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, so that no environment variable can disable it.
    rejectUnauthorized: true,
    ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
  })
  try {
    await connected(secured, { event: 'secureConnect', signal })
    return secured
  } catch (error) {
    secured.destroy()
    socket.destroy()
    throw error
  }
}

function connected(
  socket: Socket,
  { event, signal, milliseconds }: { event: string; signal: AbortSignal; milliseconds?: number },
): Promise<void> {
  const waiting = new Promise<void>((done, fail) => {
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => fail(toFetchFailed('the host does not answer')), milliseconds)
    socket.once(event, () => done())
    socket.once('error', fail)
    socket.once('close', () => {
      clearTimeout(timer)
      fail(toFetchFailed('connection closed early'))
    })
    socket.once(event, () => clearTimeout(timer))
  })
  return unlessAborted(waiting, signal)
}

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  if (signal.aborted) reject(signal.reason)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** A canonical spelling for every address; IPv4 reported as IPv6 by a dual-stack socket becomes IPv4. */
function toPlainAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const plain = URL.parse(`http://[${address}]`)?.hostname ?? address
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(plain)
  if (!mapped) return plain
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

export const dialDirectly: Connector['dial'] = (address, port) =>
  connectPlain({ host: address, port, family: isIP(address), autoSelectFamily: false, noDelay: true })
