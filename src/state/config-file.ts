import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** The bytes of a file; undefined if there is none. */
export function readFileIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/**
 * Replaces a file atomically and keeps its mode. Throws if its content is no longer `before` (undefined: no file), because
 * another program wrote it.
 */
export function replaceConfigFile(
  path: string,
  before: Uint8Array | undefined,
  content: string | Uint8Array,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  // The content may be private to its owner.
  const mode = before ? statSync(path).mode & 0o777 : 0o666
  const file = openSync(temporary, 'wx', isPrivate ? 0o600 : mode)
  try {
    try {
      writeFileSync(file, content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    mustBeUnchanged(path, before)
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

/** Deletes a file if its content is still `before`; throws otherwise. */
export function removeConfigFile(path: string, before: Uint8Array): void {
  mustBeUnchanged(path, before)
  rmSync(path)
}

function mustBeUnchanged(path: string, before: Uint8Array | undefined): void {
  const now = readFileIfThere(path)
  if (now === undefined ? before !== undefined : !before || !now.equals(before))
    throw new Error(`${path} was changed by another program in the meantime and was not overwritten. Try again.`)
}
