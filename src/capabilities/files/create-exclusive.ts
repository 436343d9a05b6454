import { constants, copyFileSync, linkSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { toShownPath } from '../../contract/text/shown-path.ts'
import type { Confinement, Errand } from './confinement.ts'
import { fileError, toExists, toFileError } from './file-error.ts'
import type { Held } from './held.ts'
import { writeThrough } from './temporary-file.ts'

export interface CreatedFile {
  /** From the root, with `/`. */
  readonly path: string
  /** Absolute, to show to people. */
  readonly real: string
  readonly bytes: number
  /** Directories that were created for it, outermost first. */
  readonly createdParents: readonly string[]
}

/** Creates a file, whole or not at all. Fails if the name is taken, even by a dangling symlink. */
export async function createExclusive(
  confinement: Confinement,
  path: string,
  { bytes, ...place }: Pick<Errand, 'place'> & { readonly bytes: Uint8Array },
): Promise<CreatedFile> {
  const errand = { action: 'create', path, ...place } as const
  const { segments, name } = toPlace(confinement, errand)
  const { directory, created } = confinement.makeDirectory(errand, segments)
  try {
    confinement.admitWrite(join(directory.where(), name), errand)
    refuseExisting(directory, name, path)
    await writeThrough(directory, {
      bytes,
      publish(temporary) {
        confinement.admitWrite(join(directory.where(), name), errand)
        publishExclusive(temporary, directory.at(name))
      },
    })
    const real = join(directory.real, name)
    const createdParents = created.map(confinement.toRelative)
    return { path: confinement.toRelative(real), real, bytes: bytes.length, createdParents }
  } catch (error) {
    throw toFileError(error, errand.action, path)
  } finally {
    directory.close()
  }
}

/** Fails as the write of a new file would, as far as can be known without writing. */
export async function checkCreate(confinement: Confinement, errand: Errand): Promise<undefined> {
  const { segments, name } = toPlace(confinement, errand)
  const { directory, missing } = confinement.planDirectory(errand, segments)
  try {
    confinement.admitWrite(join(directory.where(), ...missing, name), errand)
    if (missing.length === 0) refuseExisting(directory, name, errand.path)
    confinement.admitNew(directory, [...missing, name], errand)
  } catch (error) {
    throw toFileError(error, errand.action, errand.path)
  } finally {
    directory.close()
  }
}

function toPlace(confinement: Confinement, { path }: Errand): { segments: string[]; name: string } {
  const segments = confinement.decide(path)
  const name = segments.pop()
  if (name === undefined) throw fileError('file_exists', `Path '${toShownPath(path)}' already exists as a directory`)
  return { segments, name }
}

function refuseExisting(directory: Held, name: string, path: string): void {
  const found = lstatSync(directory.at(name), { throwIfNoEntry: false })
  if (found?.isDirectory()) throw fileError('file_exists', `Path '${toShownPath(path)}' already exists as a directory`)
  if (found?.isSymbolicLink())
    throw fileError('file_exists', `Path '${toShownPath(path)}' already exists as a symbolic link`)
  if (found) throw toExists(path)
}

/** A hard link to the finished file: unlike a rename, it never replaces a file created meanwhile. */
function publishExclusive(temporary: string, target: string): void {
  try {
    linkSync(temporary, target)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) throw error
    // On a file system without hard links: never overwrites a file, but a crash now leaves a partial one.
    copyFileSync(temporary, target, constants.COPYFILE_EXCL)
  }
}
