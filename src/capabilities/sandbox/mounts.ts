import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInside } from '../../policy/path.ts'
import { findGitMounts } from './git-mounts.ts'
import type { GitUse, SandboxOptions } from './sandbox.ts'
import { findToolchains } from './toolchains.ts'

/** Empty for each command, writable, and discarded afterwards. */
export const temporaryFolders = ['/tmp', '/var/tmp', '/run']

/** How a command finds a path, whatever the driver. A later mount covers earlier ones at or below its path. */
export interface Mount {
  readonly path: string
  /**
   * - `readable`: read-only, and left out if it no longer exists
   * - `link`: the same symlink
   * - `writable`
   * - `scratch`: an empty folder that may be filled, and is discarded when the command ends
   * - `protected`: read-only in a writable folder; the command must not run without it
   * - `hidden`: empty and read-only
   * - `devices`, `processes`: `/dev` and `/proc` of the sandbox; `few devices`: without terminals
   */
  readonly as: 'readable' | 'link' | 'writable' | 'scratch' | 'protected' | 'hidden' | 'devices' | 'few devices' | 'processes' // biome-ignore format: one line
  /** What is found there, if it is another path. Readable and writable mounts only. */
  readonly from?: string
}

export interface Mounts {
  /** In the order in which to mount them. */
  readonly mounts: readonly Mount[]
  /** The home directory if it is a scratch folder: nothing may be written in it except in its own mounts. */
  readonly home: string | undefined
}

/**
 * What a command finds in the file system: the system and toolchains read-only, the working directory writable, temporary
 * folders and caches, and nothing else. The home directory is empty except for toolchains and package caches.
 */
export function createMounts(options: SandboxOptions): (git: GitUse) => Mounts {
  const { workingDirectory, hidden, protectedPaths } = options
  const home = toHome(options)
  const base = toBase(options, home)
  return (use) => {
    const git = findGitMounts(workingDirectory, { ...use, home })
    const outer = [...base, ...git.readable.map(readable), ...git.writable.map(writable)]
    return {
      home,
      mounts: [
        // A mount hides mounts below it, so shorter paths come first.
        ...outer.toSorted((a, b) => a.path.length - b.path.length),
        writable(workingDirectory),
        ...toPinnedParents(protectedPaths, workingDirectory),
        ...[...protectedPaths, ...git.protected]
          .filter((path) => isProtectable(path, [workingDirectory, ...git.writable], workingDirectory))
          .map(toMount('protected')),
        ...hidden
          .filter(existsSync)
          .map((path) => realpathSync(path))
          .map(toMount('hidden')),
      ],
    }
  }
}

/** Programs, libraries and settings of the system. `/var` and `/run` contain sockets and data of services. */
export const systemFolders: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  ...['/nix/store', '/nix/var/nix/profiles', '/gnu/store', '/run/current-system'],
  ...['/var/lib/dpkg', '/var/lib/ca-certificates', '/var/lib/alternatives'],
  ...['/sys/devices/system', '/sys/fs/cgroup'],
]

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

function toBase(options: SandboxOptions, home: string | undefined): Mount[] {
  const { workingDirectory, network, searchPath } = options
  // Often a symlink into /run.
  const resolver = network && existsSync('/etc/resolv.conf') ? [realpathSync('/etc/resolv.conf')] : []
  const system = [...systemFolders.filter(existsSync), ...resolver]
  const named = options.readable.filter(existsSync).flatMap(toNames)
  const mounted = [...system, ...named, workingDirectory]
  const inHome = (names: readonly string[]) => (home === undefined ? [] : names.map((name) => join(home, name)))
  const caches = inHome(Object.keys(cacheFolders)).filter((path) => !isInside(path, workingDirectory, 'linux'))
  const kept = inHome(
    Object.entries(cacheFolders).flatMap(([folder, names]) => names.map((name) => join(folder, name))),
  )
  return [
    ...toSystemMounts('devices'),
    ...resolver.map(readable),
    ...(home === undefined ? [] : [scratch(home)]),
    ...caches.map(scratch),
    ...[...kept, ...inHome(homeFolders)].filter(existsSync).map(readable),
    ...findToolchains({ searchPath, mounted, home }).map(readable),
    ...named.map(readable),
  ].filter(({ path }) => path === '/' || !isInside(workingDirectory, path, 'linux'))
}

/** The system as every confined program finds it. */
export function toSystemMounts(devices: 'devices' | 'few devices'): Mount[] {
  return [
    ...systemFolders.filter(existsSync).map(readable),
    toMount(devices)('/dev'),
    scratch('/dev/shm'),
    toMount('processes')('/proc'),
    // Root may write kernel settings without any capability, and some of them run programs on the host.
    readable('/proc/sys'),
    ...['/proc/sysrq-trigger'].filter(existsSync).map(readable),
    ...temporaryFolders.filter(isRealPath).map(scratch),
  ]
}

/** A path and, if it is a symlink, its target: both are mounted. */
export function toNames(path: string): string[] {
  return [...new Set([path, realpathSync(path)])]
}

/** The home directory, unless a command may see it or a folder around it. */
function toHome({ home, workingDirectory, readable }: SandboxOptions): string | undefined {
  if (home === undefined || !existsSync(home)) return undefined
  const real = realpathSync(home)
  const isVisible = [workingDirectory, ...readable].some((path) => isInside(path, real, 'linux'))
  return real === '/' || isVisible || !statSync(real).isDirectory() ? undefined : real
}

export const toMount =
  (as: Mount['as']) =>
  (path: string): Mount => ({ path, as })
const writable = toMount('writable')
const scratch = toMount('scratch')

/** A symlink of the system, such as `/bin`, stays one. */
function readable(path: string): Mount {
  const isLink = systemFolders.includes(path) && lstatSync(path).isSymbolicLink()
  return { path, as: isLink ? 'link' : 'readable' }
}

export function isRealPath(path: string): boolean {
  return existsSync(path) && realpathSync(path) === path
}

/** Other folders cannot be written anyway, and without a writable working directory commands would be useless. */
function isProtectable(path: string, writable: readonly string[], workingDirectory: string): boolean {
  return path !== workingDirectory && writable.some((folder) => isInside(folder, path, 'linux')) && isRealPath(path)
}

/** A mount point cannot be renamed, but its parent could be, and replaced: so every parent becomes a mount point too. */
export function toPinnedParents(paths: readonly string[], workingDirectory: string): Mount[] {
  const parents = paths.filter(isRealPath).flatMap((path) => {
    const names = isInside(workingDirectory, path, 'linux') ? relative(workingDirectory, path).split('/') : []
    return names.slice(0, -1).map((_, index) => join(workingDirectory, ...names.slice(0, index + 1)))
  })
  return [...new Set(parents)].toSorted((a, b) => a.length - b.length).map(writable)
}
