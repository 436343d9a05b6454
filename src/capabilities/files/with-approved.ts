import { normalize } from 'node:path'
import { type ApprovedFiles, type CallFiles, OutdatedApproval } from '../../contract/approved-files.ts'
import { toShownPath } from '../../contract/text/shown-path.ts'
import type { Files } from '../files.ts'

/**
 * The files for one call that a person was asked about. Records what its preview reads; its run may write only where,
 * and over what, the person was shown. The final check is made by the write itself, just before it takes effect.
 */
export function withApproved(files: Files, { onRead, approved }: CallFiles): Files {
  const placeOf = (path: string) => toPlace(path, approved)
  return {
    ...files,
    async readWhole(path, options) {
      const whole = await files.readWhole(path, options)
      onRead?.(path, whole.identity.digest)
      return whole
    },
    createExclusive: (path, bytes) => files.createExclusive(path, bytes, placeOf(path)),
    async replace(path, bytes, expected) {
      const shown = approved?.contents.get(normalize(path))
      if (shown !== undefined && shown !== expected.digest)
        throw new OutdatedApproval(
          `File '${toShownPath(path)}' has changed since the change was approved. Nothing was written.`,
        )
      return files.replace(path, bytes, expected, placeOf(path))
    },
    append: (path, entry, options) => files.append(path, entry, { ...options, ...placeOf(path) }),
    createDirectory: (path) => files.createDirectory(path, placeOf(path)),
  }
}

function toPlace(path: string, approved: ApprovedFiles | undefined) {
  const place = approved?.places.get(normalize(path))
  return place === undefined ? {} : { place }
}
