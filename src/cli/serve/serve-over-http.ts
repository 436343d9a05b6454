import { resolve } from 'node:path'
import type { Toolpact } from '../../app/app.ts'
import { toScrapers } from '../../app/config/apply-config.ts'
import { toNamedClaims } from '../../app/config/caller-rights.ts'
import { toIssuers } from '../../app/config/issuers.ts'
import { toSettings } from '../../app/connections/open-sign-in.ts'
import { publicCaller } from '../../contract/public-access.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import type { Console } from '../../surfaces/console/console.ts'
import { createHealth, type UpstreamHealth } from '../../surfaces/http/health.ts'
import { createMetadata } from '../../surfaces/http/metadata.ts'
import { createMetrics } from '../../surfaces/http/metrics.ts'
import { openHttpServer } from '../../surfaces/http/open-http-server.ts'
import { countOffered, countRefused } from '../../surfaces/offered-counts.ts'
import type { Options } from '../options/command.ts'
import { toOwnCommand } from '../options/own-command.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { chooseCredentials } from './choose-credentials.ts'
import {
  toFailurePrinter,
  toListenError,
  toPlace,
  toServerOptions,
  toShownAddress,
  untilStopped,
  warnIfOpen,
} from './http-place.ts'
import { createSurfaces, type Entries, findBodyBytes } from './http-surfaces.ts'
import { printCalls } from './print-calls.ts'
import { printStart } from './print-start.ts'
import type { Serving } from './serving.ts'
import { noteCopies, reportReady, toMetricsAdder, toServerId, toWorkerOptions } from './workers/worker.ts'

/** Serves over HTTP until interrupted, then finishes calls and closes connections. The caller closes the ledger. */
export async function serveOverHttp(serving: Serving): Promise<void> {
  const { request, toolpact, calls } = serving
  const { options, terminal } = request
  const { http, telemetry } = toolpact.config
  const logs = options.log !== undefined || telemetry?.log !== undefined
  const place = await toPlace(options, http)
  // Fails now if the secret is not set.
  if (http?.signIn) toSettings(http.signIn)
  const allowsPublic = http?.public === true
  const printFailure = toFailurePrinter(request)
  const issuers = toIssuers(http?.auth)
  const chosen = await chooseCredentials({
    options,
    tokens: toolpact.tokens,
    issuers,
    claims: () => toNamedClaims(toolpact.config),
    isOpen: place.isOpen,
    onFailure: printFailure,
  })
  let entries: Entries = []
  let console: Console | undefined
  const server = await openHttpServer({
    ...toServerOptions(place, http),
    ...toWorkerOptions(terminal.signal),
    credentials: chosen.credentials,
    allowsPublic,
    limits: { bodyBytes: await findBodyBytes(toolpact) },
    onFailure: printFailure,
    toSurfaces(address) {
      const made = createSurfaces(serving, {
        address: toShownAddress(address, http),
        credentials: chosen.credentials,
        stdio: serving.isTenant ? undefined : toStdioCommand(options, toolpact),
        entries: () => entries,
      })
      console = made.console
      return [
        ...made.surfaces,
        createHealth({
          storage: toolpact.health,
          sealing: () => toolpact.proof?.status(),
          upstreams: () => toolpact.upstreams.look().map(toUpstreamHealth),
          isDraining: () => terminal.signal.aborted,
          isPublic: http?.probes === 'all',
        }),
        ...(telemetry?.metrics && toolpact.metrics ? [createMetrics({ read: toolpact.metrics, callers: toScrapers(telemetry.metrics), isPublic: telemetry.metrics.public === true, addOthers: toMetricsAdder(serving.peers) })] : []), // biome-ignore format: one line
        ...(issuers.length > 0 ? [createMetadata(issuers)] : []),
      ]
    },
  }).catch((cause) => {
    throw toListenError(cause, place)
  })

  const withdraw = await toolpact.consoleAddress.announce(toShownAddress(server, http).url, toServerId())
  warnIfOpen(place, http, terminal)
  noteCopies(toolpact.config, terminal)
  if (options['no-token']) terminal.logOnce([paint('yellow', 'Warning:'), ' --no-token lets every program and user of this machine call these tools.']) // biome-ignore format: one line
  if (allowsPublic) printPublic(await toolpact.catalog.all(publicCaller), terminal)
  toolpact.upstreams.begin()
  const mayPrint = reportReady()
  const counts = await countServed(toolpact)
  entries = counts.entries
  if (await mayPrint) await printStart({ serving, server, chosen, console: console!, ...counts })
  if (process.stdout.isTTY && process.stderr.isTTY && !options.quiet && !options.json && !logs)
    printCalls(calls, terminal)
  await untilStopped(server, terminal, http?.drainMs ?? 0)
  await withdraw()
}

function printPublic(entries: Entries, terminal: Terminal) {
  const names = entries.map(({ name }) => name).join(', ')
  terminal.logOnce([paint('yellow', 'Public:'), ` ${names || 'no tool'} can be called without a token.`])
}

/** Waits briefly so that the start message counts tools of servers. Requests are already served. */
const firstListMs = 3000

async function countServed(toolpact: Toolpact) {
  const begun = performance.now()
  if (toolpact.config.mcpServers) await (await import('./settle-upstreams.ts')).untilListed(toolpact, firstListMs)
  const { entries, offers } = await toolpact.catalog.within(Math.max(0, firstListMs - (performance.now() - begun)))
  const withheld = toolpact.upstreams.look().reduce((sum, status) => sum + countRefused(status).tools, 0)
  return { entries, offered: countOffered([...entries, ...offers].map(({ tool }) => tool)), withheld }
}

function toUpstreamHealth({ name, state, wasListed, isRecalled }: UpstreamStatus): UpstreamHealth {
  return { name, state, isListed: wasListed || isRecalled }
}

/** The command line that serves the same tools on stdio from any folder. */
function toStdioCommand(options: Options, { workspace }: Pick<Toolpact, 'workspace'>): readonly string[] {
  const {
    toolset = [],
    contracts = [],
    set = [],
    config,
    'no-config': noConfig,
    ask,
    'read-only': readOnly,
    'single-step': singleStep,
    catalogue,
  } = options
  return [
    ...[...toOwnCommand(), 'serve', '--stdio'],
    ...['--workspace', workspace],
    ...toolset.flatMap((name) => ['--toolset', name]),
    ...contracts.flatMap((path) => ['--contracts', resolve(path)]),
    ...set.flatMap((setting) => ['--set', setting]),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(noConfig ? ['--no-config'] : []),
    ...(ask === undefined ? [] : ['--ask', ask]),
    ...(readOnly ? ['--read-only'] : []),
    ...(singleStep ? ['--single-step'] : []),
    ...(catalogue === undefined ? [] : ['--catalogue', catalogue]),
  ]
}
