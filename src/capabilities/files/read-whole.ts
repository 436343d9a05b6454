import { constants } from 'node:fs'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { compilePathFilter, type PathGlobs } from '../../policy/path-filter.ts'
import type { Confinement } from './confinement.ts'
import { fileError, toDenied, toFileError } from './file-error.ts'
import type { Held } from './held.ts'
import { holdFile } from './hold-file.ts'
import { type FileIdentity, toIdentity } from './identity.ts'
import { readChunks } from './read-lines.ts'

export interface ReadWholeOptions {
  /** Default: 10 MiB. A larger file fails with `file_too_large`. */
  readonly maxBytes?: number
  /** Closes further paths; they fail with `permission_denied`, whether they exist or not. */
  readonly open?: PathGlobs
  readonly signal?: AbortSignal
}

export interface WholeFile {
  /** From the root, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Pass it to `replace`, which refuses the file if it has changed since. */
  readonly identity: FileIdentity
}

export async function readWhole(
  confinement: Confinement,
  path: string,
  { maxBytes = 10_485_760, open, signal }: ReadWholeOptions = {},
): Promise<WholeFile> {
  const held = open ? holdOpenFile(confinement, path, open) : holdFile(confinement, { action: 'read', path })
  try {
    const handle = await held.open(constants.O_RDONLY)
    try {
      const stats = await handle.stat({ bigint: true })
      if (stats.size > maxBytes)
        throw fileError('file_too_large', `File '${toShownPath(path)}' is larger than ${maxBytes} bytes`)
      const chunks: Buffer[] = []
      for await (const chunk of readChunks(handle, Number(stats.size), signal)) chunks.push(Buffer.from(chunk))
      const bytes = Buffer.concat(chunks)
      return { path: confinement.toRelative(held.real), bytes, identity: toIdentity(stats, bytes) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw toFileError(error, 'read', path)
  } finally {
    held.close()
  }
}

/** Checked on the given names before any lookup, then on what they resolve to. */
function holdOpenFile(confinement: Confinement, path: string, globs: PathGlobs): Held {
  const errand = { action: 'read', path, filter: compilePathFilter(globs) } as const
  if (errand.filter(confinement.decide(path)) !== 'open') throw toDenied('read', path)
  const held = holdFile(confinement, errand)
  if (errand.filter(confinement.toNames(held.real)) === 'open') return held
  held.close()
  throw toDenied('read', path)
}
