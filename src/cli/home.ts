import { openConfigEditor } from '../app/config/config-editor.ts'
import { readVersion } from '../contract/package-version.ts'
import { printable } from '../contract/text/printable.ts'
import { shortenMiddle } from '../contract/text/shorten.ts'
import { toCount } from '../runtime/approval/text/rows.ts'
import { stateDirectory } from '../state/state-directory.ts'
import { commandCaller, type Options, type Request } from './options/command.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { type Part, paint } from './terminal/terminal.ts'

/** What `toolpact` alone prints at a terminal: what there is in this folder, and what to do next. Starts no server. */
export async function printHome({ options, terminal, open }: Omit<Request, 'positionals'>): Promise<number> {
  const { servers, toolsets } = await readConfig(options)
  const here = await look(toolsets, open)
  const { columns: width } = terminal
  const facts: Part[][] = [
    ['  Tools', `${here.tools}${servers.length > 0 ? ', and those of the servers' : ''}: \`toolpact list\``],
    ['  Servers', toServerText(servers)],
    ['  Questions', here.pending === 0 ? 'none pending' : paint('yellow', `${toCount(here.pending, 'call')} waiting for your answer: \`toolpact approvals\``)], // biome-ignore format: one line
    ['  Console', here.console === undefined ? 'not running: `toolpact serve` starts it' : `${here.console}/console: \`toolpact open\``], // biome-ignore format: one line
  ]
  const place = shortenMiddle(printable(here.workspace), { start: 20, end: 35, gap: () => '…' })
  terminal.print(
    [paint('bold', `Toolpact ${readVersion()}`), ` in ${place}`],
    ...toColumns(facts, { width }),
    '',
    ...toColumns(toNext(servers, here).map(([command, what]) => [`  ${command}`, paint('dim', what)]), { width }), // biome-ignore format: one line
  )
  return exitCodes.success
}

interface Server {
  readonly name: string
  readonly state: 'configured' | 'disabled' | 'not trusted'
}

/** The servers of the config, and the toolsets that are used beside them. */
async function readConfig(options: Options): Promise<{ servers: Server[]; toolsets: readonly string[] }> {
  const { config, workspace = '.', 'no-config': noConfig } = options
  const editor = openConfigEditor({ config, workspace, stateDirectory: stateDirectory(process.env), scope: 'project' })
  const seen = noConfig ? undefined : await editor.look()
  const servers = Object.entries(seen?.config.mcpServers ?? {}).map(([name, { disabled }]): Server => ({
    name,
    state: disabled ? 'disabled' : seen!.isTrusted(name) ? 'configured' : 'not trusted',
  })) // biome-ignore format: one line
  const toolsets = (seen?.config.toolsets ?? editor.reserved).filter((name) => editor.reserved.includes(name))
  return { servers, toolsets }
}

interface Here {
  readonly workspace: string
  readonly tools: number
  readonly pending: number
  /** The address of a running server. */
  readonly console: string | undefined
}

/** Leaves the servers out: to list their tools they would have to be started. */
async function look(toolsets: readonly string[], open: Request['open']): Promise<Here> {
  const toolpact = await open({ access: 'read', start: 'held', ...(toolsets.length > 0 && { toolsets }) })
  try {
    const [tools, questions, console] = await Promise.all([
      // Only servers were chosen: without them there is nothing to list.
      toolsets.length > 0 ? toolpact.catalog.all(commandCaller) : [],
      toolpact.approvals.questions(Date.now()),
      toolpact.consoleAddress.find(),
    ])
    const pending = questions.filter(({ state }) => state === 'pending').length
    return { workspace: toolpact.workspace, tools: tools.length, pending, console }
  } finally {
    await toolpact.close()
  }
}

const maxNames = 4

function toServerText(servers: readonly Server[]): Part {
  if (servers.length === 0) return 'none: `toolpact mcp import` finds those of your clients'
  const shown = servers.slice(0, maxNames).map(({ name, state }) => (state === 'configured' ? name : `${name} (${state})`)) // biome-ignore format: one line
  const more = servers.length - shown.length
  const text = `${printable(shown.join(', '))}${more > 0 ? ` and ${more} more` : ''}`
  const isOpen = servers.some(({ state }) => state === 'not trusted')
  return isOpen ? paint('yellow', `${text}: review with \`toolpact trust\``) : `${text}: \`toolpact mcp inspect\``
}

/** At most three commands, those first that something waits for. */
function toNext(servers: readonly Server[], { pending, console }: Here): (readonly [string, string])[] {
  const next: (readonly [string, string])[] = [
    ...(pending > 0 ? [['toolpact approvals', 'answer the pending questions'] as const] : []),
    ...(servers.length === 0 ? [['toolpact mcp import', 'use the servers of other clients here'] as const] : []),
    ['toolpact connect', 'let your agent or editor use the tools'],
    ...(console === undefined ? [] : [['toolpact ledger', 'what was called, and how it ended'] as const]),
    ['toolpact call learning.hello name=Ada', 'call a tool'],
  ]
  return [...next.slice(0, 2), ['toolpact help', 'every command']]
}
