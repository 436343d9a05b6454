import { realpathSync } from 'node:fs'

/** The real path; undefined if it does not exist. */
export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
