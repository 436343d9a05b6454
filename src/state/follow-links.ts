import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'

/** The limit of Linux. */
const maxLinks = 40
const maxCharacters = 32_768

/**
 * Resolves a path to its real path, and lists every symlink on the way. A path that does not exist is resolved through its
 * deepest existing parent, and through dangling symlinks.
 */
export function followLinks(path: string): { real: string; links: string[] } {
  const absolute = resolve(path)
  const links: string[] = []
  // No system opens a longer path.
  if (absolute.length > maxCharacters) return { real: absolute, links }
  let place = parse(absolute).root
  // A stack: the next name is last.
  const names = absolute.slice(place.length).split(sep).reverse()
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue
    // The path so far is real, so `..` is its parent.
    const next = name === '..' ? dirname(place) : join(place, name)
    const target = name === '..' || links.length === maxLinks ? undefined : readLink(next)
    if (target === undefined) {
      place = next
      continue
    }
    links.push(next)
    if (isAbsolute(target)) place = parse(target).root
    names.push(
      ...target
        .slice(isAbsolute(target) ? place.length : 0)
        .split(sep)
        .reverse(),
    )
  }
  return { real: toRealOrPlanned(place), links }
}

/** The real path of the existing part of an absolute path, with names as stored, and the rest unchanged. */
export function toRealOrPlanned(path: string): string {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(realpathSync.native(existing), path.slice(existing.length))
    } catch {
      if (dirname(existing) === existing) return path
    }
  }
}

/** The target of a symlink; undefined if the path is not one. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
