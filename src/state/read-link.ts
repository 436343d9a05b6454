// Importing node:fs would also load its streams, and this runs in every call with a path.
const { readlinkSync } = process.getBuiltinModule('node:fs')

/** The target of a symlink; undefined if the path is not one. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
