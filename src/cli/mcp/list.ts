import type { ConfigEditor } from '../../app/config/config-editor.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { textOf } from '../../runtime/approval/text/wrap.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'
import { scopeWords } from './config-change.ts'
import { describeServer, toTransport } from './describe-server.ts'

/** Lists the configured servers without starting them. */
export async function listServers(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  if (words.length > 0) throw new UsageError(`mcp list takes no name, and got '${words[0]}'.`, `Did you mean toolpact mcp inspect ${words[0]}?`) // biome-ignore format: one line
  const editor = openChosenConfig(request)
  const seen = await editor.look()
  const servers = toServers(seen)
  if (options.json) terminal.print(printableJson(servers))
  else if (servers.length === 0)
    terminal.log(`No servers are configured${seen ? ` in ${editor.path}` : ''}. See \`toolpact mcp add --help\`.`) // biome-ignore format: one line
  else terminal.print(...toRows(servers, terminal.columns))
  const waiting = servers.filter(({ state }) => state === 'untrusted').map(({ name }) => name)
  if (waiting.length > 0) terminal.log([paint('yellow', 'Note:'), ` ${editor.folder} has a toolpact.json that is not trusted, so these are not started: ${waiting.join(', ')}. Review it with toolpact trust.`]) // biome-ignore format: one line
  return exitCodes.success
}

type Server = ReturnType<typeof toServers>[number]

function toRows(servers: readonly Server[], width: number | undefined): Line[] {
  const rows = servers.map(toRow)
  if (width === undefined) return toColumns(rows)
  // How a server is reached can be long, so it comes last.
  return toColumns(
    rows.map(([name = '', state = '', transport = '', reached = '', scope = '', notes = '']) => {
      const more = textOf(notes) === '' ? '' : ` (${textOf(notes)})`
      return [name, state, transport, scope, `${textOf(reached)}${more}`]
    }),
    { width, drop: [2, 3] },
  )
}

function toRow({ name, transport, reached, scope, state, ...settings }: Server): Part[] {
  const { withoutOutputSchema, approval, tools, exclude } = settings
  const notes = [
    withoutOutputSchema === 'opaque' && 'quotes what has no output schema',
    approval === 'ask' && 'always asks',
    approval === 'never' && 'never asks',
    tools && `${toCount(tools.length, 'tool')} only`,
    exclude && `${exclude.length} excluded`,
  ]
  return [
    paint('bold', name),
    paint(colours[state], stateWords[state]),
    transport ?? '',
    reached,
    paint('dim', scopeWords[scope]),
    notes.filter((note) => note).join(', '),
  ]
}

const stateWords = { configured: 'configured', disabled: 'disabled', untrusted: 'not trusted' } as const
const colours = { configured: 'green', disabled: 'dim', untrusted: 'red' } as const

function toServers(seen: Awaited<ReturnType<ConfigEditor['look']>>) {
  return Object.entries(seen?.config.mcpServers ?? {}).map(([name, server]) => {
    const { disabled = false, start, withoutOutputSchema, approval, tools, exclude } = server
    return {
      name,
      // An entry that only disables a server of every folder has neither.
      transport: (server.command ?? server.url) ? toTransport(server) : undefined,
      reached: describeServer(server),
      scope: seen!.scopeOf(name),
      state: disabled
        ? ('disabled' as const)
        : seen!.isTrusted(name)
          ? ('configured' as const)
          : ('untrusted' as const),
      start,
      withoutOutputSchema,
      approval,
      tools,
      exclude,
    }
  })
}
