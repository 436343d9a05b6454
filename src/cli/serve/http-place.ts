import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Config } from '../../app/config/config.ts'
import { createClientReader } from '../../surfaces/http/client-of.ts'
import { isLoopback } from '../../surfaces/http/host-check.ts'
import type { HttpAddress, HttpServer, HttpServerOptions } from '../../surfaces/http/open-http-server.ts'
import { readTlsFiles } from '../../surfaces/http/tls-files.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { toPort } from '../options/option-values.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { graceMs } from './serving.ts'

/** Where a server listens. */
export interface HttpPlace {
  readonly host: string
  readonly address: string
  readonly port: number
  /** Whether other machines can reach it. */
  readonly isOpen: boolean
}

export async function toPlace(options: Options, http: Config['http']): Promise<HttpPlace> {
  const host = options.host ?? http?.host ?? '127.0.0.1'
  const port = toPort(options.port) ?? http?.port ?? 7420
  const address = await toAddress(host)
  return { host, address, port, isOpen: !isLoopback(address) }
}

/** `names`: further hosts that requests may address. */
export function toServerOptions(
  { host, address, port }: HttpPlace,
  http: Config['http'],
  names: readonly string[] = [],
): Pick<HttpServerOptions, 'host' | 'port' | 'hosts' | 'origins' | 'trustedProxies' | 'publicUrl' | 'tls'> {
  const { hosts = [], origins = [], publicUrl, trustedProxies, tls } = http ?? {}
  requireUsable(() => tls && readTlsFiles(tls))
  requireUsable(() => createClientReader({ proxies: trustedProxies }))
  const shown = publicUrl === undefined ? undefined : new URL(publicUrl)
  return {
    host: address,
    port,
    hosts: [...hosts, ...(isIP(host) || host === 'localhost' ? [] : [host]), ...(shown ? [shown.host] : []), ...names],
    origins: [...origins, ...(shown ? [shown.origin] : [])],
    ...{ trustedProxies, publicUrl, tls },
  }
}

/** What the settings name must exist before the server starts. */
function requireUsable(check: () => unknown) {
  try {
    check()
  } catch (cause) {
    throw new UsageError((cause as Error).message)
  }
}

/** The address that people and clients are told. */
export function toShownAddress(address: HttpAddress, http: Config['http']): HttpAddress {
  return { port: address.port, url: http?.publicUrl ?? address.url }
}

export function warnIfOpen({ host, isOpen }: HttpPlace, http: Config['http'], terminal: Terminal) {
  if (isOpen && !http?.tls) terminal.logOnce([paint('yellow', 'Warning:'), ` ${host} can be reached from other machines, and nothing is encrypted here. Set http.tls, or put a proxy with TLS in front.`]) // biome-ignore format: one line
}

/** Prints internal errors, which callers never see. */
export function toFailurePrinter({ options, terminal }: Request): (cause: unknown) => void {
  const print = toFaultPrinter({ options, terminal })
  return (cause) => print(cause instanceof Error ? cause.message : String(cause), cause)
}

export function toFaultPrinter({ options, terminal }: Pick<Request, 'options' | 'terminal'>) {
  return (message: string, cause: unknown) => {
    terminal.log([paint('red', 'Error:'), ` ${message}`])
    if (options.debug) terminal.log(inspect(cause))
  }
}

/** Waits for the signal to stop, then lets requests in flight finish. */
export async function untilStopped(server: HttpServer, { signal, logOnce }: Terminal, drainMs: number) {
  if (!signal.aborted) await once(signal, 'abort')
  if (drainMs > 0) {
    logOnce(`Draining: requests are taken for ${drainMs / 1000} s more, and /readyz answers 503.`)
    await sleep(drainMs)
  }
  logOnce(`Stopping: calls have ${graceMs / 1000} s to finish. Press Ctrl-C again to exit at once.`)
  await server.close(graceMs)
}

async function toAddress(host: string): Promise<string> {
  if (isIP(host)) return host
  try {
    return (await lookup(host)).address
  } catch {
    throw new UsageError(`There is no address for the host '${host}'.`, 'Use --host 127.0.0.1, or an address of this machine.') // biome-ignore format: one line
  }
}

/** Turns a listen error into advice. */
export function toListenError(cause: NodeJS.ErrnoException, { host, port }: HttpPlace): unknown {
  if (cause.code === 'EADDRINUSE') return new UsageError(`Port ${port} of ${host} is in use.`, `Stop the program that uses it, or use --port ${port + 1}.`) // biome-ignore format: one line
  if (cause.code === 'EACCES') return new UsageError(`Port ${port} requires root.`, 'Use a port above 1023, such as --port 7420.') // biome-ignore format: one line
  if (cause.code === 'EADDRNOTAVAIL') return new UsageError(`${host} is not an address of this machine.`, 'Use --host 127.0.0.1.') // biome-ignore format: one line
  return cause
}
