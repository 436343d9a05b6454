import type { HttpSurface, Route } from './route.ts'

export interface FoundRoute {
  readonly route: Route
  readonly params: { readonly [name: string]: string }
}

/** The routes of all surfaces. Throws if two of them claim the same path. */
export function composeRoutes(surfaces: readonly HttpSurface[]): readonly Route[] {
  const routes = surfaces.flatMap((surface) => surface.routes)
  const patterns = new Set<string>()
  for (const { path } of routes) {
    const pattern = path.replace(placeholders, '{}')
    if (patterns.has(pattern)) throw new Error(`Two surfaces serve ${path}.`)
    patterns.add(pattern)
  }
  return routes
}

/** Matches a path as it was sent. Nothing is decoded, so each path has one spelling. */
export function createRouteFinder(routes: readonly Route[]): (path: string) => FoundRoute | undefined {
  const fixed = new Map(routes.filter(({ path }) => !path.includes('{')).map((route) => [route.path, { route, params: {} }])) // biome-ignore format: one line
  const open = routes
    .filter(({ path }) => path.includes('{'))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(placeholders, '(?<$1>[^/]+)')}$`) }))
  return (path) => {
    const found = fixed.get(path)
    if (found) return found
    for (const { route, pattern } of open) {
      const match = pattern.exec(path)
      if (match) return { route, params: match.groups! }
    }
    return undefined
  }
}

const placeholders = /\{(\w+)\}/g

export function toPath(target: string): string {
  const end = target.indexOf('?')
  return end === -1 ? target : target.slice(0, end)
}
