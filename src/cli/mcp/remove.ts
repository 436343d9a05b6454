import { nearest } from '../../contract/nearest.ts'
import { printableJson } from '../../contract/printable.ts'
import { removeMember } from '../../storage/edit-json.ts'
import { type Request, UsageError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { paint } from '../terminal.ts'
import { readUserName } from '../user-name.ts'
import { openDesk, tellChanged } from './place.ts'

/** Takes servers out of the config. */
export async function removeServers(request: Request, names: readonly string[]): Promise<number> {
  const { options, terminal } = request
  if (names.length === 0)
    throw new UsageError('mcp remove needs the name of a server.', 'toolpact mcp list shows them.')
  const desk = openDesk(request)
  const known = Object.keys((await desk.look())?.config.mcpServers ?? {})
  for (const name of names) if (!known.includes(name)) throw toUnknownServer(name, known)
  const remove = (text: string) => names.reduce((left, name) => removeMember(left, ['mcpServers', name]), text)
  const changed = await desk.change(remove, readUserName())
  if (options.json) terminal.print(printableJson({ removed: names, config: desk.path, trust: changed.trust }))
  else terminal.print(...names.map((name) => [paint('green', '✓ '), `Removed ${name}.`]))
  tellChanged(changed, desk, request)
  return exitCodes.success
}

export function toUnknownServer(name: string, known: readonly string[]): UsageError {
  const close = nearest(name, known)
  return new UsageError(
    `There is no server '${name}'.`,
    close ? `Did you mean ${close}?` : 'toolpact mcp list shows them.',
  )
}
