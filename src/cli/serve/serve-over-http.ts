import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Toolpact } from '../../app/app.ts'
import { toScrapers } from '../../app/config/apply-config.ts'
import type { Config } from '../../app/config/config.ts'
import type { JsonObject } from '../../contract/json.ts'
import { publicCaller } from '../../contract/public-access.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { toClientConfigs, tokenPlaceholder } from '../../surfaces/client-configs.ts'
import { type Console, createConsole } from '../../surfaces/console/console.ts'
import { createHealth, type UpstreamHealth } from '../../surfaces/http/health.ts'
import { isLoopback } from '../../surfaces/http/host-check.ts'
import { createMetadata } from '../../surfaces/http/metadata.ts'
import { createMetrics } from '../../surfaces/http/metrics.ts'
import { type HttpServer, openHttpServer } from '../../surfaces/http/open-http-server.ts'
import { createMcpHttp } from '../../surfaces/mcp/http.ts'
import { countOffered, countRefused } from '../../surfaces/offered-counts.ts'
import { createRest } from '../../surfaces/rest/rest.ts'
import { type Options, UsageError } from '../options/command.ts'
import { toPort } from '../options/option-values.ts'
import { toOwnCommand } from '../options/own-command.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { chooseCredentials } from './choose-credentials.ts'
import { createConsoleServers } from './console-servers.ts'
import { printCalls } from './print-calls.ts'
import { printStart } from './print-start.ts'
import { graceMs, type Serving } from './serving.ts'

/** Serves over HTTP until interrupted, then finishes calls and closes connections. The caller closes the ledger. */
export async function serveOverHttp(serving: Serving): Promise<void> {
  const { request, toolpact, asking, info, catalogue, tasks, calls } = serving
  const { options, terminal } = request
  const { http, telemetry } = toolpact.config
  const logs = options.log !== undefined || telemetry?.log !== undefined
  const host = options.host ?? http?.host ?? '127.0.0.1'
  const port = toPort(options.port) ?? http?.port ?? 7420
  const address = await toAddress(host)
  const isOpen = !isLoopback(address)
  const allowsPublic = http?.public === true
  const chosen = await chooseCredentials({
    options,
    tokens: toolpact.tokens,
    auth: http?.auth,
    isOpen,
    onFailure: printFailure,
  })
  // Tools of servers are not known yet, so limits from the config are included.
  let { entries } = await toolpact.catalog.within(0)
  const inputBytes = [...entries.map(({ tool }) => tool.contract.limits.inputBytes), ...findInputBytes(toolpact.config)]
  const bodyBytes = Math.max(4_194_304, ...inputBytes.map((bytes) => bytes + 1_048_576))
  const stdio = toStdioCommand(options, toolpact)
  const toClients = () => ({ name: info.name, stdio, example: findExample(entries) })

  let console: Console | undefined
  const server = await openHttpServer({
    host: address,
    port,
    credentials: chosen.credentials,
    allowsPublic,
    hosts: [...(http?.hosts ?? []), ...(isIP(host) || host === 'localhost' ? [] : [host])],
    origins: http?.origins ?? [],
    limits: { bodyBytes },
    onFailure: printFailure,
    toSurfaces(at) {
      const { credentials } = chosen
      const token = options['no-token'] ? undefined : tokenPlaceholder
      const toConfigs = () => toClientConfigs({ ...toClients(), url: at.url, token })
      console = createConsole({
        toolpact,
        credentials,
        address: at,
        version: info.version,
        calls,
        toClients: toConfigs,
        servers: createConsoleServers(toolpact, request),
      })
      return [
        createMcpHttp(toolpact, { info, asking, catalogue, tasks }),
        createRest(toolpact, { version: info.version, allowsPublic: allowsPublic || options['no-token'] === true, asking, onFault: (message, cause) => printFault(message, cause) }), // biome-ignore format: one line
        createHealth({
          storage: toolpact.health,
          sealing: () => toolpact.proof?.status(),
          upstreams: () => toolpact.upstreams.look().map(toUpstreamHealth),
          isDraining: () => terminal.signal.aborted,
          isPublic: http?.probes === 'all',
        }),
        console,
        ...(telemetry?.metrics && toolpact.metrics ? [createMetrics({ read: toolpact.metrics, callers: toScrapers(telemetry.metrics), isPublic: telemetry.metrics.public === true })] : []), // biome-ignore format: one line
        ...(http?.auth ? [createMetadata(http.auth.issuer)] : []),
      ]
    },
  }).catch((cause) => {
    throw toListenError(cause, { host, port })
  })

  const withdraw = await toolpact.consoleAddress.announce(server.url)
  if (isOpen) terminal.log([paint('yellow', 'Warning:'), ` ${host} can be reached from other machines, and nothing is encrypted here. Put a proxy with TLS in front.`]) // biome-ignore format: one line
  if (options['no-token']) terminal.log([paint('yellow', 'Warning:'), ' --no-token lets every program and user of this machine call these tools.']) // biome-ignore format: one line
  if (allowsPublic) printPublic(await toolpact.catalog.all(publicCaller), terminal)
  toolpact.upstreams.begin()
  const counts = await countServed(toolpact)
  entries = counts.entries
  await printStart({ serving, server, chosen, console: console!, ...counts })
  if (process.stdout.isTTY && process.stderr.isTTY && !options.quiet && !options.json && !logs)
    printCalls(calls, terminal)
  await untilStopped(server, serving, http?.drainMs ?? 0)
  await withdraw()

  function printFailure(cause: unknown) {
    printFault(cause instanceof Error ? cause.message : String(cause), cause)
  }

  function printFault(message: string, cause: unknown) {
    terminal.log([paint('red', 'Error:'), ` ${message}`])
    if (options.debug) terminal.log(inspect(cause))
  }
}

