import { accessSync, constants, readFileSync, renameSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { toShownPath } from '../../contract/text/shown-path.ts'
import type { Confinement, Errand } from './confinement.ts'
import { fileError, toFileError } from './file-error.ts'
import type { Held, Hold } from './held.ts'
import { holdFile } from './hold-file.ts'
import { type FileIdentity, isSameFile, toIdentity } from './identity.ts'
import { writeThrough } from './temporary-file.ts'

export interface ReplacedFile {
  /** From the root, with `/`. */
  readonly path: string
  /** Absolute, to show to people. */
  readonly real: string
}

/**
 * Replaces the content of a file that must not have changed since it was read. The mode is kept; through a symlink its
 * target is replaced; other hard links keep the old content.
 */
export async function replace(
  confinement: Confinement,
  path: string,
  { place, ...change }: Pick<Errand, 'place'> & { bytes: Uint8Array; expected: FileIdentity; hold: Hold },
): Promise<ReplacedFile> {
  const errand = { action: 'modify', path, ...(place !== undefined && { place }) } as const
  return withTarget(confinement, errand, async (file, directory) => {
    const name = basename(file.real)
    const { mode, uid, gid } = file.stats
    await writeThrough(directory, {
      bytes: change.bytes,
      ownership: { mode: Number(mode) & 0o7777, user: Number(uid), group: Number(gid) },
      publish: (temporary) => publish(confinement, errand, { ...change, directory, name, temporary }),
    })
    return { path: confinement.toRelative(file.real), real: file.real }
  })
}

/** Fails as a replacement would, as far as can be known without writing. */
export function checkReplace(confinement: Confinement, path: string): Promise<undefined> {
  return withTarget(confinement, { action: 'modify', path }, async () => undefined)
}

/** Holds a file that can be replaced, and its directory, while a job runs. */
async function withTarget<Result>(
  confinement: Confinement,
  errand: Errand,
  job: (file: Held, directory: Held) => Promise<Result>,
): Promise<Result> {
  const file = holdFile(confinement, errand)
  let directory: Held | undefined
  try {
    directory = confinement.hold(errand, confinement.toNames(dirname(file.real)))
    confinement.admitWrite(file.real, errand)
    // A rename would replace a write-protected file.
    accessSync(file.path, constants.W_OK)
    accessSync(directory.path, constants.W_OK | constants.X_OK)
    return await job(file, directory)
  } catch (error) {
    throw toFileError(error, errand.action, errand.path)
  } finally {
    directory?.close()
    file.close()
  }
}

interface Publication {
  readonly directory: Held
  readonly name: string
  readonly temporary: string
  readonly expected: FileIdentity
  readonly hold: Hold
}

/** Synchronous, so that of two concurrent edits in this process the second sees the first. */
function publish(confinement: Confinement, errand: Errand, publication: Publication): void {
  const { directory, name, temporary, expected, hold } = publication
  const current = holdCurrent(directory, name, hold)
  try {
    const same =
      current?.stats.isFile() &&
      current.stats.size === BigInt(expected.size) &&
      isSameFile(toIdentity(current.stats, readFileSync(current.path)), expected)
    if (!current || !same)
      throw fileError('file_changed', `File '${toShownPath(errand.path)}' changed since it was read`)
    confinement.admitWrite(current.where(), errand)
    renameSync(temporary, directory.at(name))
  } finally {
    current?.close()
  }
}

function holdCurrent(directory: Held, name: string, hold: Hold): Held | undefined {
  try {
    return hold(directory.at(name), { follow: false })
  } catch {
    return undefined
  }
}
