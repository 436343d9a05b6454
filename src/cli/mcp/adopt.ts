import { printableJson } from '../../contract/printable.ts'
import { type Request, UsageError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { paint } from '../terminal.ts'
import { openDesk, tellChanged } from './place.ts'
import { toUnknownServer } from './remove.ts'
import { record } from './settle-servers.ts'

/** Admits tools that declare no output: all of a server as quoted data, or one with a schema of its own. */
export async function adopt(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const [server, tool, ...more] = words
  if (server === undefined)
    throw new UsageError('mcp adopt needs the name of a server.', 'toolpact mcp list shows them.')
  if (more.length > 0) throw new UsageError(`mcp adopt takes a server and a tool, and got '${more[0]}' too.`)
  const desk = openDesk(request)
  const known = (await desk.look())?.config.mcpServers ?? {}
  if (!Object.hasOwn(known, server)) throw toUnknownServer(server, Object.keys(known))
  if (tool !== undefined) return (await import('./adopt-tool.ts')).adoptTool({ server, tool }, desk, request)
  if (options.input !== undefined || options.result !== undefined || options.schema !== undefined)
    throw new UsageError('Samples are for one tool.', `Name it: toolpact mcp adopt ${server} TOOL.`)
  const isNew = known[server]!.withoutOutputSchema !== 'opaque'
  const changed = await record(server, { withoutOutputSchema: 'opaque' }, desk)
  if (options.json) terminal.print(printableJson({ server, withoutOutputSchema: 'opaque', changed: isNew }))
  else
    terminal.print([
      paint('green', '✓ '),
      `Tools of ${server} that declare no output schema are admitted${isNew ? '' : ' already'}: what they return is quoted data.`,
    ])
  if (isNew && changed) tellChanged(changed, desk, request)
  return exitCodes.success
}
