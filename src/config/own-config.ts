import { basename, join } from 'node:path'
import type { Config } from './config.ts'

/**
 * What the operator keeps about one workspace outside of it, in the state directory: there it needs no trust, and a file
 * that is under version control stays as it is.
 */
export function toOwnConfigPath(stateDirectory: string, workspace: string): string {
  const { hash } = process.getBuiltinModule('node:crypto')
  const name = basename(workspace).replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 40) // biome-ignore format: one line
  return join(stateDirectory, 'workspaces', `${name}-${hash('sha256', workspace).slice(0, 16)}.json`)
}

/** The operator's own config of a workspace; undefined where there is none. Its relative paths start in the workspace. */
export async function readOwnConfig(path: string, workspace: string): Promise<Config | undefined> {
  const { lstatSync } = process.getBuiltinModule('node:fs')
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
  const [{ readPrivateFile }, { parseConfig }] = await Promise.all([
    import('../storage/private-file.ts'),
    import('./config.ts'),
  ])
  const bytes = readPrivateFile(path)
  return bytes && (await parseConfig(bytes, path, workspace)).config
}

/** The operator's own settings override those of the workspace; servers, limits and callers do so one by one. */
export function mergeOwn(config: Config, own: Config | undefined): Config {
  if (!own) return config
  const merged: { [key: string]: unknown } = { ...config, ...own }
  for (const key of ['mcpServers', 'limits', 'callers'] as const)
    if (config[key] && own[key]) merged[key] = Object.freeze({ ...config[key], ...own[key] })
  return Object.freeze(merged) as Config
}
