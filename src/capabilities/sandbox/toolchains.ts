import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside } from '../../policy/path.ts'
import { findRealPath } from './paths.ts'

export interface ToolchainOptions {
  readonly searchPath: string | undefined
  /** Folders that are mounted anyway. */
  readonly mounted: readonly string[]
  /** The real path of the home directory. Neither it nor a folder around it is ever a toolchain. */
  readonly home: string | undefined
}

const maxFolders = 100

/**
 * The folders that programs on the search path need, such as a Node installation in the home directory: for each entry
 * its installation, or the entry alone if it is not part of one. Symlinks in it are followed to an installation or a
 * single file, since a folder such as `~/.local/bin` often contains nothing else. A path that is a symlink is mounted
 * under both names.
 */
export function findToolchains({ searchPath = '', mounted, home }: ToolchainOptions): string[] {
  const found: string[] = []
  const isMounted = (path: string) => [...mounted, ...found].some((folder) => isInside(folder, path, 'linux'))
  const folders = searchPath.split(delimiter).filter((path) => isAbsolute(path) && !windowsDrive.test(path))
  for (let at = 0; at < folders.length && at < maxFolders; at++) {
    const folder = resolve(folders[at]!)
    const real = findRealPath(folder)
    if (real === undefined || isAround(real, home)) continue
    const installation = findInstallation(folder, home) ?? folder
    for (const path of [installation, findRealPath(installation)!]) if (!isMounted(path)) found.push(path)
    if (mounted.some((path) => isInside(path, real, 'linux'))) continue
    for (const program of findLinkedPrograms(real).filter((path) => !isMounted(path))) {
      if (findInstallation(dirname(program), home)) folders.push(dirname(program))
      else found.push(program)
    }
  }
  return found
}

/** Programs there run outside Linux, and so outside any sandbox (WSL). */
const windowsDrive = /^\/mnt\/[a-z]\//

/** The parent of a `bin`, if it is an installation and not a folder with other content. */
function findInstallation(folder: string, home: string | undefined): string | undefined {
  const parent = dirname(folder)
  const real = findRealPath(parent)
  if (real === undefined || isAround(real, home) || shared.some((name) => home && real === join(home, name)))
    return undefined
  if (basename(folder) === '.bin') return parent
  return /^(?:s?bin|shims)$/.test(basename(folder)) && parts.some((name) => existsSync(join(parent, name)))
    ? parent
    : undefined
}

/** Entries that distinguish an installation from other folders with a `bin`. */
const parts = ['lib', 'lib64', 'libexec', 'versions', 'installs', 'install', 'tools']

/** Folders in the home directory that contain credentials or data beside their `bin`. */
const shared = ['.local', '.cargo', 'go']

function findLinkedPrograms(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .flatMap(({ name }) => findRealPath(join(folder, name)) ?? [])
      .filter((path) => !statSync(path).isDirectory())
  } catch {
    return []
  }
}

function isAround(folder: string, home: string | undefined): boolean {
  return folder === '/' || (home !== undefined && isInside(folder, home, 'linux'))
}
