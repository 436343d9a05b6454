import { posix, win32 } from 'node:path'

export interface PathRules {
  /** The working directory as configured and, if different, its real path. Absolute. */
  readonly roots: readonly string[]
  readonly platform: NodeJS.Platform
}

export type PathDecision =
  | { readonly allow: true /** The names from the root down; none for the root itself. */; readonly segments: string[] }
  | { readonly allow: false; readonly code: 'path_outside_working_dir' | 'invalid_path'; readonly reason: string }

/**
 * Decides about a path by its text only: is it valid, and does it name something inside the root? Callers that open it check
 * the target again, since it may be a symlink.
 */
export function decidePath(path: string, rules: PathRules): PathDecision {
  const fault = findFault(path)
  if (fault) return { allow: false, code: 'invalid_path', reason: fault }
  return rules.platform === 'win32' ? decideWindowsPath(path, rules.roots) : decidePosixPath(path, rules.roots)
}

/** Whether an absolute path is the directory or lies inside it. `/root-evil` does not lie inside `/root`. */
export function isInside(directory: string, path: string, platform: NodeJS.Platform): boolean {
  return toSegments(directory, path, platform === 'win32' ? win32 : posix) !== undefined
}

function findFault(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (path.includes('\0')) return 'it contains a NUL character'
  if (!path.isWellFormed()) return 'it contains half of a surrogate pair'
  if (path.length > 4096) return 'it is longer than 4096 characters'
  return undefined
}

function decidePosixPath(path: string, roots: readonly string[]): PathDecision {
  // A backslash is an ordinary character here, but an obvious Windows path is rejected.
  if (/^[a-z]:/i.test(path)) return outside('it names a drive')
  if (path.startsWith('\\')) return outside('it names a share, a device or the root of a drive')
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return outside('it is a URL')
  if (path.includes('\\') && path.split(/[\\/]/).includes('..')) return outside('it climbs with backslashes')
  return decideInside(path, roots, posix)
}

function decideWindowsPath(path: string, roots: readonly string[]): PathDecision {
  if (/^[\\/]{2}/.test(path) || /^[\\/]\?\?/.test(path)) return outside('it names a share or a device')
  if (/^[a-z]:(?![\\/])/i.test(path)) return outside("it is relative to a drive's own directory")
  const names = path.replace(/^[a-z]:/i, '').split(/[\\/]/)
  const bad = names.find((name) => name !== '.' && name !== '..' && isUnfitForWindows(name))
  if (bad !== undefined)
    return { allow: false, code: 'invalid_path', reason: `'${bad}' is not a valid file name on Windows` }
  return decideInside(path, roots, win32)
}

/** Characters, endings and device names with a special meaning on Windows; `:` would open an alternate data stream. */
function isUnfitForWindows(name: string): boolean {
  return (
    /[<>:"|?*\x01-\x1f]/.test(name) ||
    /[. ]$/.test(name) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i.test(name)
  )
}

function decideInside(path: string, roots: readonly string[], flavour: typeof posix): PathDecision {
  for (const root of roots) {
    const segments = toSegments(root, flavour.resolve(root, path), flavour)
    if (segments) return { allow: true, segments }
  }
  return outside('it leads out of the working directory')
}

function toSegments(directory: string, path: string, { relative, isAbsolute, sep }: typeof posix) {
  const rest = relative(directory, path)
  if (rest === '') return []
  const segments = rest.split(sep)
  return segments[0] === '..' || isAbsolute(rest) ? undefined : segments
}

function outside(reason: string): PathDecision {
  return { allow: false, code: 'path_outside_working_dir', reason }
}
