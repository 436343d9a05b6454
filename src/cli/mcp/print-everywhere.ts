import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ConfigEditor } from '../../app/config/config-editor.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import type { Request } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'

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

/** Relative paths of existing files in the command. */
function findRelative({ command, args, cwd }: JsonObject, folder: string): string[] {
  if (typeof command !== 'string' || cwd !== undefined) return []
  const words = [...(/[\\/]/.test(command) ? [command] : []), ...(Array.isArray(args) ? args : [])]
  return words.filter(
    (word): word is string =>
      typeof word === 'string' && !/^(?:-|\.?\.?$)/.test(word) && !isAbsolute(word) && existsSync(join(folder, word)),
  )
}
