import { isInside } from '../../policy/path.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { toRealPath } from '../config/open-config.ts'

/** The tenants of a config. */
export interface Tenants {
  readonly by: 'host' | 'claim'
  readonly claim: string
  readonly entries: ReadonlyMap<string, TenantEntry>
  /** The name under which the server keeps state of its own, such as the token for its metrics. */
  readonly own: string
  readonly maxOpen: number
  readonly idleMs: number
  readonly maxConnections: number
}

export interface TenantEntry {
  readonly name: string
  /** Its folder: config, lock and, unless the config names another, the workspace. */
  readonly folder: string
  /** Where people and clients reach it, without a slash at the end; undefined if it has no address of its own. */
  readonly url: string | undefined
}

/** The tenants that the config lists; undefined if it has none. Throws a ConfigError if they would share something. */
export function toTenants(config: Config): Tenants | undefined {
  const { tenants, storage, http } = config
  if (!tenants) return undefined
  const { by, claim, names, maxOpen, idleMs, maxConnections } = tenants
  const own = storage?.tenant ?? 'default'
  const entries = Object.entries(names).map(([name, { folder, url }]) => ({
    name,
    folder: folder!,
    url: url && new URL(url).origin,
  }))
  if (Object.hasOwn(names, own))
    throw toFault(`no tenant can have the name ${own}, which storage.tenant gives the server itself`)
  if (by === 'claim' && !http?.auth) throw toFault('"by": "claim" needs http.auth, whose tokens have the claim')
  if (http?.public) throw toFault('http.public lets callers in without a token, whose tenant nobody knows')
  if (http?.signIn) throw toFault('http.signIn would give people the same rights in every tenant: let them sign in by links (toolpact open --tenant NAME)') // biome-ignore format: one line
  requireSeparate(config)
  requireFolders(entries)
  if (by === 'host') requireHosts(entries)
  return { by, claim, own, maxOpen, idleMs, maxConnections, entries: new Map(entries.map((entry) => [entry.name, entry])) } // biome-ignore format: one line
}

/** The entry of a tenant; undefined for the server itself. Throws a ConfigError if `name` is neither. */
export function requireTenant({ entries, own }: Tenants, name: string | undefined): TenantEntry | undefined {
  if (name === own) return undefined
  const found = name === undefined ? undefined : entries.get(name)
  if (found) return found
  const names = [...entries.keys()]
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  const known = `Its tenants are ${names.slice(0, maxNames).join(', ')}${more}; ${own} is the server itself.`
  if (name === undefined) throw new ConfigError(`The config has several tenants. Name one with --tenant NAME. ${known}`)
  throw new ConfigError(`The config has no tenant '${name}'. ${known}`)
}

const maxNames = 10

/** Settings of the ledger that name no key and no place. */
const commonLedgerKeys = ['fsync', 'keep', 'whenUnavailable'] as const satisfies readonly (keyof NonNullable<
  Config['ledger']
>)[]

/** What all tenants would share if the config of the server had it. */
function requireSeparate({ workspace, ledger }: Config) {
  const places = Object.keys(ledger ?? {}).filter((key) => !(commonLedgerKeys as readonly string[]).includes(key))
  const shared = [...(workspace === undefined ? [] : ['workspace']), ...places.map((key) => `ledger.${key}`)]
  if (shared.length > 0)
    throw toFault(`${shared.join(' and ')} would be shared by all of them. Move it to the toolpact.json in the folder of each`) // biome-ignore format: one line
}

function requireFolders(entries: readonly TenantEntry[]) {
  const places = entries.map(({ name, folder }) => ({ name, folder: toRealPath(folder) }))
  // Sorted, a folder directly follows what contains it or another folder in that.
  const sorted = places.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  for (const [index, { name, folder }] of sorted.entries()) {
    const holder = sorted.slice(0, index).findLast((other) => isInside(other.folder, folder, process.platform))
    if (holder) throw toFault(`the folder of ${name} is that of ${holder.name}, or inside it`)
  }
}

function requireHosts(entries: readonly TenantEntry[]) {
  const taken = new Map<string, string>()
  for (const { name, url } of entries) {
    if (url === undefined) throw toFault(`${name} needs a url, since "by" is "host"`)
    // Without a port, a host is that tenant at every port.
    const { hostname } = new URL(url)
    if (taken.has(hostname)) throw toFault(`${taken.get(hostname)} and ${name} have the same host`)
    taken.set(hostname, name)
  }
}

function toFault(fault: string): ConfigError {
  return new ConfigError(`The tenants of the config cannot be served: ${fault}.`)
}
