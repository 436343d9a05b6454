import type { Toolpact } from '../../app/app.ts'
import { openNotifier } from '../../app/notify/open-notifier.ts'
import { type LogLevel, logLevels } from '../../contract/call-client.ts'
import { readVersion } from '../../contract/package-version.ts'
import { printable } from '../../contract/text/printable.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'
import { createCallEvents } from '../../surfaces/console/call-events.ts'
import type { McpInfo } from '../../surfaces/mcp/server.ts'
import { allowSending, type Command, type Options, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { printViolation } from '../terminal/print-result.ts'
import { printWithheld } from '../terminal/print-withheld.ts'
import { paint } from '../terminal/terminal.ts'
import { toAsking } from './asking.ts'
import { offerSearch } from './offer-search.ts'
import { printServerLogs } from './print-server-logs.ts'

export const serve: Command = {
  usage: ['serve [--port N] [--host ADDRESS] [--no-token]', 'serve --stdio [--catalogue search]'],
  about: `Serves tools: over HTTP as MCP, REST and OpenAPI with a console, or as MCP on stdin and stdout. Serves the toolsets
that --toolset or the config names, else its MCP servers and contract folders; if it has none, the toolset workspace.
toolpact open opens the console. HTTP callers need a token, which is created on first start; toolpact token shows it. Ctrl-C gives running calls ten seconds
to finish; a second one exits at once.`,
  options: {
    stdio: { type: 'boolean', about: 'speak MCP on stdin and stdout, for a client that starts the server itself' },
    port: { type: 'string', value: 'N', about: 'the port to listen on; 0 takes a free one (default: 7420)' },
    host: { type: 'string', value: 'ADDRESS', about: 'the address to listen on (default: 127.0.0.1)' },
    'no-token': { type: 'boolean', about: 'let everyone on this machine call without a token' },
    'show-link': {
      type: 'boolean',
      about: 'also print the single-use link to the console with --json or to a pipe; anyone who sees it can sign in',
    },
    log: { type: 'string', value: 'json', about: 'print a line of JSON on stderr for each call, for log collectors' },
    'server-logs': {
      type: 'string',
      value: 'LEVEL',
      about:
        'print log messages of MCP servers from this level on: debug, info, notice, warning, error, … (default: none)',
    },
    quiet: { type: 'boolean', about: 'do not print calls and questions as they happen' },
    catalogue: {
      type: 'string',
      value: 'all|search',
      about: 'what MCP clients list: all tools, or search_tools and the tools they have found (default: all)',
    },
    'single-step': {
      type: 'boolean',
      about: 'one call per query: per MCP session, or per query id if the client sends one',
    },
    'ask-in': {
      type: 'string',
      value: 'PLACE',
      about: "where calls are asked about: client, queue, both, or console (default: the config's, else client)",
    },
    ...allowSending,
  },
  examples: [
    ['toolpact serve', 'what the config chooses, on port 7420'],
    ['toolpact serve --stdio --read-only', 'for a client that starts the server itself'],
    ['toolpact serve --port 0 --json', 'on a free port; prints the addresses for a script'],
  ],
  async run(request) {
    const { positionals, options, terminal, open } = request
    if (positionals.length > 0) throw new UsageError(`serve takes no name, but got '${positionals[0]}'.`, 'Choose tools with --toolset.') // biome-ignore format: one line
    refuseMix(options)
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
    const openHeld = () =>
      open({
        start: 'held',
        offer: 'chosen',
        observe: calls.observe,
        ...(logs && { telemetry: { log: printLog } }),
        // HTTP clients may have no session, or start a new one in mid-conversation.
        ...(!options['allow-sending'] && { dataFlow: options.stdio ? 'session' : 'caller' }),
        watch: (message) => terminal.log([paint('yellow', 'Config:'), ` ${printable(message)}`]),
        ...(options.debug && { onViolation: (violation: Violation) => printViolation(violation, terminal) }),
      })
    const openShowing = async () => {
      const opened = await openHeld()
      if (shown) opened.upstreams.showLogs(shown, printServerLogs(terminal))
      return opened
    }
    toolpact = await openShowing()
    try {
      if (await settle(toolpact, request)) {
        await toolpact.close()
        toolpact = await openShowing()
      }
      if (options.yes) terminal.log([paint('yellow', 'Warning:'), ' --yes approves every call of every caller.'])
      await printWithheld(toolpact, terminal)
      const isDecided = wanted !== undefined || toolpact.config.catalogue !== undefined
      const answer = isDecided ? undefined : await offerSearch(toolpact, request)
      const catalogue = () => wanted ?? toolpact.config.catalogue ?? answer ?? 'all'
      const tasks = () => toolpact.config.tasks ?? {}
      const serving = { request, toolpact, asking, calls, catalogue, tasks, info: toInfo(toolpact) }
      if (options.stdio) await (await import('./serve-on-stdio.ts')).serveOnStdio(serving)
      else await (await import('./serve-over-http.ts')).serveOverHttp(serving)
      return exitCodes.success
    } finally {
      await notifier.close()
      await toolpact.close()
    }
  },
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

function refuseMix(options: Options) {
  const other = (['port', 'host', 'no-token', 'show-link'] as const).find((name) => options[name] !== undefined)
  if (options.stdio && other) throw new UsageError(`--stdio and --${other} exclude each other: stdio has no address.`)
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
