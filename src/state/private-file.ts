import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { basename, dirname, join } from 'node:path'
import { toShellWord } from '../contract/text/shell-word.ts'

/** Another user could have written a file of the state directory. Callers add what the file is for. */
export class PrivateFileError extends Error {
  override readonly name = 'PrivateFileError'
  readonly path: string
  /** Completes a sentence that starts with the path. */
  readonly fault: string
  readonly advice: string

  constructor(path: string, fault: string, advice: string) {
    super(`${path} ${fault}. ${advice}`)
    this.path = path
    this.fault = fault
    this.advice = advice
  }
}

/** The bytes of a file that only this user could have written; undefined if there is none. */
export function readPrivateFile(path: string): Uint8Array | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false })
  if (!seen) return undefined
  if (seen.isSymbolicLink()) throw new PrivateFileError(path, 'is a symbolic link', 'Put the file itself there.')
  if (!seen.isFile()) throw new PrivateFileError(path, 'is not a regular file', 'Move it away.')
  const directory = dirname(path)
  mustBePrivate(directory, statSync(directory))
  // The file may have been replaced since lstat: from here on, check the open file.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    mustBePrivate(path, fstatSync(file))
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * The bytes of a file that only this user could have written; creates it if there is none. Of processes that do so at the same
 * time, one wins: a link is made once, and the file is complete by then.
 */
export function ensurePrivateFile(path: string, make: () => string | Uint8Array): Uint8Array {
  const known = readPrivateFile(path)
  if (known) return known
  const temporary = `${path}.${randomUUID()}.tmp`
  writeFileSync(temporary, make(), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  return readPrivateFile(path)!
}

/** Creates a directory for this user only. Throws if it exists and others can write to it. */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  mustBePrivate(directory, statSync(directory))
}

/**
 * Writes a file atomically. Call it under a lock: temporary files of crashed writers are deleted. `isDurable: false`: it may be
 * lost or empty after a power failure, which takes less time.
 */
export function writePrivateFile(
  path: string,
  text: string | Uint8Array,
  { isDurable = true }: { readonly isDurable?: boolean } = {},
): void {
  const directory = dirname(path)
  const temporaryStart = `.${basename(path)}.`
  const leftovers = readdirSync(directory).filter((name) => name.startsWith(temporaryStart))
  for (const name of leftovers) rmSync(join(directory, name), { force: true })
  const temporary = join(directory, `${temporaryStart}${process.pid}`)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    if (isDurable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  if (isDurable) syncDirectory(directory)
}

/** Windows has no permission bits. */
function mustBePrivate(path: string, { mode, uid }: Stats) {
  const own = process.getuid?.()
  if (own === undefined) return
  if (mode & 0o022) throw new PrivateFileError(path, `may be written by others (mode ${(mode & 0o777).toString(8)})`, `Run chmod go-w ${toShellWord(path)}, and check its content.`) // biome-ignore format: one line
  if (uid !== own && uid !== 0) throw new PrivateFileError(path, 'belongs to another user', 'Choose a state directory of your own with TOOLPACT_STATE_DIR.') // biome-ignore format: one line
}

/** Makes a rename survive a power failure. Windows cannot open directories, and does not need it. */
export function syncDirectory(directory: string) {
  if (process.platform === 'win32') return
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
