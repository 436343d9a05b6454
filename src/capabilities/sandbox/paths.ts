import { existsSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInside } from '../../policy/path.ts'

/** The real path; undefined if it does not exist. */
export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

export function isRealPath(path: string): boolean {
  return findRealPath(path) === path
}

/** Of existing paths, each and, if it is a symlink, its target: a program needs both. */
export function toNames(paths: readonly string[]): string[] {
  return paths.filter(existsSync).flatMap((path) => [...new Set([path, realpathSync(path)])])
}

/** The paths to protect within folders that may be written: all others cannot be written anyway. */
export function findProtected(paths: readonly string[], written: readonly string[]): string[] {
  const isWithin = (path: string) => written.some((folder) => isInside(folder, path, 'linux'))
  return paths.filter((path) => !written.includes(path) && isWithin(path) && isRealPath(path))
}

/** The folders between a folder and paths in it. A path that is protected could be moved away with one of them. */
export function findPinned(paths: readonly string[], folder: string): string[] {
  const parents = paths.filter(isRealPath).flatMap((path) => {
    const names = isInside(folder, path, 'linux') ? relative(folder, path).split('/') : []
    return names.slice(0, -1).map((_, index) => join(folder, ...names.slice(0, index + 1)))
  })
  return [...new Set(parents)]
}
