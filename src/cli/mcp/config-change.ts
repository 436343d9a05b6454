import type { ChangedConfig, ConfigEditor, ConfigScope } from '../../app/config/config-editor.ts'
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
