import { linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../../state/file-lock.ts'
import { readPrivateFile, syncDirectory, writePrivateFile } from '../../state/private-file.ts'
import { makeKey, readOwnKey, toKeyPaths, usesOwnKey, type VaultOptions } from './open-vault.ts'

const lockMs = 10_000

/**
 * Encrypts everything with the newest key. If that is the one that Toolpact created, a new one replaces it first, and the former one
 * is deleted at the end. A process that is killed in between leaves both keys, which every process reads, and the next rotation
 * finishes.
 */
export async function rotateKey(options: VaultOptions, reencrypt: () => Promise<void>): Promise<void> {
  const { stateDirectory } = options
  if (!usesOwnKey(options)) return reencrypt()
  const { path, former } = toKeyPaths(stateDirectory)
  readOwnKey(stateDirectory)
  await withFileLock(join(stateDirectory, 'vault.lock'), lockMs, () => {
    // Another name for the file, which the new one does not overwrite.
    if (!readPrivateFile(former)) linkSync(path, former)
    syncDirectory(stateDirectory)
    const isReplaced = Buffer.compare(readPrivateFile(former)!, readPrivateFile(path)!) !== 0
    if (!isReplaced) writePrivateFile(path, makeKey())
  })
  await reencrypt()
  rmSync(former, { force: true })
  syncDirectory(stateDirectory)
}
