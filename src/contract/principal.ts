import { findHidden } from './text/hidden-characters.ts'
import type { Caller } from './tool.ts'

/** The person who runs this Toolpact: their terminal, programs and local clients. */
export const operator = 'local'

/** Callers that are the operator. Everyone else is somebody of their own. */
const ownCallers: readonly string[] = [operator, 'cli', 'library', 'stdio', 'agent']

/** The person that a caller is: credentials, rules and rights are theirs. */
export function toPerson({ name }: Pick<Caller, 'name'>): string {
  return ownCallers.includes(name) ? operator : name
}

/** How the config and rules name a group. */
export const groupPrefix = 'group:'

/** Bounds of what a token says about a caller. More groups than an issuer puts into a token are a fault of the token. */
export const principalLimits = { nameCharacters: 256, groups: 200, scopes: 100 } as const

/** Whether a caller is named by `who`: by its name, as the operator, or by one of its groups. */
export function isNamed(who: readonly string[], caller: Pick<Caller, 'name' | 'groups'>): boolean {
  const { name, groups = [] } = caller
  return who.some((entry) =>
    entry.startsWith(groupPrefix)
      ? groups.includes(entry.slice(groupPrefix.length))
      : entry === name || entry === toPerson(caller),
  )
}

/** The groups of a caller: those of its token, and those of the config that name it. */
export function toGroups(
  groups: { readonly [name: string]: readonly string[] } = {},
  { name, groups: own = [] }: Caller,
): readonly string[] {
  const named = Object.keys(groups).filter((group) => groups[group]!.includes(name) && !own.includes(group))
  return named.length === 0 ? own : [...own, ...named]
}

/** In `who` of a new rule: every caller. */
export const everyone = '*'

/** Whether an entry of `who` can name anybody. */
export function isWho(entry: unknown): entry is string {
  return (
    typeof entry === 'string' &&
    entry.length > 0 &&
    entry.length <= 2 * principalLimits.nameCharacters &&
    entry !== groupPrefix &&
    entry !== everyone &&
    findHidden(entry, 'exact') === undefined
  )
}

/** Longer lists are groups. */
export const maxWho = 100
