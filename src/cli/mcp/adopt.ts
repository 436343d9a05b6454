import type { Member } from '../../app/config/config-editor.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { printConfigChange } from './config-change.ts'
import { toUnknownServer } from './remove.ts'
import { approvalWords, type ServerAnswers, toAnswers, toEntryMembers } from './settle-servers.ts'

/** Admits tools without an output schema as quoted data, or attaches a schema to one tool. */
export async function adopt(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const [server, tool, ...more] = words
  if (more.length > 0) throw new UsageError(`mcp adopt takes a server and a tool, but also got '${more[0]}'.`)
  if ((server === undefined) !== (options.all === true))
    throw new UsageError('mcp adopt needs the name of a server, or --all.', 'Run `toolpact mcp list` to see them.')
  const { withoutOutputSchema = 'opaque', approval } = toAnswers(options)
  const editor = openChosenConfig(request)
  const seen = await editor.look()
  const known = seen?.config.mcpServers ?? {}
  const isShared = (name: string) => seen?.scopeOf(name) === 'everywhere'
  if (server !== undefined && !Object.hasOwn(known, server)) throw toUnknownServer(server, Object.keys(known))
  if (server !== undefined && tool !== undefined)
    return (await import('./adopt-tool.ts')).adoptTool({ server, tool }, editor, request)
  if (options.input !== undefined || options.result !== undefined || options.schema !== undefined)
    throw new UsageError('Samples are for one tool.', `Name it: toolpact mcp adopt ${server ?? 'SERVER'} TOOL.`)
  const answers: ServerAnswers = { withoutOutputSchema, ...(approval && { approval }) }
  const members = server === undefined ? toAllMembers(known, answers, isShared) : toEntryMembers(server, answers)
  const changes = (await editor.set(members, readUserName())).filter(({ isChanged }) => isChanged)
  const isChanged = changes.length > 0
  if (options.json)
    terminal.print(printableJson({ servers: server === undefined ? Object.keys(known) : [server], ...answers, changed: isChanged })) // biome-ignore format: one line
  else
    terminal.print([
      paint('green', '✓ '),
      `Tools of ${server ?? 'all servers'} that declare no output schema are ${withoutOutputSchema === 'opaque' ? 'admitted' : 'left out'}${isChanged ? '' : ' already'}${withoutOutputSchema === 'opaque' ? ': models read what they return, as quoted data.' : '.'}`,
      approval ? ` ${approvalWords[approval]}` : '',
    ])
  for (const changed of changes) printConfigChange(changed, editor, request)
  return exitCodes.success
}

/** One setting for this folder. Entries of its servers must not contradict it; servers of every folder keep their own. */
function toAllMembers(
  known: { readonly [server: string]: { readonly withoutOutputSchema?: string | undefined } },
  { withoutOutputSchema, approval }: ServerAnswers,
  isShared: (server: string) => boolean,
): Member[] {
  const names = Object.keys(known)
  const ofServers = names.flatMap((server) =>
    toEntryMembers(server, {
      ...((isShared(server) || known[server]!.withoutOutputSchema !== undefined) && withoutOutputSchema && { withoutOutputSchema }), // biome-ignore format: one line
      ...(approval && { approval }),
    }),
  )
  if (names.length > 0 && names.every(isShared)) return ofServers
  return [{ path: ['withoutOutputSchema'], value: withoutOutputSchema! }, ...ofServers]
}
