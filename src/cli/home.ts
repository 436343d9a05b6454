import { openConfigEditor } from '../app/config/config-editor.ts'
import { readVersion } from '../contract/package-version.ts'
import { printable } from '../contract/text/printable.ts'
import { shortenMiddle } from '../contract/text/shorten.ts'
import { toCount } from '../runtime/approval/text/rows.ts'
import { stateDirectory } from '../state/state-directory.ts'
import { countOffered, type OfferedCounts, toCountWords } from '../surfaces/offered-counts.ts'
import { commandCaller, type Options, type Request } from './options/command.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { type Part, paint } from './terminal/terminal.ts'

/** What `toolpact` alone prints at a terminal: what there is in this folder, and what to do next. Starts no server. */
export async function printHome({ options, terminal, open }: Omit<Request, 'positionals'>): Promise<number> {
  const servers = await readServers(options)
  const here = await look(open)
  const { columns: width } = terminal
  const facts: Part[][] = [
    ['  Tools', toToolText(here)],
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

async function readServers(options: Options): Promise<Server[]> {
  const { config, workspace = '.', 'no-config': noConfig } = options
  const editor = openConfigEditor({ config, workspace, stateDirectory: stateDirectory(process.env), scope: 'project' })
  const seen = noConfig ? undefined : await editor.look()
  return Object.entries(seen?.config.mcpServers ?? {}).map(([name, { disabled }]): Server => ({
    name,
    state: disabled ? 'disabled' : seen!.isTrusted(name) ? 'configured' : 'not trusted',
  })) // biome-ignore format: one line
}

interface Here {
  readonly workspace: string
  readonly offered: OfferedCounts
  /** Servers that `toolpact serve` would start, and whose tools are not known yet. */
  readonly unknown: readonly string[]
  readonly pending: number
  /** The address of a running server. */
  readonly console: string | undefined
}

/** Counts what `toolpact serve` offers. Of servers, the tools that are known from the lock or an earlier run. */
async function look(open: Request['open']): Promise<Here> {
  const toolpact = await open({ access: 'read', start: 'never', offer: 'chosen' })
  try {
    const [tools, offers, questions, console] = await Promise.all([
      toolpact.catalog.all(commandCaller),
      toolpact.catalog.offers(commandCaller),
      toolpact.approvals.questions(Date.now()),
      toolpact.consoleAddress.find(),
    ])
    const pending = questions.filter(({ state }) => state === 'pending').length
    const offered = countOffered([...tools, ...offers].map(({ tool }) => tool))
    const unknown = toolpact.upstreams.look().filter(({ isRecalled, wasListed }) => !isRecalled && !wasListed)
    return {
      workspace: toolpact.workspace,
      offered,
      unknown: unknown.map(({ name }) => name),
      pending,
      console,
    }
  } finally {
    await toolpact.close()
  }
}

function toToolText({ offered, unknown }: Here): string {
  const known = toCountWords(offered)
  const hasAny = offered.tools + offered.prompts + offered.resources > 0
  const text = [...(hasAny || unknown.length === 0 ? [known] : []), ...(unknown.length > 0 ? [`those of ${toNames(unknown)}`] : [])] // biome-ignore format: one line
  return `${text.join(' and ')} to serve; every tool: \`toolpact list\``
}

const maxNames = 4

function toNames(names: readonly string[]): string {
  const more = names.length - maxNames
  return `${printable(names.slice(0, maxNames).join(', '))}${more > 0 ? ` and ${more} more` : ''}`
}

function toServerText(servers: readonly Server[]): Part {
  if (servers.length === 0) return 'none: `toolpact mcp import` finds those of your clients'
  const text = toNames(servers.map(({ name, state }) => (state === 'configured' ? name : `${name} (${state})`)))
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
