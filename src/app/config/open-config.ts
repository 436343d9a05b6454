import { lstatSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config, ConfigSource } from './config.ts'
import { goOnWithout } from './config-error.ts'
import { mergeOwn, readEverywhere, readOwnConfig, toEverywherePath, toOwnConfigPath } from './own-config.ts'
import type { ConfigTrust } from './trust.ts'

export interface ConfigOptions {
  readonly config?: string | ConfigSource
  readonly discover?: boolean
  readonly workspace?: string
  readonly tenant?: string
}

/** The effective config and its source. */
export interface OpenedConfig extends FoundPart {
  /** Merged, lowest precedence first: the servers of every folder, the config found, the operator's own settings for the folder. */
  readonly config: Config
  /** Only the named or found config; undefined if there are only the operator's own settings. */
  readonly found: FoundPart | undefined
  readonly own: Config | undefined
  /** The servers of every folder. An entry is in effect if `config` has the same object. */
  readonly everywhere: Config | undefined
  /** Set if this is the config of one of several tenants. */
  readonly tenant?: string
}

interface FoundPart {
  readonly config: Config
  /** For messages. */
  readonly source: string
  /** False if it was found in the workspace and is not trusted. Then it can only restrict. */
  readonly trusted: boolean
  /** Whether toolsets that it names need trust, so that unknown names cannot be detected. */
  readonly isPart: boolean
  /** The keys that it has, as they were written: also of what was left out. */
  readonly keys: readonly string[]
  /** What to do if it is wrong. */
  readonly advice: string
  readonly notices: readonly string[]
  /** The digest of the found file. */
  readonly digest?: string
}

interface OpenContext {
  readonly trust: ConfigTrust
  readonly stateDirectory: () => string
  /** The current config, if it is reloaded. */
  readonly running?: OpenedConfig | undefined
}

/**
 * Opens the given config, or that of the workspace if discovery is on; undefined if there is none. If it has tenants, the config
 * of the named one.
 */
export async function openConfig(options: ConfigOptions, context: OpenContext): Promise<OpenedConfig | undefined> {
  const opened = await openServerConfig(options, context)
  if (!opened?.config.tenants) return opened
  const { toTenantConfig } = await import('../tenants/tenant-config.ts')
  return toTenantConfig(opened, toTenantName(options))
}

/** As `--tenant` or the environment says. */
export function toTenantName({ tenant }: Pick<ConfigOptions, 'tenant'>): string | undefined {
  return tenant ?? (process.env.TOOLPACT_TENANT || undefined)
}

/** The same with what applies to all tenants, and their list. */
export async function openServerConfig(
  options: ConfigOptions,
  context: OpenContext,
): Promise<OpenedConfig | undefined> {
  const { config, discover, workspace = '.' } = options
  if (config !== undefined) {
    const found = await openNamed(config)
    return { ...found, found, own: undefined, everywhere: undefined }
  }
  if (!discover) return undefined
  const root = toRealPath(workspace)
  const ownPath = toOwnConfigPath(context.stateDirectory(), root)
  const ownFile = await readOwnConfig(ownPath, root)
  const own = ownFile?.config
  const everywhere = (await readEverywhere(context.stateDirectory(), root))?.config
  const found = await openFound(workspace, context)
  if (!found && !own && !everywhere) return undefined
  const source = own ? ownPath : toEverywherePath(context.stateDirectory())
  const base = found ?? { ...part, config: {}, source, trusted: true }
  return {
    ...base,
    config: mergeOwn(everywhere ?? {}, mergeOwn(base.config, own)),
    found,
    own,
    everywhere,
    keys: [...base.keys, ...Object.keys(ownFile?.content ?? {})],
    notices: [...base.notices, ...(ownFile ? await tellFormerKeys(ownFile.content, ownPath) : [])],
  }
}

/** The files to watch for changes of the config. */
export function toConfigPaths(options: ConfigOptions, stateDirectory: string): string[] {
  const { config, discover, workspace = '.' } = options
  if (config !== undefined) return typeof config === 'string' ? [config] : []
  if (!discover) return []
  const own = toOwnConfigPath(stateDirectory, toRealPath(workspace))
  return [join(workspace, 'toolpact.json'), own, toEverywherePath(stateDirectory), join(stateDirectory, 'trust.json')]
}

const part = { isPart: false, advice: '', notices: [], keys: [] }

async function openNamed(config: string | ConfigSource): Promise<FoundPart> {
  const { readConfig, checkConfig } = await import('./config.ts')
  if (typeof config === 'string') {
    const { config: read, content } = await readConfig(config)
    const notices = await tellFormerKeys(content, config)
    return { ...part, config: read, keys: Object.keys(content), source: config, trusted: true, notices }
  }
  const source = 'that was passed'
  const checked = await checkConfig(config, source)
  const notices = await tellFormerKeys(config, `The config ${source}`)
  return { ...part, config: checked, keys: Object.keys(config), source, trusted: true, notices }
}

async function openFound(workspace: string, { trust, running }: OpenContext): Promise<FoundPart | undefined> {
  if (!isThere(join(workspace, 'toolpact.json'))) return running?.found && toStaying(running.found, 'is gone')
  const { path, state, problem, left, content, ...found } = await trust.open(workspace)
  const why = state === 'changed' ? 'has changed since it was trusted' : 'is not trusted'
  const review = `toolpact trust${workspace === '.' ? '' : ` ${workspace}`}`
  // Tools may be able to write the file. An unreviewed change must not lift the current restrictions.
  const isOther = running?.found && running.found.digest !== found.digest
  if (isOther && state !== 'trusted') return toStaying(running.found!, why, ` Review it with ${review}.`)
  return {
    ...found,
    source: path,
    trusted: state === 'trusted',
    isPart: left.includes('mcpServers') || left.includes('contracts'),
    keys: Object.keys(content),
    advice: goOnWithout,
    notices: [
      ...(left.length > 0 ? [`${path} ${why}, so this was left out: ${left.join(', ')}. Review it with ${review}.`] : []), // biome-ignore format: one line
      ...(problem === undefined ? [] : [problem]),
      ...(await tellFormerKeys(content, path)),
    ],
  }
}

async function tellFormerKeys(content: object, source: string): Promise<string[]> {
  const { formerKeys } = await import('../../toolsets/settings.ts')
  return Object.entries(formerKeys)
    .filter(([former]) => Object.hasOwn(content, former))
    .map(([former, name]) => `${source}: "${former}" is now called "${name}". Rename it: the old name will be removed.`)
}

function toStaying(found: FoundPart, why: string, advice = ''): FoundPart {
  return { ...found, notices: [`${found.source} ${why}. The settings that it had stay in effect.${advice}`] }
}

/** Also true for a dangling symlink, which is reported when it is opened. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    // Not a folder: no config. No permission: there may be one.
    return (cause as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}

/** Resolves symlinks, so that a folder has the same settings by any path. */
export function toRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}
