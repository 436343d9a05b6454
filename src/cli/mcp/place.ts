import { type ChangedConfig, type ConfigDesk, openConfigDesk } from '../../config/config-desk.ts'
import { stateDirectory } from '../../storage/state-directory.ts'
import { type Request, UsageError } from '../command.ts'
import { paint } from '../terminal.ts'

/** The config whose servers are meant: that of `--config`, else that of the workspace. */
export function openDesk({ options }: Pick<Request, 'options'>): ConfigDesk {
  if (options['no-config']) throw new UsageError('mcp is about the servers of a config.', 'Leave out --no-config.')
  const { config, workspace } = options
  return openConfigDesk({ config, workspace, stateDirectory: stateDirectory(process.env) })
}

/** Tells where something was written, and whether it holds. */
export function tellChanged(
  { isNew, trust }: ChangedConfig,
  { path }: ConfigDesk,
  { options, terminal }: Request,
): void {
  if (options.json) return
  const trusted = trust === 'trusted' ? ', and trusted it as it is now' : ''
  terminal.tell(paint('dim', `${isNew ? 'Made' : 'Changed'} ${path}${trusted}.`))
  if (trust === 'untrusted')
    terminal.tell([
      paint('yellow', 'Note:'),
      ` ${path} is not trusted, so that its servers are not started. Review it with toolpact trust${options.workspace === undefined ? '' : ` ${options.workspace}`}.`,
    ])
}
