import { toScrapers } from '../../../app/config/apply-config.ts'
import { toIssuers } from '../../../app/config/issuers.ts'
import { joinMetrics } from '../../../app/tenants/join-metrics.ts'
import { type FoundTenants, openSharedStorage, type SharedStorage } from '../../../app/tenants/open-tenants.ts'
import { printableJson } from '../../../contract/text/printable.ts'
import { toCount } from '../../../runtime/approval/text/rows.ts'
import { noToken } from '../../../surfaces/http/credentials.ts'
import { createHealth } from '../../../surfaces/http/health.ts'
import { createMetadata } from '../../../surfaces/http/metadata.ts'
import { createMetrics } from '../../../surfaces/http/metrics.ts'
import { type HttpAddress, type HttpServerOptions, openHttpServer } from '../../../surfaces/http/open-http-server.ts'
import type { HttpSurface } from '../../../surfaces/http/route.ts'
import { toPath } from '../../../surfaces/http/routes.ts'
import { type Request, UsageError } from '../../options/command.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { paint, type Terminal } from '../../terminal/terminal.ts'
import {
  toFailurePrinter,
  toListenError,
  toPlace,
  toServerOptions,
  toShownAddress,
  untilStopped,
  warnIfOpen,
} from '../http-place.ts'
import { findPeers, reportReady, toMetricsAdder, toProcesses, toWorkerOptions } from '../workers/worker.ts'
import { chooseByClaim, chooseByHost, toHosts } from './choose-tenant.ts'
import { createDoors, openIssuer } from './doors.ts'
import { createInstances, type Instances } from './instances.ts'
import { openInstance } from './open-instance.ts'

/** Serves all tenants of the config over HTTP until interrupted. Returns the exit code. */
export async function serveTenants(request: Request, tenants: FoundTenants): Promise<number> {
  refuseOptions(request)
  const shared = await openSharedStorage(tenants)
  try {
    await serve(request, tenants, shared)
    return exitCodes.success
  } finally {
    await shared.pool.close()
  }
}

async function serve(request: Request, tenants: FoundTenants, shared: SharedStorage) {
  const { terminal } = request
  const { http } = tenants.config
  const onFailure = toFailurePrinter(request)
  const place = await toPlace(request.options, http)
  // Fails now if Postgres cannot be reached.
  const own = await shared.openDoor(tenants.own)
  const jwks = await openIssuer(tenants, onFailure)
  const issuers = toIssuers(http?.auth)
  let address: HttpAddress | undefined
  const choose = jwks && tenants.by === 'claim' ? chooseByClaim(tenants, jwks, () => address!.port) : chooseByHost(tenants) // biome-ignore format: one line
  const health = createHealth({
    storage: own.health,
    upstreams: () => [],
    isDraining: () => terminal.signal.aborted,
    isPublic: http?.probes === 'all',
  })
  const instances = createInstances({
    ...tenants,
    open: async (name) => openInstance(name, { request, shared, door: await findDoor(name) }),
  })
  const findDoor = createDoors({
    ...{ tenants, shared, jwks, onFailure },
    address: () => address!,
    surfaces: {
      all: [health, ...(issuers.length > 0 ? [createMetadata(issuers)] : [])],
      own: toOwnSurfaces(tenants, instances),
    },
  })

  const findSite: HttpServerOptions['findSite'] = async (incoming, response) => {
    const name = await choose(incoming)
    const door = await findDoor(name).catch(onFailure)
    if (!door) return { refusal: 'tokens_unavailable' }
    if (name === tenants.own || door.serves(toPath(incoming.url ?? '')) || !(await door.knows(incoming)))
      return door.site
    try {
      return (await instances.enter(name, response)) ?? { refusal: 'server_busy' }
    } catch (cause) {
      onFailure(new Error(`The tenant ${name} cannot be opened. ${(cause as Error).message}`, { cause }))
      return { refusal: 'server_failed' }
    }
  }

  const server = await openHttpServer({
    ...toServerOptions(
      place,
      http,
      toHosts(tenants.entries.values()).map(({ host }) => host),
    ),
    // Every request is for a site.
    ...{ credentials: noToken, findSite, onFailure, ...toWorkerOptions(terminal.signal) },
    toSurfaces(at) {
      address = toShownAddress(at, http)
      return [{ routes: [], close: instances.close }]
    },
  }).catch((cause) => {
    throw toListenError(cause, place)
  })
  warnIfOpen(place, http, terminal)
  if (await reportReady()) printStart(request, tenants, server)
  await untilStopped(server, terminal, http?.drainMs ?? 0)
}

/** Metrics name every tenant and its tools, so only tokens of the server itself give access to them. */
function toOwnSurfaces({ config }: FoundTenants, instances: Instances): HttpSurface[] {
  const metrics = config.telemetry?.metrics
  if (!metrics) return []
  const read = async () => {
    const opened = (await instances.list()).map(async ([name, instance]) => [name, (await instance.metrics?.()) ?? ''] as const) // biome-ignore format: one line
    return joinMetrics(await Promise.all(opened))
  }
  return [createMetrics({ read, callers: toScrapers(metrics), isPublic: metrics.public === true, addOthers: toMetricsAdder(findPeers()) })] // biome-ignore format: one line
}

function refuseOptions({ options }: Request) {
  const found = (['no-token', 'show-link'] as const).find((name) => options[name] !== undefined)
  if (found) throw new UsageError(`--${found} cannot be used with several tenants.`, 'Serve one of them with --tenant NAME.') // biome-ignore format: one line
}

function printStart({ options, terminal }: Request, { entries, by, claim }: FoundTenants, { url }: HttpAddress) {
  const { size } = entries
  if (options.json) terminal.print(printableJson({ url, tenants: size, ...toProcesses() }))
  else printLines(terminal, `Toolpact serves ${toCount(size, 'tenant')} at ${url}`, by === 'host' ? 'The host of a request tells its tenant.' : `The claim ${claim} of a token tells its tenant.`) // biome-ignore format: one line
}

function printLines(terminal: Terminal, title: string, about: string) {
  terminal.print(paint('bold', title), about, 'Each is opened with its first request. Ctrl-C stops it.')
}
