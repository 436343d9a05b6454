import { homedir } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import { isInside } from '../../policy/path.ts'

/** A path as it is written into the config: relative to it, or to the home directory, where it is in one of them. */
export function toGrantPath(path: string, folder: string | undefined): string {
  const absolute = resolve(path.replace(/^~(?=\/|$)/, homedir()))
  if (folder !== undefined && isInside(folder, absolute, process.platform)) return relative(folder, absolute) || '.'
  const inHome = relative(homedir(), absolute)
  return inHome === '' ? '~' : inHome.startsWith('..') || isAbsolute(inHome) ? absolute : `~/${inHome}`
}
