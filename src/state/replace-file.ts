import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'

/** Replaces a file atomically: concurrent readers see the old text or the new. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // Behind a link it is the file that changes, not the link.
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(temporary, 'wx')
  try {
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await rename(temporary, target)
  } catch (cause) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw cause
  }
}
