import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../policy/path.ts'
import { type Config, readConfig } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { configFileName } from '../config/found-config.ts'
import { type OpenedConfig, toRealPath } from '../config/open-config.ts'
import { mergeOwn } from '../config/own-config.ts'
import { requireTenant, type TenantEntry, type Tenants, toTenants } from './tenants.ts'

/** Settings of the server, which no tenant has for itself. */
const ofServer = ['storage', 'http', 'telemetry', 'tenants'] as const satisfies readonly (keyof Config)[]

/**
 * The config of one tenant: the settings of the server, with its own in their place. Without tenants, the config as it is.
 * Throws a ConfigError if `name` is not one of them.
 */
export async function toTenantConfig(opened: OpenedConfig, name: string | undefined): Promise<OpenedConfig> {
  const tenants = toTenants(opened.config)
  if (!tenants) return opened
  const entry = requireTenant(tenants, name)
  if (!entry) return { ...withoutTenants(opened), tenant: tenants.own }
  const path = toTenantPath(entry)
  const { config: own, content } = await readOwn(path)
  const foreign = ofServer.filter((key) => Object.hasOwn(content, key))
  if (foreign.length > 0)
    throw new ConfigError(`The config ${path} of a tenant cannot have ${foreign.join(', ')}. Move it to ${opened.source}.`) // biome-ignore format: one line
  const merged = mergeOwn(withoutTenants(opened).config, own)
  const workspace = openWorkspace(entry, merged.workspace, tenants)
  const config = Object.freeze({ ...merged, workspace, ...startInside(merged, workspace) })
  const part = { config, source: path, trusted: true, isPart: false, advice: '', notices: opened.notices }
  const keys = [...opened.keys, ...Object.keys(content)]
  return { ...part, keys, found: { ...part, keys }, own: undefined, everywhere: undefined, tenant: entry.name }
}

/** The config of a tenant, which may not exist. */
function toTenantPath({ folder }: TenantEntry): string {
  return join(folder, configFileName)
}

function withoutTenants(opened: OpenedConfig): OpenedConfig {
  const { tenants: _, ...config } = opened.config
  return { ...opened, config: Object.freeze(config) }
}

async function readOwn(path: string): Promise<Pick<Awaited<ReturnType<typeof readConfig>>, 'config' | 'content'>> {
  return lstatSync(path, { throwIfNoEntry: false }) ? readConfig(path) : { config: {}, content: {} }
}

function openWorkspace({ name, folder }: TenantEntry, given: string | undefined, { entries }: Tenants): string {
  const workspace = given ?? join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true, mode: 0o700 })
  const real = toRealPath(workspace)
  for (const other of entries.values())
    if (other.name !== name && isInside(toRealPath(other.folder), real, process.platform))
      throw new ConfigError(`The workspace ${workspace} of the tenant ${name} is in the folder of ${other.name}. Name another in ${join(folder, configFileName)}.`) // biome-ignore format: one line
  return workspace
}

/** Otherwise the servers of every tenant would start in the folder in which this process was started. */
function startInside({ mcpServers }: Config, workspace: string): Pick<Config, 'mcpServers'> {
  if (!mcpServers) return {}
  const started = Object.entries(mcpServers).map(([name, server]) => [name, server.command === undefined || server.cwd !== undefined ? server : Object.freeze({ ...server, cwd: workspace })]) // biome-ignore format: one line
  return { mcpServers: Object.freeze(Object.fromEntries(started)) }
}
