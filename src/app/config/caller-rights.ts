import { groupPrefix } from '../../contract/principal.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Config } from './config.ts'

type Callers = NonNullable<Config['callers']>
type CallerEntry = Callers[string]
type CallerSettings = Pick<Config, 'callers' | 'groups'>

/** Whether the config gives the tool with this id. The risk of tools does not matter here. */
type MayUse = (id: string) => boolean

const anyCaller = '*'
const claimPrefix = 'claim:'

/**
 * The entries of `callers` for a caller, most specific first: that of its name, those of its groups and claims in the order of
 * the config, and that of any caller.
 */
export function findCallerEntries(settings: CallerSettings, caller: Caller): readonly CallerEntry[] {
  const { callers = {} } = settings
  const keys = [toNameKey(callers, caller), ...findShared(settings, caller), anyCaller]
  return keys.flatMap((key) => (key !== undefined && Object.hasOwn(callers, key) ? [callers[key]!] : []))
}

/** A caller that is named like a group is not one. */
function toNameKey(callers: Callers, { name }: Caller): string | undefined {
  return isShared(name) || !Object.hasOwn(callers, name) ? undefined : name
}

function isShared(key: string): boolean {
  return key.startsWith(groupPrefix) || key.startsWith(claimPrefix)
}

interface SharedSettings extends Pick<Config, 'groups'> {
  readonly callers?: { readonly [key: string]: unknown } | undefined
}

/** The keys of the groups and claims of a caller. */
function findShared({ callers = {}, groups = {} }: SharedSettings, caller: Caller): string[] {
  const isMember = (group: string) =>
    caller.groups?.includes(group) || (Object.hasOwn(groups, group) && groups[group]!.includes(caller.name))
  return Object.keys(callers).filter((key) =>
    key.startsWith(groupPrefix)
      ? isMember(key.slice(groupPrefix.length))
      : key.startsWith(claimPrefix) && caller.claims?.includes(key.slice(claimPrefix.length)),
  )
}

/** The claims that `callers` names, as `NAME=VALUE`. The same array for the same config. */
export function toNamedClaims({ callers }: Pick<Config, 'callers'>): readonly string[] {
  if (!callers) return noClaims
  const known = claimsOf.get(callers)
  if (known) return known
  const claims = Object.keys(callers).flatMap((key) =>
    key.startsWith(claimPrefix) ? [key.slice(claimPrefix.length)] : [],
  )
  claimsOf.set(callers, claims)
  return claims
}

const noClaims: readonly string[] = []
const claimsOf = new WeakMap<Callers, readonly string[]>()

/**
 * The tools that each caller may use; undefined: all. An entry of its name overrides all others; those of its groups and claims
 * are united; without any, `*` applies. Callers with the same list share a function.
 */
export function toRightsOf(
  callers: Callers,
  groups: NonNullable<Config['groups']> = {},
): (caller: Caller) => MayUse | undefined {
  const byList = new Map<string, MayUse>()
  const byKeys = new Map<string, MayUse>()
  const toRights = (tools: readonly string[]): MayUse => {
    const list = JSON.stringify([...new Set(tools)].sort())
    const mayUse = byList.get(list) ?? toMayUse(tools)
    byList.set(list, mayUse)
    return mayUse
  }
  const listed = Object.entries(callers).flatMap(([key, { tools }]) => (tools ? [[key, tools] as const] : []))
  const byName = new Map(listed.filter(([key]) => !isShared(key)).map(([key, tools]) => [key, toRights(tools)]))
  const lists = Object.fromEntries(listed.filter(([key]) => isShared(key)))
  const others = byName.get(anyCaller)
  if (byName.size === listed.length) return ({ name }) => byName.get(name) ?? others
  const nothing = toRights([])
  return (caller) => {
    const own = byName.get(caller.name)
    if (own) return own
    const keys = findShared({ callers: lists, groups }, caller)
    // Whoever an issuer vouches for, and no entry is about, was not meant to have every tool.
    if (keys.length === 0) return others ?? (caller.issuer === undefined ? undefined : nothing)
    const known = byKeys.get(keys.join('\n'))
    const united = known ?? toRights(keys.flatMap((key) => lists[key]!))
    byKeys.set(keys.join('\n'), united)
    return united
  }
}

function toMayUse(tools: readonly string[]): MayUse {
  const ids = new Set(tools.filter((tool) => !tool.includes('*')))
  const patterns = tools.filter((tool) => tool.includes('*')).map((tool) => tool.split('*'))
  return (id) => ids.has(id) || patterns.some((parts) => matches(id, parts))
}

/** Whether an id consists of the parts in order, with anything in between. Searches each part once, so it is linear. */
function matches(id: string, parts: readonly string[]): boolean {
  const first = parts[0]!
  const last = parts.at(-1)!
  if (!id.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = id.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return id.length - last.length >= at && id.endsWith(last)
}
