import { constants } from 'node:fs'
import type { Confinement } from './confinement.ts'
import { fileError, toFileError } from './file-error.ts'
import { holdFile } from './hold-file.ts'
import { type FileIdentity, toIdentity } from './identity.ts'
import { readChunks } from './read-lines.ts'
import { toShownPath } from './shown-path.ts'

export interface ReadWholeOptions {
  /** Default: 10 MiB. A larger file fails with `file_too_large`. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface WholeFile {
  /** From the root, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** To be handed to `replace`, which refuses a file that is no longer this one. */
  readonly identity: FileIdentity
}

export async function readWhole(
  confinement: Confinement,
  path: string,
  { maxBytes = 10_485_760, signal }: ReadWholeOptions = {},
): Promise<WholeFile> {
  const held = holdFile(confinement, { action: 'read', path })
  try {
    if (held.stats.size > maxBytes)
      throw fileError('file_too_large', `File '${toShownPath(path)}' is larger than ${maxBytes} bytes`)
    const handle = await held.open(constants.O_RDONLY)
    try {
      const stats = await handle.stat({ bigint: true })
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
