import { toTenantName } from '../../app/config/open-config.ts'
import { findServerConfig, toFoundTenants } from '../../app/tenants/open-tenants.ts'
import { allowSending, type Command, type Options, UsageError } from '../options/command.ts'
import { toConfigOptions } from '../options/config-options.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { findWorkerRole } from '../terminal/worker-role.ts'
import { limitYoungHeap } from './limit-young-heap.ts'
import { openServing } from './open-serving.ts'
import { countWorkers } from './workers/count-workers.ts'

export const serve: Command = {
  usage: ['serve [--port N] [--host ADDRESS] [--workers N] [--no-token]', 'serve --stdio [--catalogue search]'],
  about: `Serves tools: over HTTP as MCP, REST and OpenAPI with a console, or as MCP on stdin and stdout. Serves the toolsets
that --toolset or the config names, else its MCP servers and contract folders; if it has none, the toolset workspace.
toolpact open opens the console. HTTP callers need a token: toolpact token create NAME prints one, and connect creates one for a client. Ctrl-C gives running calls ten seconds
to finish; a second one exits at once.`,
  options: {
    stdio: { type: 'boolean', about: 'speak MCP on stdin and stdout, for a client that starts the server itself' },
    port: { type: 'string', value: 'N', about: 'the port to listen on; 0: a free one (default: 7420)' },
    host: { type: 'string', value: 'ADDRESS', about: 'the address to listen on (default: 127.0.0.1)' },
    workers: {
      type: 'string',
      value: 'N',
      about: 'processes that share the port, or auto (default: 1)',
    },
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
    const { positionals, options, terminal } = request
    if (positionals.length > 0) throw new UsageError(`serve takes no name, but got '${positionals[0]}'.`, 'Choose tools with --toolset.') // biome-ignore format: one line
    refuseMix(options)
    const chosen = toConfigOptions(options)
    const config = options.stdio ? {} : await findServerConfig(chosen)
    const tenants = toFoundTenants(config)
    const workers = countWorkers(options, config)
    if (workers > 1 && !findWorkerRole())
      return (await import('./workers/run-primary.ts')).runPrimary(request, config.http, workers)
    if (options.yes) terminal.logOnce([paint('yellow', 'Warning:'), ' --yes approves every call of every caller.'])
    limitYoungHeap()
    // A tenant that is named is served alone.
    if (tenants && toTenantName(chosen) === undefined)
      return (await import('./tenants/serve-tenants.ts')).serveTenants(request, tenants)
    const serving = await openServing(request, { isTenant: tenants !== undefined })
    try {
      if (options.stdio) await (await import('./serve-on-stdio.ts')).serveOnStdio(serving)
      else await (await import('./serve-over-http.ts')).serveOverHttp(serving)
      return exitCodes.success
    } finally {
      await serving.close()
    }
  },
}

function refuseMix(options: Options) {
  const other = (['port', 'host', 'workers', 'no-token', 'show-link'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (options.stdio && other) throw new UsageError(`--stdio and --${other} exclude each other: stdio has no address.`)
}
