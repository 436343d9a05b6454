import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** The bytes of a file; undefined where there is none. */
export function readFileIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/**
 * Replaces a file by one of the same mode, whole or not at all. Throws where it no longer holds `before` (undefined:
 * there was none): somebody else has written it meanwhile.
 */
export function replaceConfigFile(path: string, before: Uint8Array | undefined, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  // It may hold what only its owner should read.
  const mode = before ? statSync(path).mode & 0o777 : 0o666
  const file = openSync(temporary, 'wx', mode)
  try {
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    const now = readFileIfThere(path)
    if (now === undefined ? before !== undefined : !before || !now.equals(before))
      throw new Error(`${path} was changed by somebody else meanwhile, and is left as it is. Try again.`)
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}
