import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import { temporaryFolders } from '../discarded.ts'
import { findGitMounts } from './git-mounts.ts'
import type { GitUse, SandboxOptions } from './sandbox.ts'
import { findToolchains } from './toolchains.ts'

/** Words for bubblewrap that put something in place. */
interface Mount {
  readonly target: string
  readonly words: readonly string[]
}

/**
 * What a command finds in the file system: the system and toolchains read-only, the working directory writable, temporary
 * folders and caches of its own, and nothing else. The home directory is empty but for the toolchains and package caches
 * in it. The words are in the order in which bubblewrap mounts.
 */
export function createMounts(options: SandboxOptions): (git: GitUse) => string[] {
  const { workingDirectory, hidden, protectedPaths } = options
  const home = toHome(options)
  const base = toBase(options, home)
  return (use) => {
    const git = findGitMounts(workingDirectory, { ...use, home })
    const outer = [...base, ...git.readable.map(readOnly), ...git.writable.map(writable)]
    return [
      // What is mounted on a folder hides the mounts below it: a shorter path comes first.
      ...outer.toSorted((a, b) => a.target.length - b.target.length).flatMap(({ words }) => words),
      ...writable(workingDirectory).words,
      ...toPinnedParents(protectedPaths, workingDirectory),
      ...[...protectedPaths, ...git.protected].flatMap((path) => toProtected(path, git.writable, workingDirectory)),
      ...hidden.flatMap(toHiding),
      ...(home === undefined ? [] : ['--remount-ro', home, '--setenv', 'HOME', home]),
      // Both are file systems in memory, without a limit of ours on their size.
      ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ]
  }
}

/** Programs, libraries and settings that belong to the system. `/var` and `/run` hold the sockets and data of services. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  ...['/nix/store', '/nix/var/nix/profiles', '/gnu/store', '/run/current-system'],
  ...['/var/lib/dpkg', '/var/lib/ca-certificates', '/var/lib/alternatives'],
  ...['/sys/devices/system', '/sys/fs/cgroup'],
]

/** Settings and toolchains in the home directory that hold no credentials. */
const homeFolders = [
  ...['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'],
  ...['.rustup', '.local/lib', '.tool-versions'],
]

/** Folders in the home directory that are empty and writable for each command, and what of them is there to be read. */
const cacheFolders: { readonly [folder: string]: readonly string[] } = {
  '.cache': ['ms-playwright', 'node', 'node-gyp'],
  '.cargo': ['bin', 'registry', 'git'],
  '.gradle': ['wrapper'],
  '.m2': ['repository'],
  '.npm': [],
  go: ['bin', 'pkg/mod'],
}

function toBase(options: SandboxOptions, home: string | undefined): Mount[] {
  const { workingDirectory, network, readable, limits, searchPath } = options
  // Often a link into /run.
  const resolver = network && existsSync('/etc/resolv.conf') ? [realpathSync('/etc/resolv.conf')] : []
  const system = [...systemFolders.filter(existsSync), ...resolver]
  const named = readable.filter((path) => existsSync(path)).flatMap((path) => [...new Set([path, realpathSync(path)])])
  const mounted = [...system, ...named, workingDirectory]
  // For each of them; `watchUsage` counts all of them towards the memory of the command.
  const emptied = (path: string): Mount => ({
    target: path,
    words: ['--size', String(Math.ceil(limits.memoryBytes / 2)), '--tmpfs', path],
  })
  const inHome = (names: readonly string[]) => (home === undefined ? [] : names.map((name) => join(home, name)))
  const caches = inHome(Object.keys(cacheFolders)).filter((path) => !isInside(path, workingDirectory, 'linux'))
  const kept = inHome(
    Object.entries(cacheFolders).flatMap(([folder, names]) => names.map((name) => join(folder, name))),
  )
  return [
    ...system.map(readOnly),
    { target: '/dev', words: ['--dev', '/dev'] },
    emptied('/dev/shm'),
    { target: '/proc', words: ['--proc', '/proc'] },
    // Root may write kernel settings without any capability, and some of them run programs on the host.
    readOnly('/proc/sys'),
    ...['/proc/sysrq-trigger'].filter(existsSync).map(readOnly),
    ...temporaryFolders.filter(isRealPath).map(emptied),
    ...(home === undefined ? [] : [emptied(home)]),
    ...caches.map(emptied),
    ...[...kept, ...inHome(homeFolders)].filter(existsSync).map(readOnly),
    ...findToolchains({ searchPath, mounted, home }).map(readOnly),
    ...named.map(readOnly),
  ].filter(({ target }) => target === '/' || !isInside(workingDirectory, target, 'linux'))
}

/** The home directory if it can be emptied: not where it is part of what a command may see. */
function toHome({ home, workingDirectory, readable }: SandboxOptions): string | undefined {
  if (home === undefined || !existsSync(home)) return undefined
  const real = realpathSync(home)
  const isVisible = [workingDirectory, ...readable].some((path) => isInside(path, real, 'linux'))
  return real === '/' || isVisible || !statSync(real).isDirectory() ? undefined : real
}

/** A symlink of the system, such as `/bin`, stays one. What has gone since it was found, such as an old version, is left out. */
function readOnly(path: string): Mount {
  const isLink = systemFolders.includes(path) && lstatSync(path).isSymbolicLink()
  const words = isLink ? ['--symlink', readlinkSync(path), path] : ['--ro-bind-try', path, path]
  return { target: path, words }
}

function writable(path: string): Mount {
  return { target: path, words: ['--bind', path, path] }
}

function isRealPath(path: string): boolean {
  return existsSync(path) && realpathSync(path) === path
}

/** Elsewhere nothing can be written anyway, and without a writable working directory no command would be of use. */
function toProtected(path: string, writable: readonly string[], workingDirectory: string): string[] {
  const isBelow = [workingDirectory, ...writable].some(
    (folder) => path !== workingDirectory && isInside(folder, path, 'linux'),
  )
  return isBelow && isRealPath(path) ? ['--ro-bind', path, path] : []
}

/** A mount point cannot be renamed, but the folder around it can, with another one put in its place: so that is one too. */
function toPinnedParents(paths: readonly string[], workingDirectory: string): string[] {
  const parents = paths.filter(isRealPath).flatMap((path) => {
    const names = isInside(workingDirectory, path, 'linux') ? relative(workingDirectory, path).split('/') : []
    return names.slice(0, -1).map((_, index) => join(workingDirectory, ...names.slice(0, index + 1)))
  })
  return [...new Set(parents)].toSorted((a, b) => a.length - b.length).flatMap((path) => writable(path).words)
}

function toHiding(path: string): string[] {
  if (!existsSync(path)) return []
  const real = realpathSync(path)
  return statSync(real).isDirectory() ? ['--tmpfs', real, '--remount-ro', real] : ['--ro-bind', '/dev/null', real]
}
