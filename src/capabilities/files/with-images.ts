import { createHash } from 'node:crypto'
import type { Image, KeepImage } from '../../contract/image.ts'
import type { Files } from '../files.ts'

/** Larger files are written too, but cannot be restored. */
export const maxImageBytes = 10_485_760

/**
 * The same files, which report the current content before each write. If that cannot be stored, the write does not
 * happen.
 */
export function withImages(files: Files, keep: KeepImage): Files {
  /** Folders that a write would create, outermost first. */
  async function keepParents(path: string) {
    const parts = path.split('/').slice(0, -1)
    for (let count = 1; count <= parts.length; count++) {
      const parent = parts.slice(0, count).join('/')
      if (!(await files.locate(parent)).exists) await keep({ path: parent, before: null, after: 'directory' })
    }
  }

  async function look(path: string): Promise<Pick<Image, 'path' | 'before'>> {
    const { path: found, exists } = await files.locate(path)
    if (exists) return readImage(files, found)
    await keepParents(found)
    return { path: found, before: null }
  }

  return {
    ...files,
    async createExclusive(path, bytes) {
      const { path: found, exists } = await files.locate(path)
      if (!exists) {
        await keepParents(found)
        await keep({ path: found, before: null, after: toContentDigest(bytes) })
      }
      return files.createExclusive(path, bytes)
    },
    async replace(path, bytes, expected) {
      await keep({ ...(await look(path)), after: toContentDigest(bytes) })
      return files.replace(path, bytes, expected)
    },
    async append(path, entry, options) {
      const image = await look(path)
      await keep(image)
      const appended = await files.append(path, entry, options)
      // The result is known only now: others may have appended meanwhile.
      const { before } = await readImage(files, image.path)
      await keep({ ...image, ...(before instanceof Uint8Array && { after: toContentDigest(before) }) })
      return appended
    },
    async createDirectory(path) {
      const { path: found, exists } = await files.locate(path)
      if (!exists) {
        await keepParents(found)
        await keep({ path: found, before: null, after: 'directory' })
      }
      return files.createDirectory(path)
    },
  }
}

export function toContentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function readImage(files: Files, path: string): Promise<Pick<Image, 'path' | 'before'>> {
  try {
    return { path, before: (await files.readWhole(path, { maxBytes: maxImageBytes })).bytes }
  } catch (error) {
    if ((error as { code?: string }).code === 'file_too_large') return { path, before: 'too_large' }
    throw error
  }
}
