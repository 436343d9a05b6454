import type { ChangedConfig } from '../../app/config/config-editor.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { removeMember } from '../../state/edit-json.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { printConfigChange, scopeWords } from './config-change.ts'

/** Removes servers from the config. */
export async function removeServers(request: Request, names: readonly string[]): Promise<number> {
  const { options, terminal } = request
  if (names.length === 0)
    throw new UsageError('mcp remove needs the name of a server.', 'Run `toolpact mcp list` to see them.')
  const editor = openChosenConfig(request)
  const known = Object.keys((await editor.look())?.config.mcpServers ?? {})
  for (const name of names) if (!known.includes(name)) throw toUnknownServer(name, known)
  const changes = new Map<string, ChangedConfig>()
  const scopeOf = (await editor.look())?.scopeOf
  for (const name of names) {
    const where = scopeOf?.(name) === 'everywhere' ? ' from every folder' : ''
    const changed = await editor.change((text) => removeMember(text, ['mcpServers', name]), readUserName(), name)
    changes.set(changed.path, changed)
    if (!options.json) terminal.print([paint('green', '✓ '), `Removed ${name}${where}.`])
  }
  const [first] = changes.values()
  if (options.json) terminal.print(printableJson({ removed: names, config: first!.path, trust: first!.trust }))
  for (const changed of changes.values()) printConfigChange(changed, editor, request)
  const left = await openChosenConfig({ options: { ...options, scope: undefined } }).look()
  for (const name of names)
    if (!options.json && Object.hasOwn(left?.config.mcpServers ?? {}, name))
      terminal.log([
        paint('yellow', 'Note:'),
        ` ${name} is still configured ${scopeWords[left!.scopeOf(name)]}. To remove that too: toolpact mcp remove ${name}`,
      ])
  return exitCodes.success
}

export function toUnknownServer(name: string, known: readonly string[]): UsageError {
  const close = nearest(name, known)
  return new UsageError(
    `There is no server '${name}'.`,
    close ? `Did you mean ${close}?` : 'Run `toolpact mcp list` to see them.',
  )
}
