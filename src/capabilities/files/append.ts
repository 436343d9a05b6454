import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toShownPath } from '../../contract/text/shown-path.ts'
import type { Confinement, Errand } from './confinement.ts'
import { checkCreate } from './create-exclusive.ts'
import { fileError, toFileError } from './file-error.ts'
import type { Held } from './held.ts'
import { holdFile } from './hold-file.ts'
import type { LineCounts } from './line-counts.ts'
import { syncDirectory } from './temporary-file.ts'
import { type WrittenEntry, writeEntry } from './write-entry.ts'

export interface AppendOptions extends Pick<Errand, 'place'> {
  /** Puts a blank line before the entry, unless the file is empty or ends with one. */
  readonly apart?: boolean
  readonly signal?: AbortSignal
}

export interface AppendedEntry extends WrittenEntry {
  /** From the root, with `/`. */
  readonly path: string
  /** Absolute, to show to people. */
  readonly real: string
}

const maxAttempts = 5

/**
 * Appends an entry and a newline to a file, creating it if needed, and flushes it to disk. Safe for concurrent
 * processes: each entry stays whole and gets its line number. Existing content never changes, except that an
 * unterminated last line gets its newline.
 */
export async function append(
  confinement: Confinement,
  path: string,
  { entry, counts, apart = false, signal, place }: AppendOptions & { entry: Uint8Array; counts: LineCounts },
): Promise<AppendedEntry> {
  const errand = { action: 'append', path, ...(place !== undefined && { place }) } as const
  for (let attempt = 1; ; attempt++) {
    try {
      const file = holdOrCreate(confinement, errand)
      try {
        const written = await appendTo(confinement, file, errand, { entry, counts, apart, signal })
        const real = file.where()
        if (real === file.real) return { ...written, path: confinement.toRelative(real), real }
        throw fileError('file_changed', `File '${toShownPath(path)}' was moved, with the entry in it`)
      } finally {
        file.close()
      }
    } catch (error) {
      // An editor replaced the file meanwhile, and the entry was lost with the old one.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone || attempt === maxAttempts) throw toFileError(error, errand.action, path)
    }
  }
}

async function appendTo(
  confinement: Confinement,
  file: Held,
  errand: Errand,
  { entry, counts, apart, signal }: { entry: Uint8Array; counts: LineCounts; apart: boolean; signal?: AbortSignal },
): Promise<WrittenEntry> {
  refuseClosed(confinement, file, errand)
  const { handle, written } = await counts.inTurn(file.real, async () => {
    // An empty file may belong to a process that died before its name was flushed to disk.
    if (file.stats.size === 0n) await syncParents(confinement, file, errand)
    const handle = await file.open(constants.O_RDWR | constants.O_APPEND)
    try {
      const written = await counts.exclusively(file.real, (remembered) => {
        signal?.throwIfAborted()
        return writeEntry({ descriptor: handle.fd, entry, apart }, remembered)
      })
      return { handle, written }
    } catch (error) {
      await handle.close()
      throw error
    }
  })
  // Outside the lock, so that the system can flush several entries at once.
  await handle.sync().finally(() => handle.close())
  return written
}

function refuseClosed(confinement: Confinement, file: Held, errand: Errand): void {
  confinement.admitWrite(file.real, errand)
  if (file.stats.nlink > 1n)
    throw fileError('not_a_file', `File '${toShownPath(errand.path)}' has another hard link that would change too`) // biome-ignore format: one line
}

/** Fails as `append` would, as far as can be known without writing. */
export async function checkAppend(confinement: Confinement, path: string): Promise<undefined> {
  const errand = { action: 'append', path } as const
  const file = await holdOrPlan(confinement, errand)
  if (!file) return
  try {
    refuseClosed(confinement, file, errand)
    accessSync(file.path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw toFileError(error, errand.action, path)
  } finally {
    file.close()
  }
}

/** The file, or undefined if it can be created. */
async function holdOrPlan(confinement: Confinement, errand: Errand): Promise<Held | undefined> {
  try {
    return holdFile(confinement, errand)
  } catch (error) {
    if (!hasCode(error, 'file_not_found')) throw error
    // A dangling symlink blocks the creation of the file.
    return checkCreate(confinement, errand).catch((cause) => {
      throw hasCode(cause, 'file_exists') ? error : cause
    })
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as { code?: string }).code === code
}

function holdOrCreate(confinement: Confinement, errand: Errand): Held {
  for (let attempt = 1; ; attempt++) {
    try {
      return holdFile(confinement, errand)
    } catch (error) {
      if (!hasCode(error, 'file_not_found') || attempt === maxAttempts) throw error
      create(confinement, errand)
    }
  }
}

function create(confinement: Confinement, errand: Errand): void {
  const segments = confinement.decide(errand.path)
  const name = segments.pop()!
  const { directory } = confinement.makeDirectory(errand, segments)
  try {
    confinement.admitWrite(join(directory.where(), name), errand)
    closeSync(openSync(directory.at(name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666))
  } catch (error) {
    // Another process may have created it meanwhile; a dangling symlink stays.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toFileError(error, errand.action, errand.path)
  } finally {
    directory.close()
  }
}

/** The directory entries of the file and of new parent folders must be flushed too. */
async function syncParents(confinement: Confinement, file: Held, errand: Errand): Promise<void> {
  const names = confinement.toNames(dirname(file.real))
  for (let depth = names.length; depth >= 0; depth--) {
    const directory = confinement.hold(errand, names.slice(0, depth))
    await syncDirectory(directory).finally(() => directory.close())
  }
}
