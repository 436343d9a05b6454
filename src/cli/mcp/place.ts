import { join } from 'node:path'
import {
  type ChangedConfig,
  type ConfigEditor,
  type ConfigScope,
  openConfigEditor,
} from '../../app/config/config-editor.ts'
import { stateDirectory } from '../../state/state-directory.ts'
import { type Request, UsageError } from '../options/command.ts'
import { isTracked } from '../options/git-file.ts'
import { paint } from '../terminal/terminal.ts'

/**
 * The config whose servers are meant: that of `--config`, else that of the workspace together with the operator's own
 * settings about it and the servers of every folder. Servers are added to the own settings if git tracks the file of the
 * workspace; --scope overrides that.
 */
export function openDesk({ options }: Pick<Request, 'options'>): ConfigEditor {
  if (options['no-config']) throw new UsageError('mcp is about the servers of a config.', 'Leave out --no-config.')
  const { config, workspace = '.', scope } = options
  if (scope !== undefined && !isScope(scope))
    throw new UsageError(`--scope cannot be '${scope}'.`, `Use --scope ${scopes.join(', ')}.`)
  if (scope !== undefined && config !== undefined) throw new UsageError('Give --config or --scope, not both.')
  const usual = config === undefined && isTracked(join(workspace, 'toolpact.json')) ? 'folder' : 'project'
  return openConfigEditor({ config, workspace, stateDirectory: stateDirectory(process.env), scope: scope ?? usual })
}

/** Where a server is configured. */
export const scopeWords: { readonly [scope in ConfigScope]: string } = {
  everywhere: 'for every folder',
  folder: 'in your own settings',
  project: 'in toolpact.json',
  named: 'in the file after --config',
}

const scopes = ['everywhere', 'folder', 'project'] as const

function isScope(text: string): text is (typeof scopes)[number] {
  return scopes.some((scope) => scope === text)
}

/** Tells where something was written, and whether it holds. */
export function tellChanged(
  { path, scope, isNew, trust }: ChangedConfig,
  { folder }: ConfigEditor,
  { options, terminal }: Request,
): void {
  if (options.json) return
  const trusted = trust === 'trusted' ? ', and trusted it as it is now' : ''
  terminal.tell(paint('dim', `${isNew ? 'Made' : 'Changed'} ${path}${trusted}.`))
  if (isNew && scope === 'folder')
    terminal.tell(
      paint(
        'dim',
        `These are your own settings for ${folder}. Its toolpact.json stays as it is; --scope project changes it, and --scope everywhere is for every folder.`,
      ),
    )
  if (isNew && scope === 'everywhere')
    terminal.tell(
      paint(
        'dim',
        'Its servers are used in every folder. To switch one off in a folder, write "mcpServers": { "NAME": { "disabled": true } } into its toolpact.json.',
      ),
    )
  if (trust === 'untrusted')
    terminal.tell([
      paint('yellow', 'Note:'),
      ` ${path} is not trusted, so that its servers are not started. Review it with toolpact trust${options.workspace === undefined ? '' : ` ${options.workspace}`}.`,
    ])
}
