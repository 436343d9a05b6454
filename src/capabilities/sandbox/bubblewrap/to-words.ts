import { readlinkSync, statSync } from 'node:fs'
import type { Mount } from '../mounts.ts'

/** What bubblewrap is told about one confined program, be it a command or a server. */
export interface BubblewrapProfile {
  /** In the order in which to mount them. */
  readonly mounts: readonly Mount[]
  /** Whether the network of the machine is shared. */
  readonly network: boolean
  /** Limit for each scratch folder. */
  readonly scratchBytes: number
  /** Mount points of which nothing may be written except in mounts below them. */
  readonly sealed: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly workingDirectory: string
  /** Capabilities within its namespaces, such as `CAP_NET_BIND_SERVICE`. */
  readonly capabilities?: readonly string[]
}

/** The words after `bwrap` that run `words` confined. The system call filter is read from descriptor 4. */
export function toBubblewrapWords(profile: BubblewrapProfile, words: readonly string[]): string[] {
  const { mounts, network, scratchBytes, sealed, environment, workingDirectory, capabilities = [] } = profile
  const isRoot = process.getuid?.() === 0
  return [
    // No other processes and their memory, no network, and no privileges.
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    // Without these, root could not use a folder that another user owns.
    ...[...(isRoot ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'] : []), ...capabilities].flatMap((name) => ['--cap-add', name]), // biome-ignore format: one line
    ...mounts.flatMap((mount) => toMountWords(mount, scratchBytes)),
    ...sealed.flatMap((path) => ['--remount-ro', path]),
    // Both are file systems in memory whose size is not limited.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', '4', '--chdir', workingDirectory, '--'],
    ...words,
  ]
}

/** Before 0.7 there is no --size: a temporary folder may take half of the machine's memory. */
export function withoutSizes(words: readonly string[]): string[] {
  const end = words.indexOf('--')
  return words.filter((word, index) => index > end || (word !== '--size' && words[index - 1] !== '--size'))
}

function toMountWords({ path, as, from = path }: Mount, scratchBytes: number): string[] {
  switch (as) {
    case 'readable':
      return ['--ro-bind-try', from, path]
    case 'link':
      return ['--symlink', readlinkSync(path), path]
    case 'writable':
      return ['--bind', from, path]
    case 'scratch':
      // Each folder may take this much; `watchUsage` counts all of them towards the memory of the program.
      return ['--size', String(scratchBytes), '--tmpfs', path]
    case 'protected':
      return ['--ro-bind', path, path]
    case 'hidden':
      return statSync(path).isDirectory() ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]
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
