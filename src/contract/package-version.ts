import { readFileSync } from 'node:fs'

/** The version of this package. */
export function readVersion(): string {
  return JSON.parse(readFileSync(toPackageUrl('package.json'), 'utf8')).version
}

/** A file of this package. This one is two folders below package.json, in the sources and in the build. */
export function toPackageUrl(path: string): URL {
  return new URL(`../../${path}`, import.meta.url)
}
