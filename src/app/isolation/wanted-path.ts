import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { TriedFile } from '../../capabilities/sandbox/server/observe/observe-files.ts'
import { printable } from '../../contract/text/printable.ts'
import { isInside } from '../../policy/path.ts'

/** What one server may use, as absolute paths. */
interface Usable {
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** Of the server itself, in the state directory. */
  readonly own: string
}

/**
 * What would have to be granted for what a server tried: a file or folder that exists outside, and that it may not use. The
 * server chooses the path, so one with hidden characters, of the system, or on a file system that is mounted on demand is
 * ignored. Undefined if it is nothing of the user's.
 */
export function findWanted({ path, access }: TriedFile, { read, write, own }: Usable): string | undefined {
  const tried = resolve(path)
  if (printable(tried) !== tried || tried.length > maxLength || systemPath.test(tried) || isIn([own], tried)) return undefined // biome-ignore format: one line
  if (isIn(access === 'write' ? write : [...read, ...write], tried)) return undefined
  const stats = statSync(tried, { throwIfNoEntry: false })
  // A new file needs the folder around it, and a program that replaces a file needs it too.
  const wanted = access === 'read' || stats?.isDirectory() ? tried : dirname(tried)
  if (!isBroad(wanted)) return stats || existsSync(wanted) ? wanted : undefined
  return stats && !isBroad(tried) ? tried : undefined
}

const maxLength = 1024
const systemPath = /^\/(?:usr|bin|sbin|lib\w*|etc|opt|proc|dev|sys|run|net|afs|nix|System|Library)(?:\/|$)/
const shared = ['/tmp', '/var/tmp', '/var', '/mnt', '/media', '/srv', '/private']

/** A folder of everything: a home directory, one around it, or one of everybody. */
function isBroad(path: string): boolean {
  return shared.includes(path) || isInside(path, homedir(), process.platform)
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isInside(folder, path, process.platform))
}
