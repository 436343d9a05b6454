import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isInside } from '../../policy/path.ts'
import { maxConfigBytes, type ParsedConfig, parseConfig } from './config.ts'
import { ConfigError, goOnWithout } from './config-error.ts'

export const configFileName = 'toolpact.json'

/** The config of a workspace. Read once, so the digest is that of the parsed content. */
export interface FoundConfig extends ParsedConfig {
  /** Its real path. */
  readonly path: string
  /** Of its bytes. */
  readonly digest: string
}

/** Reads the `toolpact.json` of a folder. Throws a ConfigError if it cannot be used. */
export async function readFoundConfig(folder: string): Promise<FoundConfig> {
  const root = toReal(folder)
  const named = join(root, configFileName)
  const path = toReal(named)
  if (!isInside(root, path, process.platform))
    throw new ConfigError(`The config ${named} is a symlink that leaves its folder, to ${path}. ${goOnWithout}`)
  const bytes = readRegularFile(path)
  try {
    return { path, digest: digestBytes(bytes), ...(await parseConfig(bytes, path)) }
  } catch (cause) {
    throw cause instanceof ConfigError ? new ConfigError(`${cause.message} ${goOnWithout}`, { cause }) : cause
  }
}

/** The folder, given its path or that of its `toolpact.json`. */
export function toConfigFolder(place: string): string {
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place
  if (basename(place) === configFileName) return dirname(resolve(place))
  throw new ConfigError(`${place} is neither a folder nor a ${configFileName}. To use a config with another name, pass it with --config.`) // biome-ignore format: one line
}

/** The digest of a file's content; undefined if it cannot be read. */
export function digestFile(path: string): string | undefined {
  try {
    return digestBytes(readRegularFile(path))
  } catch {
    return undefined
  }
}

function toReal(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    throw toUnreadable(path, cause)
  }
}

function digestBytes(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes)}`
}

/** Rejects pipes, which would block, and symlinks, which could lead to another file than the one reviewed. */
function readRegularFile(path: string): Uint8Array {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (cause) {
    throw toUnreadable(path, cause)
  }
  try {
    if (!fstatSync(file).isFile()) throw new ConfigError(`The config ${path} is not a regular file. ${goOnWithout}`)
    return readBounded(file, path)
  } finally {
    closeSync(file)
  }
}

function readBounded(file: number, path: string): Uint8Array {
  const bytes = Buffer.alloc(maxConfigBytes + 1)
  let length = 0
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null)
    length += read
    if (length > maxConfigBytes)
      throw new ConfigError(`The config ${path} has more than ${maxConfigBytes} bytes. ${goOnWithout}`)
    if (read === 0) return bytes.subarray(0, length)
  }
}

function toUnreadable(path: string, cause: unknown): ConfigError {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') return new ConfigError(`${path} does not exist, or is a dangling symlink.`, { cause })
  return new ConfigError(`The config ${path} cannot be read (${code}). ${goOnWithout}`, { cause })
}
