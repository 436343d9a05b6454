import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ConfigEditor, openConfigEditor } from '../../app/config/config-editor.ts'
import { stateDirectory } from '../../state/state-directory.ts'
import { type Request, UsageError } from './command.ts'

/**
 * Opens the config that the options choose, to read and edit it: the file after `--config`, otherwise the workspace's
 * config merged with the user's own settings for the workspace and the servers of every folder. If git tracks the workspace's
 * file, servers are added to the user's own settings, unless `--scope` says otherwise.
 */
export function openChosenConfig({ options }: Pick<Request, 'options'>): ConfigEditor {
  if (options['no-config']) throw new UsageError('mcp is about the servers of a config.', 'Leave out --no-config.')
  const { config, workspace = '.', scope, tenant } = options
  if (tenant !== undefined) throw new UsageError('The servers of a tenant are in the config in its folder.', `Use --config tenants/${tenant}/toolpact.json instead of --tenant.`) // biome-ignore format: one line
  if (scope !== undefined && !isScope(scope))
    throw new UsageError(`--scope cannot be '${scope}'.`, `Use --scope ${scopes.join(', ')}.`)
  if (scope !== undefined && config !== undefined) throw new UsageError('Give --config or --scope, not both.')
  const usual = config === undefined && isTracked(join(workspace, 'toolpact.json')) ? 'folder' : 'project'
  return openConfigEditor({ config, workspace, stateDirectory: stateDirectory(process.env), scope: scope ?? usual })
}

const scopes = ['everywhere', 'folder', 'project'] as const

function isScope(text: string): text is (typeof scopes)[number] {
  return scopes.some((scope) => scope === text)
}

/** If git fails, a file in a repository counts as tracked. */
function isTracked(path: string): boolean {
  if (!existsSync(path)) return false
  const folder = realpathSync(dirname(path))
  if (!isInRepository(folder)) return false
  // Without this, the repository's own git config could run a program.
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '--error-unmatch', '--', basename(path)]
  return spawnSync('git', args, { cwd: folder, stdio: 'ignore', timeout: 10_000 }).status !== 1
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return folder !== dirname(folder) && isInRepository(dirname(folder))
}
