import { randomUUID } from 'node:crypto'
import { constants, lstatSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Held } from './held.ts'

/** Attributes that a new file takes over from the one it replaces. */
export interface Ownership {
  readonly mode: number
  readonly user: number
  readonly group: number
}

/**
 * Writes a file under a temporary name, flushes it to disk, and publishes it under its final name. After a crash, the
 * final name has either the old content or all of the new. The temporary name is always removed.
 */
export async function writeThrough(
  directory: Held,
  { bytes, ownership, publish }: { bytes: Uint8Array; ownership?: Ownership; publish: (temporary: string) => void },
): Promise<void> {
  const temporary = directory.at(`.toolpact-${randomUUID()}.tmp`)
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666)
  try {
    try {
      await confirm(handle, temporary, directory)
      await handle.writeFile(bytes)
      if (ownership) await take(handle, ownership)
      await handle.sync()
    } finally {
      await handle.close()
    }
    publish(temporary)
  } finally {
    rmSync(temporary, { force: true })
  }
  await syncDirectory(directory)
}

/** Without descriptors the directory may have been swapped: check before the first byte is written. */
async function confirm(handle: FileHandle, path: string, directory: Held): Promise<void> {
  const { ino } = await handle.stat({ bigint: true })
  directory.where()
  if (lstatSync(path, { bigint: true }).ino !== ino) throw new Error('The directory was replaced during the call.')
}

async function take(handle: FileHandle, { mode, user, group }: Ownership): Promise<void> {
  if (process.platform === 'win32') return
  const found = await handle.stat()
  // Only root can change the owner; for other users the file becomes their own.
  if (found.uid !== user || found.gid !== group) await handle.chown(user, group).catch(() => {})
  await handle.chmod(mode)
}

/** The directory entry must be flushed too. Some file systems do not support this, or need it. */
export async function syncDirectory(directory: Held): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const handle = await open(directory.path, constants.O_RDONLY | constants.O_DIRECTORY)
    await handle.sync().finally(() => handle.close())
  } catch {}
}
