import { followLinks } from '../../state/follow-links.ts'

/**
 * The one list of paths that tools and commands must not write: the real path of each, and the symlinks to it, since
 * replacing a symlink would redirect it.
 */
export function toProtectedPaths(places: readonly string[] = []): string[] {
  const paths = places.flatMap((place) => {
    const { real, links } = followLinks(place)
    return [real, ...links]
  })
  return [...new Set(paths)]
}