function printPublic(entries: Entries, terminal: Terminal) {
  const names = entries.map(({ name }) => name).join(', ')
  terminal.log([paint('yellow', 'Public:'), ` ${names || 'no tool'} can be called without a token.`])
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

/** All `inputBytes` settings in the config. */
function findInputBytes({ limits, mcpServers }: Config): number[] {
  const found: number[] = []
  JSON.stringify([limits, mcpServers], (key, value) => {
    if (key === 'inputBytes' && typeof value === 'number') found.push(value)
    return value
  })
  return found
}

function toUpstreamHealth({ name, state, wasListed, isRecalled }: UpstreamStatus): UpstreamHealth {
  return { name, state, isListed: wasListed || isRecalled }
}

async function untilStopped(server: HttpServer, { request }: Serving, drainMs: number) {
  const { signal, log } = request.terminal
  if (!signal.aborted) await once(signal, 'abort')
  if (drainMs > 0) {
    log(`Draining: requests are taken for ${drainMs / 1000} s more, and /readyz answers 503.`)
    await sleep(drainMs)
  }
  log(`Stopping: running calls have ${graceMs / 1000} s to finish. Press Ctrl-C again to exit at once.`)
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
function toListenError(cause: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): unknown {
  if (cause.code === 'EADDRINUSE') return new UsageError(`Port ${port} of ${host} is in use.`, `Stop the program that uses it, or use --port ${port + 1}.`) // biome-ignore format: one line
  if (cause.code === 'EACCES') return new UsageError(`Port ${port} requires root.`, 'Use a port above 1023, such as --port 7420.') // biome-ignore format: one line
  if (cause.code === 'EADDRNOTAVAIL') return new UsageError(`${host} is not an address of this machine.`, 'Use --host 127.0.0.1.') // biome-ignore format: one line
  return cause
}

type Entries = Awaited<ReturnType<Toolpact['catalog']['all']>>

/** A harmless sample call from the examples of the contracts. */
function findExample(entries: Entries): { name: string; input: JsonObject } | undefined {
  for (const { name, tool } of entries) {
    const { risk, approval, status, examples } = tool.contract
    const example = examples.find(({ error, given }) => error === undefined && given === undefined)
    if (example && risk === 'read_only' && approval === 'never' && status === 'active') return { name, input: example.input } // biome-ignore format: one line
  }
  return undefined
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
