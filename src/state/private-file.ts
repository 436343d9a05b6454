import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { basename, dirname, join } from 'node:path'

/** Somebody else can have written a file of the state directory. What it is for is said by whoever reads it. */
export class PrivateFileError extends Error {
  override readonly name = 'PrivateFileError'
  readonly path: string
  /** The end of a sentence that begins with the path. */
  readonly fault: string
  readonly advice: string

  constructor(path: string, fault: string, advice: string) {
    super(`${path} ${fault}. ${advice}`)
    this.path = path
    this.fault = fault
    this.advice = advice
  }
}

/** The bytes of the file, if nobody else can have written them; undefined where there is none. */
export function readPrivateFile(path: string): Uint8Array | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false })
  if (!seen) return undefined
  if (seen.isSymbolicLink()) throw new PrivateFileError(path, 'is a symbolic link', 'Put the file itself there.')
  if (!seen.isFile()) throw new PrivateFileError(path, 'is no file', 'Move it away.')
  const directory = dirname(path)
  mustBePrivate(directory, statSync(directory))
  // What was looked at may have been put aside meanwhile: from here on it is one open file.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    mustBePrivate(path, fstatSync(file))
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a directory for this user alone. Throws where one is there that others may write. */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  mustBePrivate(directory, statSync(directory))
}

/** Writes a file whole or not at all. To be called under a lock: what lies about of earlier attempts is removed. */
export function writePrivateFile(path: string, text: string | Uint8Array): void {
  const directory = dirname(path)
  const temporaryStart = `.${basename(path)}.`
  const leftovers = readdirSync(directory).filter((name) => name.startsWith(temporaryStart))
  for (const name of leftovers) rmSync(join(directory, name), { force: true })
  const temporary = join(directory, `${temporaryStart}${process.pid}`)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncDirectory(directory)
}

/** Who may write the file may do whatever it allows. Windows has no such bits. */
function mustBePrivate(path: string, { mode, uid }: Stats) {
  const own = process.getuid?.()
  if (own === undefined) return
  if (mode & 0o022) throw new PrivateFileError(path, `may be written by others (mode ${(mode & 0o777).toString(8)})`, 'Take that away with chmod go-w, and check what it holds.') // biome-ignore format: one line
  if (uid !== own && uid !== 0) throw new PrivateFileError(path, 'belongs to another user', 'Choose a state directory of your own with TOOLPACT_STATE_DIR.') // biome-ignore format: one line
}

/** So that the rename survives a loss of power too. Windows cannot open a directory, and needs not. */
export function syncDirectory(directory: string) {
  if (process.platform === 'win32') return
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
