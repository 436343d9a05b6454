import { realpathSync } from 'node:fs'

/** Where a path leads to; undefined where that does not exist. */
export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
