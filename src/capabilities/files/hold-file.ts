import { accessSync, constants } from 'node:fs'
import { toShownPath } from '../../contract/text/shown-path.ts'
import type { Confinement, Errand } from './confinement.ts'
import { fileError, toFileError } from './file-error.ts'
import type { Held } from './held.ts'

/** Opens a regular file. A FIFO, device or socket is refused before it is opened. */
export function holdFile(confinement: Confinement, errand: Errand): Held {
  const held = confinement.hold(errand)
  if (held.stats.isFile()) return held
  held.close()
  const shown = toShownPath(errand.path)
  throw held.stats.isDirectory()
    ? fileError('not_a_file', `Path '${shown}' is a directory, not a file`)
    : fileError('not_a_file', `Path '${shown}' is not a regular file`)
}

/** Fails as a read would, as far as can be known without reading. */
export async function checkRead(confinement: Confinement, path: string): Promise<undefined> {
  const held = holdFile(confinement, { action: 'read', path })
  try {
    accessSync(held.path, constants.R_OK)
  } catch (error) {
    throw toFileError(error, 'read', path)
  } finally {
    held.close()
  }
}
