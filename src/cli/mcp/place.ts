import { join } from 'node:path'
import { type ChangedConfig, type ConfigDesk, openConfigDesk } from '../../config/config-desk.ts'
import { stateDirectory } from '../../storage/state-directory.ts'
import { type Request, UsageError } from '../command.ts'
import { isTracked } from '../git-file.ts'
import { paint } from '../terminal.ts'

/**
 * The config whose servers are meant: that of `--config`, else that of the workspace together with the operator's own
 * settings about it. Servers are added to the latter if git tracks the file of the workspace; --scope overrides that.
 */
export function openDesk({ options }: Pick<Request, 'options'>): ConfigDesk {
  if (options['no-config']) throw new UsageError('mcp is about the servers of a config.', 'Leave out --no-config.')
  const { config, workspace = '.', scope } = options
  if (scope !== undefined && scope !== 'project' && scope !== 'user')
    throw new UsageError(`--scope cannot be '${scope}'.`, 'Use --scope user or --scope project.')
  if (scope !== undefined && config !== undefined) throw new UsageError('Give --config or --scope, not both.')
  const isOwn = scope === 'user' || (scope === undefined && isTracked(join(workspace, 'toolpact.json')))
  const addToOwn = config === undefined && isOwn
  return openConfigDesk({ config, workspace, stateDirectory: stateDirectory(process.env), addToOwn })
}

/** Tells where something was written, and whether it holds. */
export function tellChanged(
  { path, isNew, trust }: ChangedConfig,
  { folder }: ConfigDesk,
  { options, terminal }: Request,
): void {
  if (options.json) return
  const trusted = trust === 'trusted' ? ', and trusted it as it is now' : ''
  terminal.tell(paint('dim', `${isNew ? 'Made' : 'Changed'} ${path}${trusted}.`))
  if (trust === 'own' && isNew)
    terminal.tell(
      paint(
        'dim',
        `These are your own settings for ${folder}. Its toolpact.json stays as it is; --scope project changes it.`,
      ),
    )
  if (trust === 'untrusted')
    terminal.tell([
      paint('yellow', 'Note:'),
      ` ${path} is not trusted, so that its servers are not started. Review it with toolpact trust${options.workspace === undefined ? '' : ` ${options.workspace}`}.`,
    ])
}
