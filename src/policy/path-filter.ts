import { foldFileName } from './fold-file-name.ts'

/** Allowed and denied files, as globs from the root: `*` within a name, `**` for any number of folders. */
export interface PathGlobs {
  /** Default: everything. */
  readonly allow?: readonly string[]
  /** Overrides `allow`. Applies to everything below a match, and to any spelling of the name. */
  readonly deny: readonly string[]
}

/** `way`: not open itself, but a descendant may be. */
export type PathVerdict = 'open' | 'way' | 'closed'

/**
 * Judges paths by name only, from the root. Callers that open a file also check its real path.
 *
 * `compilePathFilter({ deny: ['secrets/**'] })(['Secrets', 'a'])` is `closed`.
 */
export function compilePathFilter({ allow = ['**'], deny }: PathGlobs): (names: readonly string[]) => PathVerdict {
  const denied = deny.map((glob) => toExpression(glob.replace(/\/\*\*$/, '').toLowerCase(), '(?:/.*)?'))
  const allowed = allow.map((glob) => ({ expression: toExpression(glob, ''), way: toFixedNames(glob) }))
  return (names) => {
    const folded = names.map(foldFileName).join('/')
    if (denied.some((expression) => expression.test(folded))) return 'closed'
    const path = names.join('/')
    if (allowed.some(({ expression }) => expression.test(path))) return 'open'
    return allowed.some(({ way }) => isBeginning(names, way)) ? 'way' : 'closed'
  }
}

function toExpression(glob: string, ending: string): RegExp {
  const source = glob
    .split('/')
    .map((name, index, all) => {
      const isLast = index === all.length - 1
      if (name === '**') return isLast ? '.+' : '(?:.*/)?'
      const text = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
      return isLast ? text : `${text}/`
    })
    .join('')
  return new RegExp(`^${source}${ending}$`, 's')
}

/** The names before the first wildcard. */
function toFixedNames(glob: string): string[] {
  const names = glob.split('/')
  const end = names.findIndex((name) => name.includes('*'))
  return end < 0 ? names.slice(0, -1) : names.slice(0, end)
}

function isBeginning(names: readonly string[], of: readonly string[]): boolean {
  return names.length <= of.length && names.every((name, index) => name === of[index])
}
