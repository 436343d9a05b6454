import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import type { GitAccess } from '../../process/git-command.ts'
import type { CommandLimits } from '../../process/limits.ts'
import { findPinned, findProtected, toNames } from '../paths.ts'
import type { Profile } from '../sandbox.ts'
import { systemFolders } from '../system-folders.ts'
import { findToolchains } from '../toolchains.ts'
import { findGitPaths } from './git-paths.ts'

/** What commands of one working directory may touch. */
export interface CommandOptions {
  readonly workingDirectory: string
  readonly searchPath: string | undefined
  readonly home: string | undefined
  readonly network: boolean
  readonly unixSockets: boolean
  /** Absolute paths that a command may read, in addition to the system, toolchains and the working directory. */
  readonly read: readonly string[]
  /** Absolute paths that a command finds empty. */
  readonly hidden: readonly string[]
  /** Real paths, and symlinks to them, that a command must not write even in the working directory. */
  readonly protected: readonly string[]
  readonly limits: CommandLimits
}

export interface ConfinedCommand extends Pick<Profile, 'words' | 'environment'> {
  readonly git: GitUse
}

/** What a command may do with the repositories of the working directory. */
export interface GitUse {
  readonly access: GitAccess
  /** The result of `findGitDirectories`. */
  readonly directories: readonly string[]
}

/**
 * The profile of commands, the strictest: toolchains and package caches can be read, the working directory written, and
 * nothing is kept elsewhere. The home directory is empty except for these.
 */
export function createCommandProfile(options: CommandOptions): (command: ConfinedCommand) => Profile {
  const { workingDirectory, network, unixSockets, limits } = options
  const home = findHome(options)
  const own = findOwn(options, home)
  const hidden = options.hidden.filter(existsSync).map((path) => realpathSync(path))
  return ({ words, environment, git: use }) => {
    const git = findGitPaths(workingDirectory, { ...use, home })
    const write = [...git.write, workingDirectory]
    return {
      words,
      environment: { ...environment, ...(home !== undefined && { HOME: home }) },
      workingDirectory,
      read: [...own.read, ...git.read],
      write,
      protected: findProtected([...options.protected, ...git.protected], write),
      pinned: findPinned(options.protected, workingDirectory),
      hidden,
      emptied: home === undefined ? [] : [home],
      scratch: own.scratch,
      network: network ? 'any' : 'none',
      unixSockets,
      terminals: true,
      limits,
      scratchBytes: Math.ceil(limits.memoryBytes / 2),
      isCommand: true,
    }
  }
}

/** Settings and toolchains in the home directory without credentials. */
const homeFolders = [
  ...['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'],
  ...['.rustup', '.local/lib', '.tool-versions'],
]

/**
 * Folders in the home directory that are empty and writable for each command, and their subfolders that can be read.
 */
const cacheFolders: { readonly [folder: string]: readonly string[] } = {
  '.cache': ['ms-playwright', 'node', 'node-gyp'],
  '.cargo': ['bin', 'registry', 'git'],
  '.gradle': ['wrapper'],
  '.m2': ['repository'],
  '.npm': [],
  go: ['bin', 'pkg/mod'],
}

function findOwn(options: CommandOptions, home: string | undefined): Pick<Profile, 'read' | 'scratch'> {
  const { workingDirectory, searchPath } = options
  const named = toNames(options.read)
  const mounted = [...systemFolders.filter(existsSync), ...named, workingDirectory]
  const inHome = (names: readonly string[]) => (home === undefined ? [] : names.map((name) => join(home, name)))
  const kept = Object.entries(cacheFolders).flatMap(([folder, names]) => names.map((name) => join(folder, name)))
  // What is in the working directory may be written, whatever else it is.
  const isOutside = (path: string) => !isInside(workingDirectory, path, 'linux')
  return {
    read: [
      ...inHome([...kept, ...homeFolders]).filter(existsSync),
      ...findToolchains({ searchPath, mounted, home }),
      ...named,
    ].filter(isOutside),
    scratch: inHome(Object.keys(cacheFolders)).filter(
      (path) => isOutside(path) && !isInside(path, workingDirectory, 'linux'),
    ),
  }
}

/** The home directory, unless a command may see it or a folder around it. */
function findHome({ home, workingDirectory, read }: CommandOptions): string | undefined {
  if (home === undefined || !existsSync(home)) return undefined
  const real = realpathSync(home)
  const isVisible = [workingDirectory, ...read].some((path) => isInside(path, real, 'linux'))
  return real === '/' || isVisible || !statSync(real).isDirectory() ? undefined : real
}
