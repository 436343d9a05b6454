import type { Toolpact, ToolpactOptions } from '../../app/app.ts'
import { openNotifier } from '../../app/notify/open-notifier.ts'
import { type LogLevel, logLevels } from '../../contract/call-client.ts'
import { readVersion } from '../../contract/package-version.ts'
import { printable } from '../../contract/text/printable.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'
import { type Asking, createRunApprover } from '../../surfaces/asking.ts'
import { createCallEvents } from '../../surfaces/console/call-events.ts'
import type { McpInfo } from '../../surfaces/mcp/server.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { printViolation } from '../terminal/print-result.ts'
import { printWithheld } from '../terminal/print-withheld.ts'
import { paint } from '../terminal/terminal.ts'
import { findWorkerRole } from '../terminal/worker-role.ts'
import { toAsking } from './asking.ts'
import { offerSearch } from './offer-search.ts'
import { printServerLogs } from './print-server-logs.ts'
import type { Serving } from './serving.ts'
import { findPeers } from './workers/worker.ts'

export interface OpenedServing extends Serving {
  close(): Promise<void>
}

interface OpenOptions {
  /** One of several tenants. Nothing is asked at the terminal then. */
  readonly isTenant?: boolean
}

/** Opens what is served: one Toolpact, with what asks about its calls, observes them and notifies people. */
export async function openServing(request: Request, { isTenant = false }: OpenOptions = {}): Promise<OpenedServing> {
  const { options, terminal, open } = request
  // Each worker has the same servers and folders.
  const alike = { ...request, terminal: { ...terminal, log: terminal.logOnce } }
  const wanted = toCatalogue(options)
  const logs = wantsLog(options)
  const shown = toServerLogs(options)
  let toolpact: Toolpact
  const notifier = openNotifier({
    config: () => toolpact.config,
    findConsole: () => toolpact.consoleAddress.find(),
    report: (message) => terminal.log([paint('yellow', 'Notify:'), ` ${message}`]),
  })
  const asking = toAsking(options, terminal, { toolpact: () => toolpact, notifier })
  const calls = createCallEvents()
  const held: ToolpactOptions = {
    start: 'held',
    offer: 'chosen',
    observe: calls.observe,
    sharesCallers: findWorkerRole() !== undefined,
    ...(logs && { telemetry: { log: printLog } }),
    // HTTP clients may have no session, or start a new one in mid-conversation.
    ...(!options['allow-sending'] && { dataFlow: options.stdio ? 'session' : 'caller' }),
    watch: (message) => terminal.logOnce([paint('yellow', 'Config:'), ` ${printable(message)}`]),
    ...(options.debug && { onViolation: (violation: Violation) => printViolation(violation, terminal) }),
  }
  const openShowing = async () => {
    const opened = await open(held)
    if (shown) opened.upstreams.showLogs(shown, printServerLogs(terminal))
    return opened
  }
  const closed = new AbortController()
  async function close() {
    closed.abort()
    await notifier.close()
    await toolpact.close()
  }

  toolpact = await openShowing()
  try {
    if (!isTenant && (await settle(toolpact, alike))) {
      await toolpact.close()
      toolpact = await openShowing()
    }
    await printWithheld(toolpact, alike.terminal)
    const isDecided = isTenant || wanted !== undefined || toolpact.config.catalogue !== undefined
    const answer = isDecided ? undefined : await offerSearch(toolpact, alike)
    const catalogue = () => wanted ?? toolpact.config.catalogue ?? answer ?? 'all'
    const tasks = () => toolpact.config.tasks ?? {}
    continueRuns(toolpact, { asking, signal: terminal.signal, closed: closed.signal })
    return { request, toolpact, asking, calls, catalogue, tasks, peers: findPeers(), info: toInfo(toolpact), isTenant, close } // biome-ignore format: one line
  } catch (cause) {
    await close()
    throw cause
  }
}

/** Continues runs of workflows until this process is asked to end: another one goes on with them then. */
function continueRuns(
  { runs, approvals }: Toolpact,
  { asking, signal, closed }: { readonly asking: Asking; readonly signal: AbortSignal; readonly closed: AbortSignal },
) {
  runs?.begin({ approver: asking.always ?? createRunApprover(approvals, asking) })
  // A tenant that is closed must not be kept in memory by it.
  signal.addEventListener('abort', () => runs?.pause(), { once: true, signal: closed })
}

/** Asks about MCP servers or reports their state. Resolves to true if the config has changed. */
async function settle(toolpact: Toolpact, request: Request): Promise<boolean> {
  if (!toolpact.config.mcpServers) return false
  return (await import('./settle-upstreams.ts')).settleUpstreams(toolpact, request)
}

function toCatalogue({ catalogue }: Options): 'all' | 'search' | undefined {
  if (catalogue === undefined || catalogue === 'all' || catalogue === 'search') return catalogue
  throw new UsageError(`--catalogue must be all or search, but is '${catalogue}'.`)
}

function wantsLog({ log }: Options): boolean {
  if (log === undefined || log === 'json') return log === 'json'
  throw new UsageError(`--log must be json, but is '${log}'.`)
}

/** For programs: without color, and also where stderr is a terminal. */
function printLog(line: string) {
  process.stderr.write(`${line}\n`)
}

function toServerLogs({ 'server-logs': level }: Options): LogLevel | undefined {
  if (level === undefined || (logLevels as readonly string[]).includes(level)) return level as LogLevel | undefined
  throw new UsageError(`--server-logs must be one of ${logLevels.join(', ')}, but is '${level}'.`)
}

/** A single toolset is served under its own name. */
function toInfo({ catalog }: Toolpact): McpInfo {
  const [only, ...others] = catalog.toolsets
  return {
    name: only !== undefined && others.length === 0 ? only : 'toolpact',
    title: 'Toolpact',
    version: readVersion(),
  }
}
