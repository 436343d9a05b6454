import { isGranted } from '../../app/isolation/is-granted.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { foldName } from '../../host/admission/fold-name.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { printLargeList, toMcpTools } from '../terminal/large-list.ts'
import { paint } from '../terminal/terminal.ts'
import { untilAborted } from '../terminal/until-aborted.ts'
import { waitForServers } from '../terminal/wait-for-servers.ts'
import { readAttempts } from './isolation-lines.ts'
import { toUnknownServer } from './remove.ts'
import { countQuestions, toStatusJson, toStatusLines, toStatusTable, withoutAcceptedFlags } from './status-report.ts'

/** Connects to the servers and shows their state: all in a table, or one in detail. */
export async function inspectServers(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal, open } = request
  const [name, ...more] = words
  if (more.length > 0) throw new UsageError(`mcp inspect takes one name, but also got '${more[0]}'.`)
  const { names, toolsets, folder } = await findNames(request, name)
  if (names.length === 0) {
    if (options.json) terminal.print(printableJson([]))
    else terminal.log('No servers are configured. See `toolpact mcp add --help`.')
    return exitCodes.success
  }
  if (!options.json) terminal.log(paint('dim', `Connecting to ${names.join(', ')} …`))
  const toolpact = await open({ ...(toolsets && { toolsets }) })
  try {
    const all = (await waitForServers(toolpact, terminal)).filter(
      (status) => name === undefined || status.name === name,
    )
    const times = await untilAborted(toolpact.upstreams.measure(), terminal.signal)
    const [questions, attempts] = await Promise.all([countQuestions(toolpact.ledger), readAttempts(toolpact.ledger)])
    const measured = all.map((status) => ({
      ...status,
      answersInMs: times.get(status.name),
      questions: questions.get(status.name),
      attempts: attempts.get(status.name)?.filter((attempt) => !isGranted(toolpact.config.mcpServers?.[status.name] ?? {}, attempt, folder)), // biome-ignore format: one line
    }))
    const statuses = options.all ? measured : measured.map(withoutAcceptedFlags)
    if (options.json) terminal.print(printableJson(statuses.map(toStatusJson)))
    else if (name === undefined) terminal.print(...toStatusTable(statuses, terminal.columns))
    else terminal.print(...statuses.flatMap((status) => toStatusLines(status, terminal.columns)))
    if (!options.json && name === undefined && toolpact.config.catalogue === undefined)
      printLargeList(toMcpTools(await toolpact.catalog.all()), terminal)
    return statuses.some(({ state }) => state === 'failed') ? exitCodes.failed : exitCodes.success
  } finally {
    await toolpact.close()
  }
}

interface Inspected {
  /** The servers that will be started. */
  readonly names: readonly string[]
  /** Default: those of the config. */
  readonly toolsets?: readonly string[]
  /** Of the config. */
  readonly folder: string
}

async function findNames(request: Request, name: string | undefined): Promise<Inspected> {
  const editor = openChosenConfig(request)
  const seen = await editor.look()
  const servers = seen?.config.mcpServers ?? {}
  if (name !== undefined && !Object.hasOwn(servers, name)) throw toUnknownServer(name, Object.keys(servers))
  if (name !== undefined && servers[name]!.disabled)
    throw new UsageError(`The server ${name} is disabled.`, 'Remove "disabled" from its entry in the config.')
  const enabled = Object.keys(servers).filter((server) => !servers[server]!.disabled)
  const names = enabled.filter((server) => seen!.isTrusted(server))
  if (name === undefined ? names.length < enabled.length && names.length === 0 : !names.includes(name))
    throw new UsageError(`The toolpact.json of ${editor.folder} is not trusted, so that no server of it is started.`, 'Review it with toolpact trust.') // biome-ignore format: one line
  const { folder } = editor
  if (name === undefined) return { names, folder }
  // Keep the other names, so that look-alikes are detected.
  const { toolsets = editor.reserved } = seen!.config
  const started = names.filter((server) => canCollide(server, name))
  return {
    names: started,
    folder,
    toolsets: [...toolsets.filter((toolset) => editor.reserved.includes(toolset)), ...started],
  }
}

/** Whether full names of two servers can collide, such as `a.b_c` and `a_b.c`. */
function canCollide(server: string, other: string): boolean {
  const [one, two] = [foldName(server), foldName(other)]
  return one.startsWith(two) || two.startsWith(one)
}
