import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { readLink } from './read-link.ts'

/** Linux follows as many. */
const maxLinks = 40

/**
 * The real path of what a path leads to, and every symlink on the way. What does not exist yet is resolved through its
 * deepest existing parent, and through links whose target is missing.
 */
export function followLinks(path: string): { real: string; links: string[] } {
  const absolute = resolve(path)
  const links: string[] = []
  let place = parse(absolute).root
  let names = absolute.slice(place.length).split(sep)
  while (names.length > 0) {
    const [name = '', ...rest] = names
    names = rest
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
    names = [...target.slice(isAbsolute(target) ? place.length : 0).split(sep), ...rest]
  }
  return { real: toSpelling(place), links }
}

/** On a file system that ignores case, names as they are stored. */
function toSpelling(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(toSpelling(parent), path.slice(parent.length))
  }
}
