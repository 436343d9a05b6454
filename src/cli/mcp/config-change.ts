import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ChangedConfig, ConfigEditor, ConfigScope } from '../../app/config/config-editor.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import type { Request } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'

/** Where a server is configured. */
export const scopeWords: { readonly [scope in ConfigScope]: string } = {
  everywhere: 'for every folder',
  folder: 'in your own settings',
  project: 'in toolpact.json',
  named: 'in the file after --config',
}

/** Prints which file was changed and whether it is trusted. */
export function printConfigChange(
  { path, scope, isNew, trust }: ChangedConfig,
  { folder }: ConfigEditor,
  { options, terminal }: Request,
): void {
  if (options.json) return
  const trusted = trust === 'trusted' ? ', and trusted it as it is now' : ''
  terminal.log(paint('dim', `${isNew ? 'Created' : 'Changed'} ${path}${trusted}.`))
  if (isNew && scope === 'folder')
    terminal.log(
      paint(
        'dim',
        `These are your own settings for ${folder}. Its toolpact.json stays as it is; --scope project changes it, and --scope everywhere is for every folder.`,
      ),
    )
  if (isNew && scope === 'everywhere')
    terminal.log(
      paint(
        'dim',
        'Its servers are used in every folder. To switch one off in a folder, write "mcpServers": { "NAME": { "disabled": true } } into its toolpact.json.',
      ),
    )
  if (trust === 'untrusted')
    terminal.log([
      paint('yellow', 'Note:'),
      ` ${path} is not trusted, so its servers are not started. To review it: toolpact trust${options.workspace === undefined ? '' : ` ${options.workspace}`}`,
    ])
}

/** Warns about surprises with servers that were added for every folder. */
export async function printEverywhere(
  entries: { readonly [name: string]: JsonObject },
  editor: ConfigEditor,
  { options, terminal }: Request,
): Promise<void> {
  if (options.json || editor.scope !== 'everywhere') return
  const note = (text: string) => terminal.log([paint('yellow', 'Note:'), ` ${printable(text)}`])
  for (const [name, entry] of Object.entries(entries)) {
    const [path] = findRelative(entry, editor.folder)
    if (path !== undefined) note(`${name} runs in whichever folder is open, but ${path} is in this one. Give its full path and --replace.`) // biome-ignore format: one line
  }
  const seen = await openChosenConfig({ options: { ...options, scope: 'project' } }).look()
  const overridden = Object.keys(entries).filter((name) => seen && seen.scopeOf(name) !== 'everywhere')
  if (overridden.length > 0) note(`This folder has its own ${overridden.join(', ')}, which is used here instead. To remove that: toolpact mcp remove ${overridden.join(' ')}`) // biome-ignore format: one line
}

/** Servers that are not offered, since `toolsets` of the config does not name them. */
export async function findNotOffered(names: readonly string[], editor: ConfigEditor): Promise<readonly string[]> {
  const { toolsets } = (await editor.look())?.config ?? {}
  return toolsets ? names.filter((name) => !toolsets.includes(name)) : []
}

/** Says so, with what to write. */
export async function printNotOffered(
  names: readonly string[],
  editor: ConfigEditor,
  { options, terminal }: Request,
): Promise<void> {
  const missing = await findNotOffered(names, editor)
  if (options.json || missing.length === 0) return
  const { toolsets = [] } = (await editor.look())!.config
  const all = JSON.stringify([...toolsets, ...missing]).replaceAll(',', ', ')
  terminal.log([
    paint('yellow', 'Note:'),
    ` ${printable(missing.join(', '))} ${missing.length === 1 ? 'is' : 'are'} not offered: the config lists what is. Write "toolsets": ${printable(all)} into it.`,
  ])
}

/** Relative paths of existing files in the command. */
function findRelative({ command, args, cwd }: JsonObject, folder: string): string[] {
  if (typeof command !== 'string' || cwd !== undefined) return []
  const words = [...(/[\\/]/.test(command) ? [command] : []), ...(Array.isArray(args) ? args : [])]
  return words.filter(
    (word): word is string =>
      typeof word === 'string' && !/^(?:-|\.?\.?$)/.test(word) && !isAbsolute(word) && existsSync(join(folder, word)),
  )
}
