import { readlinkSync } from 'node:fs'

/** What a symbolic link says, or nothing where there is none. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
