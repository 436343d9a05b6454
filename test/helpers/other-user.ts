import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleFolder } from './run-command.ts'

type OtherUser = { readonly uid?: number; readonly gid?: number; readonly cwd?: string }

const id = 65_534

/** For processes that must obey file permissions, which root ignores. */
export const otherUser: OtherUser = process.getuid?.() === 0 ? { uid: id, gid: id, cwd: tmpdir() } : {}

/** A Node that the other user can run. The checkout may be in a folder that only root can enter. */
export function nodeForOtherUser(): string {
  if (otherUser.uid === undefined || canEnter(dirname(process.execPath))) return process.execPath
  const copy = join(bundleFolder, 'node')
  if (existsSync(copy)) return copy
  // Test files run in parallel, and a file that is being written cannot be executed.
  const folder = mkdtempSync(join(bundleFolder, 'copy-'))
  copyFileSync(process.execPath, join(folder, 'node'))
  renameSync(join(folder, 'node'), copy)
  rmSync(folder, { recursive: true })
  return copy
}

/** Whether all users can enter every parent folder. */
function canEnter(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return folder === dirname(folder) || canEnter(dirname(folder))
}
