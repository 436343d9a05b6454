import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import { writePrivateFile } from '../../../state/private-file.ts'
import { isRealPath } from '../paths.ts'
import type { Profile } from '../sandbox.ts'
import { linuxFolders, temporaryFolders } from '../system-folders.ts'

/** How a program finds a path. A later mount covers earlier ones at or below its path. */
export interface Mount {
  readonly path: string
  /**
   * - `readable`: read-only, and left out if it no longer exists
   * - `link`: the same symlink
   * - `writable`
   * - `scratch`: an empty folder that may be filled, and is discarded when the program ends
   * - `protected`: read-only in a writable folder; the program must not run without it
   * - `hidden`: empty and read-only, except for later mounts in it
   * - `devices`, `processes`: `/dev` and `/proc` of the sandbox; `few devices`: without terminals
   */
  readonly as: 'readable' | 'link' | 'writable' | 'scratch' | 'protected' | 'hidden' | 'devices' | 'few devices' | 'processes' // biome-ignore format: one line
  /** What is found there, if it is another path. Readable and writable mounts only. */
  readonly from?: string
}

/** The mounts of a profile, in the order in which to mount them. `home` is where the program finds its own. */
export function toMounts(profile: Profile, home: string | undefined): Mount[] {
  const { workingDirectory, packages, mayInstall, write } = profile
  const outer: Mount[] = [
    ...toSystemMounts(profile.terminals ? 'devices' : 'few devices').filter(
      ({ path }) => !write.includes(workingDirectory) || !isInside(workingDirectory, path, 'linux'),
    ),
    ...(home === undefined || profile.home === undefined ? [] : [{ path: home, as: 'writable', from: profile.home } as const]), // biome-ignore format: one line
    ...profile.emptied.map(toMount('hidden')),
    ...profile.scratch.map(toMount('scratch')),
    ...profile.read.filter((path) => !linuxFolders.includes(path)).map(toMount('readable')),
    ...write.map(toMount('writable')),
  ]
  return [
    // A mount hides mounts below it, so shorter paths come first.
    ...toSorted(outer),
    // A mount point cannot be renamed.
    ...toSorted(profile.pinned.map(toMount('writable'))),
    ...profile.protected.map(toMount('protected')),
    ...profile.hidden.map(toMount('hidden')),
    ...(packages === undefined ? [] : [toMount(mayInstall ? 'writable' : 'readable')(packages)]),
    ...toResolver(profile),
  ]
}

/** The system as every confined program finds it. */
export function toSystemMounts(devices: 'devices' | 'few devices'): Mount[] {
  return [
    ...linuxFolders.filter(existsSync).map(toSystemMount),
    toMount(devices)('/dev'),
    toMount('scratch')('/dev/shm'),
    toMount('processes')('/proc'),
    // Root may write kernel settings without any capability, and some of them run programs on the host.
    ...['/proc/sys', '/proc/sysrq-trigger'].filter(existsSync).map(toMount('readable')),
    ...temporaryFolders.filter(isRealPath).map(toMount('scratch')),
  ]
}

/** A symlink of the system, such as `/bin`, stays one. */
function toSystemMount(path: string): Mount {
  return { path, as: lstatSync(path).isSymbolicLink() ? 'link' : 'readable' }
}

const toMount =
  (as: Mount['as']) =>
  (path: string): Mount => ({ path, as })

function toSorted(mounts: readonly Mount[]): Mount[] {
  return mounts.toSorted((a, b) => a.path.length - b.path.length)
}

/** Where names are looked up: in our listener, or where the machine does it, often a symlink into /run. */
function toResolver({ network, home }: Profile): Mount[] {
  if (network === 'none' || !existsSync('/etc/resolv.conf')) return []
  const path = realpathSync('/etc/resolv.conf')
  if (network === 'any' || home === undefined) return [toMount('readable')(path)]
  const own = join(home, '..', 'resolv.conf')
  writePrivateFile(own, 'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n')
  return [{ path, as: 'readable', from: own }]
}
