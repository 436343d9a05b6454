import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { readLink } from './read-link.ts'

// As in read-link.ts.
const { realpathSync } = process.getBuiltinModule('node:fs')

/** Linux follows as many. */
const maxLinks = 40
const maxCharacters = 32_768

/**
 * The real path of what a path leads to, and every symlink on the way. What does not exist yet is resolved through its
 * deepest existing parent, and through links whose target is missing.
 */
export function followLinks(path: string): { real: string; links: string[] } {
  const absolute = resolve(path)
  const links: string[] = []
  // No system opens a longer one.
  if (absolute.length > maxCharacters) return { real: absolute, links }
  let place = parse(absolute).root
  // The next name last.
  const names = absolute.slice(place.length).split(sep).reverse()
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue
    // What comes before is real, so `..` is its parent.
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

/** Where an absolute path leads, as far as it exists, with names as they are stored. */
export function toRealOrPlanned(path: string): string {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(realpathSync.native(existing), path.slice(existing.length))
    } catch {
      if (dirname(existing) === existing) return path
    }
  }
}
