import { existsSync } from 'node:fs'
import { type ServerDriver, type ServerProfile, toConfinedEnvironment } from '../server/server-driver.ts'

const program = '/usr/bin/sandbox-exec'

/** Confines servers with a Seatbelt profile (macOS). There are no namespaces: other processes are hidden, not absent. */
export const seatbelt: ServerDriver = {
  name: 'seatbelt',
  async findFault() {
    if (process.platform !== 'darwin') return { reason: 'Seatbelt is part of macOS', suggestion: 'use bubblewrap' }
    return existsSync(program) ? undefined : { reason: `${program} is missing`, suggestion: 'use a container' }
  },
  confine(profile) {
    const { home, words, workingDirectory } = profile
    return {
      program,
      arguments: ['-p', toSeatbeltProfile(profile), ...words],
      environment: toConfinedEnvironment(profile, { home, temporary: `${home}/tmp`, proxy: profile.proxy }),
      workingDirectory,
      sendsListeners: false,
    }
  },
}

/** Programs, libraries and settings of the system. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library', '/Applications', '/opt', '/nix', '/dev', '/private/etc'],
  ...['/private/var/db/timezone', '/private/var/db/dyld', '/private/var/select', '/private/preboot'],
]

/** The profile as `sandbox-exec -p` reads it: everything is denied that it does not name. */
export function toSeatbeltProfile(profile: Omit<ServerProfile, 'environment' | 'stateDirectory'>): string {
  const { home, packages, mayInstall, readable, writable, protectedPaths, network, proxy } = profile
  const port = proxy === undefined ? undefined : new URL(proxy).port
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read ipc-posix-shm ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd") (global-name "com.apple.logd"))',
    // Paths must be resolved, which reads no content.
    '(allow file-read-metadata)',
    `(allow file-read* (literal "/") ${toPaths([...systemFolders, home, packages, ...readable, ...writable])})`,
    `(allow file-write* (literal "/dev/null") (literal "/dev/tty") ${toPaths([home, ...writable, ...(mayInstall ? [packages] : [])])})`,
    ...(mayInstall ? [] : [`(deny file-write* ${toPaths([packages])})`]),
    ...(protectedPaths.length > 0 ? [`(deny file-write* ${toPaths(protectedPaths)})`] : []),
    ...toNetwork(network, port),
    '(deny network* (remote unix-socket))',
  ].join('\n')
}

function toNetwork(network: ServerProfile['network'], port: string | undefined): string[] {
  if (network === 'any') return ['(allow network*)', '(allow mach-lookup (global-name "com.apple.dnssd.service"))']
  return port === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${port}"))`]
}

function toPaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${JSON.stringify(path)})`).join(' ')
}
