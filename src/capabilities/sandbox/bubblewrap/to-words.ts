import { readlinkSync, statSync } from 'node:fs'
import type { Mount } from './mounts.ts'

/** What bubblewrap is told about one confined program. */
export interface BubblewrapOptions {
  /** In the order in which to mount them. */
  readonly mounts: readonly Mount[]
  /** Whether the network of the machine is shared. */
  readonly network: boolean
  /** Limit for each scratch folder. Without one, each may take half of the machine's memory. */
  readonly scratchBytes: number | undefined
  readonly workingDirectory: string
  /** Whether it may listen at low ports of its own loopback: names are looked up at port 53, and hosts reached at 443. */
  readonly mayBind: boolean
}

/** The words after `bwrap` that run `words` confined. The system call filter is read from descriptor 4. */
export function toBubblewrapWords(options: BubblewrapOptions, words: readonly string[]): string[] {
  const { mounts, network, scratchBytes, workingDirectory, mayBind } = options
  const capabilities = [
    // Without these, root could not use a folder that another user owns.
    ...(process.getuid?.() === 0 ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'] : []),
    ...(mayBind ? ['CAP_NET_BIND_SERVICE'] : []),
  ]
  return [
    // No other processes and their memory, no network, and no privileges.
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    ...capabilities.flatMap((name) => ['--cap-add', name]),
    ...mounts.flatMap((mount) => toMountWords(mount, scratchBytes)),
    ...mounts.filter(isHiddenFolder).flatMap(({ path }) => ['--remount-ro', path]),
    // Both are file systems in memory whose size is not limited.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--seccomp', '4', '--chdir', workingDirectory, '--'],
    ...words,
  ]
}

function isHiddenFolder({ path, as }: Mount): boolean {
  return as === 'hidden' && statSync(path).isDirectory()
}

function toMountWords(mount: Mount, scratchBytes: number | undefined): string[] {
  const { path, as, from = path } = mount
  switch (as) {
    case 'readable':
      return ['--ro-bind-try', from, path]
    case 'link':
      return ['--symlink', readlinkSync(path), path]
    case 'writable':
      return ['--bind', from, path]
    case 'scratch':
      // Each folder may take this much; `watchUsage` counts all of them towards the memory of the program.
      return [...(scratchBytes === undefined ? [] : ['--size', String(scratchBytes)]), '--tmpfs', path]
    case 'protected':
      return ['--ro-bind', path, path]
    case 'hidden':
      return isHiddenFolder(mount) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
    case 'devices':
      return ['--dev', path]
    case 'few devices':
      return toFewDevices(path)
    case 'processes':
      return ['--proc', path]
  }
}

/**
 * No terminals. With `--dev`, bubblewrap needs a second user namespace, in which the capabilities of a program do not extend
 * to its network.
 */
function toFewDevices(path: string): string[] {
  const devices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `${path}/${name}`)
  const links = [['fd', ''], ['stdin', '/0'], ['stdout', '/1'], ['stderr', '/2']] as const // biome-ignore format: one line
  return [
    ...['--tmpfs', path],
    ...devices.flatMap((device) => ['--dev-bind', device, device]),
    ...links.flatMap(([name, descriptor]) => ['--symlink', `/proc/self/fd${descriptor}`, `${path}/${name}`]),
  ]
}
