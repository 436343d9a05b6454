import { lstatSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Image } from '../contract/image.ts'
import { type ConfinementOptions, openConfinement } from './files/confinement.ts'
import { toProtectedPaths } from './files/protected-paths.ts'
import { toContentDigest } from './files/with-images.ts'
import { openFiles } from './files.ts'

/**
 * What happened to one path. `restored` and `removed`: it is as it was. `same`: it had not changed. Nothing was touched
 * if it was `changed` since, was `too_large` to be stored, or `failed`.
 */
export interface Restored {
  readonly path: string
  readonly outcome: 'restored' | 'removed' | 'same' | 'changed' | 'too_large' | 'failed'
  /** Why it was not restored. */
  readonly reason?: string
}

interface RestoreOptions extends ConfinementOptions {
  /** Files and folders that Toolpact loads settings or code from. */
  readonly protectedPaths?: readonly string[]
}

/**
 * Restores files to their state before calls wrote them, in reverse order. A file that has changed since the call is
 * left alone. Confined like every write.
 */
export async function restoreImages(images: readonly Image[], given: RestoreOptions): Promise<Restored[]> {
  const options = { ...given, protectedPaths: toProtectedPaths(given.protectedPaths) }
  const confinement = openConfinement(options)
  const files = openFiles(options)
  const restored: Restored[] = []
  for (const image of [...images].reverse()) {
    try {
      restored.push({ path: image.path, ...(await restore(image)) })
    } catch (error) {
      restored.push({ path: image.path, outcome: 'failed', reason: (error as Error).message })
    }
  }
  return restored

  async function restore({ path, before, after }: Image): Promise<Omit<Restored, 'path'>> {
    if (before === 'too_large') return { outcome: 'too_large', reason: 'It was too large to be kept.' }
    const { exists } = await files.locate(path)
    if (!exists) {
      if (before === null) return { outcome: 'same' }
      await files.createExclusive(path, before)
      return { outcome: 'restored' }
    }
    if ((await files.stat(path)).kind === 'directory')
      return after === 'directory' && before === null ? remove(path) : changed('There is a folder now.')
    const now = await files.readWhole(path)
    const digest = toContentDigest(now.bytes)
    if (before !== null && digest === toContentDigest(before)) return { outcome: 'same' }
    if (digest !== after) return changed('It was changed since.')
    if (before === null) return remove(path)
    await files.replace(path, before, now.identity)
    return { outcome: 'restored' }
  }

  /** Only removes empty folders. */
  function remove(path: string): Omit<Restored, 'path'> {
    const errand = { action: 'modify', path } as const
    const segments = confinement.decide(path)
    const name = segments.pop()
    if (name === undefined) return changed('It is the workspace itself.')
    const parent = confinement.hold(errand, segments)
    try {
      confinement.admitWrite(join(parent.where(), name), errand)
      const found = lstatSync(parent.at(name))
      if (found.isDirectory()) rmdirSync(parent.at(name))
      else unlinkSync(parent.at(name))
      return { outcome: 'removed' }
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (['ENOTEMPTY', 'EEXIST'].includes(code)) return changed('The folder has other things in it.')
      throw error
    } finally {
      parent.close()
    }
  }
}

function changed(reason: string): Omit<Restored, 'path'> {
  return { outcome: 'changed', reason }
}
