import { isInside } from '../../../policy/path.ts'
import type { Profile } from '../sandbox.ts'
import { macFolders } from '../system-folders.ts'

/** The profile as `sandbox-exec -p` reads it: everything is denied that it does not name, and later lines win. */
export function toSeatbeltProfile(profile: Profile, temporary: string): string {
  const { home, packages, mayInstall, read, write, network, proxy, terminals, unixSockets } = profile
  const own = [...(home === undefined ? [] : [home]), temporary]
  const installed = packages === undefined ? [] : [packages]
  const inner = read.filter((path) => write.some((folder) => folder !== path && isInside(folder, path, 'linux')))
  const again = write.filter((path) => inner.some((folder) => isInside(folder, path, 'linux')))
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read ipc-posix-shm ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd") (global-name "com.apple.logd"))',
    // Paths must be resolved, which reads no content.
    '(allow file-read-metadata)',
    `(allow file-read* (literal "/") ${toPaths([...macFolders, ...read, ...write])})`,
    `(allow file-write* (literal "/dev/null") (literal "/dev/tty") ${toPaths(write)})`,
    ...toRule('deny file-write*', inner),
    ...toRule('allow file-write*', again),
    ...toRule('deny file-write*', profile.protected),
    // A folder around a protected path could be renamed, and replaced.
    ...profile.pinned.map((path) => `(deny file-write-unlink (literal ${JSON.stringify(path)}))`),
    ...toRule('deny file-read* file-write*', profile.hidden),
    ...toRule('allow file-read*', [...own, ...installed]),
    ...toRule('allow file-write*', [...own, ...(mayInstall ? installed : [])]),
    ...(mayInstall ? [] : toRule('deny file-write*', installed)),
    ...(terminals
      ? ['(allow pseudo-tty)', '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx") (regex #"^/dev/ttys"))']
      : []),
    ...toNetwork(network, proxy),
    unixSockets ? '(allow network* (local unix-socket) (remote unix-socket))' : '(deny network* (remote unix-socket))',
  ].join('\n')
}

function toNetwork(network: Profile['network'], proxy: string | undefined): string[] {
  if (network === 'any') return ['(allow network*)', '(allow mach-lookup (global-name "com.apple.dnssd.service"))']
  return proxy === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${new URL(proxy).port}"))`]
}

function toRule(rule: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`(${rule} ${toPaths(paths)})`]
}

function toPaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${JSON.stringify(path)})`).join(' ')
}
