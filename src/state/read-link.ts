// An import of node:fs would load all of its streams too, and every call that names a path comes here.
const { readlinkSync } = process.getBuiltinModule('node:fs')

/** What a symbolic link says, or nothing where there is none. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
