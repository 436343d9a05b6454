import { followLinks } from '../../state/follow-links.ts'

/**
 * The one list of what tools and commands must not write: the real path of each place, and the symlinks that lead there,
 * since replacing one of them would put something else in its place.
 */
export function toProtectedPaths(places: readonly string[] = []): string[] {
  const paths = places.flatMap((place) => {
    const { real, links } = followLinks(place)
    return [real, ...links]
  })
  return [...new Set(paths)]
}
