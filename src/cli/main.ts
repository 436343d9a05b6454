import { openTenant, openToolpact, type Toolpact, type ToolpactOptions } from '../app/app.ts'
import type { TenantPool } from '../app/tenants/open-tenants.ts'
import { nearest } from '../contract/text/nearest.ts'
import { printable } from '../contract/text/printable.ts'
import { call } from './call.ts'
import { list } from './list.ts'
import { type Command, type Options, UsageError } from './options/command.ts'
import { findAction, parseOptions, refuseOthers, splitCommandLine, toOptionTable } from './options/command-line.ts'
import { toSettings } from './options/option-values.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { listenForInterrupts } from './terminal/interrupts.ts'
import { createTerminal, paint, type Terminal } from './terminal/terminal.ts'

interface CommandEntry {
  readonly group: 'Use' | 'Look' | 'Decide' | 'Connect' | 'Keep in sync' | 'Make' | 'Set up'
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Subcommands, loaded on use; `call` and `list` are bundled with this file. Adding one takes its file and an entry here. */
export const commands: { readonly [name: string]: CommandEntry } = {
  call: { group: 'Use', summary: 'call a tool', load: async () => call },
  ask: {
    group: 'Use',
    summary: 'let a model answer a question with one tool call',
    load: async () => (await import('./ask/ask.ts')).ask,
  },
  chat: {
    group: 'Use',
    summary: 'chat with a model that calls the tools',
    load: async () => (await import('./chat/chat.ts')).chat,
  },
  run: { group: 'Use', summary: 'run a workflow', load: async () => (await import('./run/run.ts')).run },
  serve: { group: 'Use', summary: 'serve the tools', load: async () => (await import('./serve/serve.ts')).serve },
  open: {
    group: 'Use',
    summary: 'open the console of a running server',
    load: async () => (await import('./open.ts')).open,
  },
  list: { group: 'Look', summary: 'list the tools', load: async () => list },
  show: { group: 'Look', summary: "show a tool's contract", load: async () => (await import('./show/show.ts')).show },
  ledger: {
    group: 'Look',
    summary: 'show and verify the call ledger',
    load: async () => (await import('./ledger/ledger.ts')).ledger,
  },
  verify: {
    group: 'Look',
    summary: 'verify the ledger, a proof, a checkpoint or an archive',
    load: async () => (await import('./verify.ts')).verify,
  },
  runs: {
    group: 'Look',
    summary: 'list, show, cancel, resume and retry runs of workflows',
    load: async () => (await import('./runs/runs.ts')).runs,
  },
  sessions: {
    group: 'Look',
    summary: 'list, show and remove chat sessions',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  replay: {
    group: 'Look',
    summary: 'rerun the plan of a question without a model',
    load: async () => (await import('./replay.ts')).replay,
  },
  rules: {
    group: 'Decide',
    summary: 'add, list, test and revoke approval rules',
    load: async () => (await import('./rules/rules.ts')).rules,
  },
  approvals: {
    group: 'Decide',
    summary: 'approve or deny pending calls',
    load: async () => (await import('./approvals.ts')).approvals,
  },
  trust: {
    group: 'Decide',
    summary: 'review and trust the toolpact.json of a workspace',
    load: async () => (await import('./trust/trust.ts')).trust,
  },
  token: {
    group: 'Decide',
    summary: 'show, create and rotate tokens of HTTP callers',
    load: async () => (await import('./token.ts')).token,
  },
  'sign-ins': {
    group: 'Decide',
    summary: 'list and end sessions of people in the console',
    load: async () => (await import('./sign-ins.ts')).signIns,
  },
  connections: {
    group: 'Decide',
    summary: 'log in to MCP servers that require it',
    load: async () => (await import('./connections/connections.ts')).connections,
  },
  mcp: {
    group: 'Connect',
    summary: 'add, import, inspect and remove MCP servers',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  connect: {
    group: 'Connect',
    summary: 'let a client such as Codex, Claude or Cursor use the tools',
    load: async () => (await import('./connect/connect.ts')).connect,
  },
  disconnect: {
    group: 'Connect',
    summary: 'undo connect',
    load: async () => (await import('./disconnect.ts')).disconnect,
  },
  export: {
    group: 'Keep in sync',
    summary: 'export contracts to other formats',
    load: async () => (await import('./export/export.ts')).exportContracts,
  },
  check: {
    group: 'Keep in sync',
    summary: 'check the config, the contracts and the generated files',
    load: async () => (await import('./check/check.ts')).check,
  },
  diff: {
    group: 'Keep in sync',
    summary: 'show changes between two sets of contracts',
    load: async () => (await import('./diff/diff.ts')).diff,
  },
  lock: {
    group: 'Keep in sync',
    summary: 'pin tools of MCP servers and accept changes',
    load: async () => (await import('./lock/lock.ts')).lock,
  },
  new: {
    group: 'Make',
    summary: 'create a tool, or a workflow of tools',
    load: async () => (await import('./new/new.ts')).newTool,
  },
  contracts: {
    group: 'Make',
    summary: 'import contracts from a Markdown document',
    load: async () => (await import('./contracts/contracts.ts')).contracts,
  },
  test: {
    group: 'Make',
    summary: 'test tools against their contracts',
    load: async () => (await import('./test/test.ts')).test,
  },
  completion: {
    group: 'Set up',
    summary: 'print a shell completion script',
    load: async () => (await import('./completion.ts')).completion,
  },
}

/** Runs one command and exits. `defaults` lets a program add its own toolsets. */
export async function main(args: readonly string[], defaults: ToolpactOptions = {}): Promise<never> {
  const interrupts = listenForInterrupts()
  const terminal = createTerminal(interrupts)
  let code: number
  try {
    code = await run(args, terminal, defaults)
  } catch (cause) {
    code = interrupts.signal.aborted ? exitCodes.failed : await printFailure(cause, terminal, args)
  }
  await terminal.flush()
  // Exit explicitly: a tool that ignored its abort signal would keep the process alive.
  process.exit(interrupts.exitCode() ?? code)
}

async function run(
  args: readonly string[],
  terminal: ReturnType<typeof createTerminal>,
  defaults: ToolpactOptions,
): Promise<number> {
  const line = splitCommandLine(args)
  const asked = line.name === 'help'
  const { name, rest } = asked ? splitCommandLine(line.rest) : line
  if (name === undefined) {
    const { options } = parseOptions(rest, {})
    if (!asked && !options.help && process.stdout.isTTY)
      return (await import('./home.ts')).printHome({
        options,
        terminal,
        open: (more) => open(options, { ...defaults, ...more }),
      })
    await terminal.configure({ pages: !options['no-pager'] })
    return (await import('./help.ts')).printHelp(terminal, commands)
  }
  if (asked && name === 'options') return (await import('./help.ts')).printOptionsHelp(terminal)
  if (!Object.hasOwn(commands, name)) throw toUnknownCommand(name)
  const command = await commands[name]!.load()
  const { positionals, options } = parseOptions(rest, toOptionTable(command))
  const isHelp = asked || options.help
  const pages = !options['no-pager'] && (isHelp || (command.pages?.(positionals, options) ?? false))
  await terminal.configure({ json: options.json, pages })
  if (isHelp) return (await import('./help.ts')).printCommandHelp(terminal, name, { command, words: positionals })
  refuseOthers(name, command, positionals, options)
  const openNoted = async (more?: ToolpactOptions, pool?: TenantPool) => {
    const of = pool ? ` ${more?.tenant}:` : ''
    const onStorage = (message: string) => terminal.log([paint('yellow', 'Storage:'), `${of} ${printable(message)}`])
    const report = (message: string) => terminal.log([paint('yellow', 'Telemetry:'), `${of} ${printable(message)}`])
    const telemetry = { report, ...toCollector(process.env), ...defaults.telemetry, ...more?.telemetry }
    const toolpact = await open(options, { onStorage, ...defaults, ...more, telemetry }, pool)
    for (const notice of toolpact.notices) terminal.logOnce([paint('yellow', 'Note:'), `${of} ${printable(notice)}`])
    if (options['allow-sending'] && toolpact.config.policy?.dataFlow === 'ask')
      terminal.logOnce([
        paint('yellow', 'Note:'),
        ' --allow-sending has no effect: the config sets policy.dataFlow to ask.',
      ])
    return toolpact
  }
  return command.run({ positionals, options, terminal, open: openNoted })
}

function toUnknownCommand(name: string): UsageError {
  const close = nearest(name, Object.keys(commands))
  return new UsageError(`There is no command '${name}'.`, close && `Did you mean toolpact ${close}?`)
}

async function open(options: Options, more: ToolpactOptions, pool?: TenantPool): Promise<Toolpact> {
  const { workspace, config, toolset, contracts, ask, 'no-config': noConfig, tenant = more.tenant } = options
  const { 'read-only': readOnly = false, 'single-step': singleStep = false } = options
  if (workspace !== undefined) await requireFolder(workspace)
  if (ask !== undefined && ask !== 'all') throw new UsageError(`--ask cannot be '${ask}'.`, 'Use --ask all.')
  if (noConfig && config !== undefined) throw new UsageError('Give --config or --no-config, not both.')
  const all = {
    discover: !noConfig,
    ...(contracts && { contracts }),
    ...more,
    ...(workspace !== undefined && { workspace }),
    ...(config !== undefined && { config }),
    ...(tenant !== undefined && { tenant }),
    ...(toolset && { toolsets: toolset }),
    ...(options.set && { settings: toSettings(options.set, more.settings) }),
    ...((ask || readOnly || singleStep) && { policy: { askAll: ask === 'all', readOnly, singleStep } }),
  }
  return pool && tenant !== undefined ? openTenant({ ...all, tenant }, pool) : openToolpact(all)
}

/** As OpenTelemetry's variables specify, where one names a collector. */
function toCollector(environment: NodeJS.ProcessEnv): ToolpactOptions['telemetry'] {
  const names = ['', 'TRACES_', 'METRICS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`)
  return names.some((name) => environment[name]) ? { via: 'otlp' } : {}
}

async function requireFolder(path: string) {
  const { statSync } = await import('node:fs')
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  if (!isFolder) throw new UsageError(`The workspace ${path} is not a folder.`, 'Check the path after --workspace.')
}

async function printFailure(cause: unknown, terminal: Terminal, args: readonly string[]): Promise<number> {
  const { printError } = await import('./terminal/print-error.ts')
  const { name, rest } = splitCommandLine(args)
  const command = name !== undefined && Object.hasOwn(commands, name) ? await commands[name]!.load() : undefined
  const action = command && findAction(command, rest)
  const words = ['toolpact', ...(command ? [name!] : []), ...(action ? [action] : []), '--help']
  return printError(cause, terminal, { debug: args.includes('--debug'), help: words.join(' ') })
}
