import { accessSync, constants, type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { readLink } from '../../state/follow-links.ts'
import type { Confinement } from './confinement.ts'
import { fileError, toFileError } from './file-error.ts'
import type { Held } from './held.ts'

export interface ListOptions {
  /** Entries to skip. */
  readonly offset?: number
  /** Default: 1000. */
  readonly limit?: number
}

type EntryKind = 'file' | 'directory' | 'symlink' | 'other'

export interface Entry {
  readonly name: string
  readonly kind: EntryKind
  /** The target as stored in the symlink, not resolved. */
  readonly target?: string
}

export interface Listing {
  /** From the root, with `/`; `.` for the root. */
  readonly path: string
  /** Sorted by name, by code units. */
  readonly entries: readonly Entry[]
  /** Of the whole directory. */
  readonly total: number
  readonly files: number
  readonly directories: number
}

export async function list(
  confinement: Confinement,
  path: string,
  { offset = 0, limit = 1000 }: ListOptions = {},
): Promise<Listing> {
  return withDirectory(confinement, path, async (held) => {
    const found = await readdir(held.path, { withFileTypes: true })
    const real = held.where()
    const open = found.filter((entry) => !confinement.isDenied(join(real, entry.name)))
    open.sort((one, other) => (one.name < other.name ? -1 : 1))
    return {
      path: confinement.toRelative(held.real),
      entries: open.slice(offset, offset + limit).map((entry) => toEntry(held, entry)),
      total: open.length,
      files: open.filter((entry) => entry.isFile()).length,
      directories: open.filter((entry) => entry.isDirectory()).length,
    }
  })
}

/** Fails as `list` would, as far as can be known without reading the directory. */
export function checkList(confinement: Confinement, path: string): Promise<undefined> {
  return withDirectory(confinement, path, async ({ path }) => accessSync(path, constants.R_OK) as undefined)
}

async function withDirectory<Result>(
  confinement: Confinement,
  path: string,
  job: (held: Held) => Promise<Result>,
): Promise<Result> {
  const held = confinement.hold({ action: 'list', path })
  try {
    if (!held.stats.isDirectory()) throw fileError('not_a_directory', `Path '${toShownPath(path)}' is not a directory`)
    return await job(held)
  } catch (error) {
    throw toFileError(error, 'list', path)
  } finally {
    held.close()
  }
}

function toEntry(directory: Held, entry: Dirent): Entry {
  const { name } = entry
  if (entry.isDirectory()) return { name, kind: 'directory' }
  if (entry.isFile()) return { name, kind: 'file' }
  if (!entry.isSymbolicLink()) return { name, kind: 'other' }
  const target = readLink(directory.at(name))
  return { name, kind: 'symlink', ...(target !== undefined && { target }) }
}
