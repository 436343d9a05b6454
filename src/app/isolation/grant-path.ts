import { homedir } from 'node:os'
import { isAbsolute, relative } from 'node:path'
import { isInside } from '../../policy/path.ts'
import { toAbsolute } from './is-granted.ts'

/** A path as it is written into the config: relative to it, or to the home directory, where it is in one of them. */
export function toGrantPath(path: string, folder: string | undefined): string {
  const absolute = toAbsolute(path, '.')
  if (folder !== undefined && isInside(folder, absolute, process.platform)) return relative(folder, absolute) || '.'
  const inHome = relative(homedir(), absolute)
  return inHome === '' ? '~' : inHome.startsWith('..') || isAbsolute(inHome) ? absolute : `~/${inHome}`
}
