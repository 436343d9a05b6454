import type { Route } from './route.ts'

/** Finds the route of a path as it was sent: nothing is decoded, so that one path has one spelling. */
export function createRouteFinder(routes: readonly Route[]): (path: string) => Route | undefined {
  const fixed = new Map(routes.filter(({ path }) => !path.includes('{')).map((route) => [route.path, route]))
  const open = routes
    .filter(({ path }) => path.includes('{'))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  return (path) => fixed.get(path) ?? open.find(({ pattern }) => pattern.test(path))?.route
}

export function toPath(target: string): string {
  const end = target.indexOf('?')
  return end === -1 ? target : target.slice(0, end)
}
