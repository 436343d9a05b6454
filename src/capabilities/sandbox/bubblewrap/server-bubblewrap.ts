import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import { writePrivateFile } from '../../../state/private-file.ts'
import { findProgram } from '../../process/find-program.ts'
import { defaultLimits, toLimitScript } from '../../process/limits.ts'
import { isRealPath, type Mount, systemFolders, toMount, toNames, toPinnedParents, toSystemMounts } from '../mounts.ts'
import { proxyInside, startScript, toHelperWords } from '../server/listeners.ts'
import { type ServerDriver, type ServerProfile, toConfinedEnvironment } from '../server/server-driver.ts'
import { findToolchains } from '../toolchains.ts'
import { explainFailure } from './explain-failure.ts'
import { runIdle } from './run-idle.ts'
import { isSupported, toSystemCallFilter } from './system-call-filter.ts'
import { toBubblewrapWords, withoutSizes } from './to-words.ts'

const megabyte = 1024 * 1024

/** Of each temporary folder. */
const scratchBytes = 512 * megabyte

/** Limits of a server: enough for a browser, too little to take the machine down. */
export const serverLimits = {
  processes: 512,
  memoryBytes: Math.min(4 * 1024 * megabyte, defaultLimits.memoryBytes),
  fileBytes: 1024 * megabyte,
}

/** Root may read these, and no server needs them. */
const systemSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/ssh', '/etc/ssl/private', '/etc/sudoers', '/etc/sudoers.d']

/** Confines servers with Linux namespaces and a seccomp filter. `searchPath` finds bubblewrap. */
export function createServerBubblewrap(searchPath = process.env.PATH): ServerDriver {
  const program = findProgram('bwrap', searchPath, join('/nowhere'))
  let adapt = (words: string[]) => words
  return {
    name: 'bubblewrap',
    async findFault() {
      if (process.platform !== 'linux') return { reason: 'bubblewrap runs on Linux only', suggestion: 'run Toolpact on Linux, for example in a container' } // biome-ignore format: one line
      if (!program) return { reason: 'bubblewrap is not installed', suggestion: 'apt-get install bubblewrap' }
      const { arch } = process
      if (!isSupported(arch)) return { reason: `there is no system call filter for ${arch}`, suggestion: 'use a container' } // biome-ignore format: one line
      const idle = toBubblewrapWords({ ...plain, mounts: toSystemMounts('few devices') }, ['/bin/sh', '-c', ':'])
      const filter = toSystemCallFilter(arch, { unixSockets: false })
      const complaint = await runIdle(program, idle, filter)
      if (complaint === undefined) return undefined
      if (/--size/.test(complaint) && (await runIdle(program, withoutSizes(idle), filter)) === undefined) {
        adapt = withoutSizes
        return undefined
      }
      return explainFailure(complaint)
    },
    confine(profile) {
      const isOnline = profile.network === 'any'
      const home = toHomePath(profile)
      const limits = toLimitScript(serverLimits)
      const words = isOnline
        ? ['/bin/sh', '-c', `${limits}\nexec "$@" 3<&- 4<&-`, 'sh', ...profile.words]
        : ['/bin/sh', '-c', `${limits}\n${startScript}`, 'sh', ...toHelperWords(profile.network), ...profile.words]
      const bubblewrap = { ...plain, mounts: toServerMounts(profile, home), network: isOnline, workingDirectory: profile.workingDirectory } // biome-ignore format: one line
      return {
        program: program!,
        arguments: adapt(toBubblewrapWords(bubblewrap, words)),
        environment: toConfinedEnvironment(profile, { home, temporary: '/tmp', proxy: proxyInside }),
        // Of bubblewrap itself, outside.
        workingDirectory: '/',
        filter: toSystemCallFilter(process.arch as 'x64', { unixSockets: false }),
        sendsListeners: !isOnline,
      }
    },
  }
}

/** Without privileges, but names are looked up at port 53 and hosts reached at port 443, of its own loopback. */
const plain = {
  network: false,
  scratchBytes,
  sealed: [],
  environment: {},
  workingDirectory: '/',
  capabilities: ['CAP_NET_BIND_SERVICE'],
}

/** Its home is found where the user's is, since programs in the home directory know their own paths. */
function toHomePath({ environment }: ServerProfile): string {
  const home = environment.HOME || homedir()
  return home === '/' || !existsSync(home) ? '/home' : realpathSync(home)
}

function toServerMounts(profile: ServerProfile, home: string): Mount[] {
  const { home: ownHome, packages, mayInstall, writable, workingDirectory, stateDirectory, protectedPaths } = profile
  const readable = [...profile.readable, process.execPath].filter(existsSync).flatMap(toNames)
  const written = writable.filter(existsSync).flatMap(toNames)
  const granted = [...readable, ...written]
  const mounted = [...systemFolders, ...granted]
  const toolchains = findToolchains({ searchPath: profile.environment.PATH, mounted, home })
  // Its home and its temporary folder are its own: what the user has in theirs is not in them.
  const isSeen = ['/', '/tmp', home].includes(workingDirectory) || [...mounted, ...toolchains, packages].some((folder) => isInside(folder, workingDirectory, 'linux')) // biome-ignore format: one line
  const outer: Mount[] = [
    ...toSystemMounts('few devices'),
    { path: home, as: 'writable', from: ownHome },
    ...[...toolchains, ...readable].filter((path) => !systemFolders.includes(path)).map(toMount('readable')),
    ...written.map(toMount('writable')),
    // It must be able to start there, whether it may see what is in it or not.
    ...(isSeen ? [] : [toMount('scratch')(workingDirectory)]),
  ]
  return [
    // A mount hides mounts below it, so shorter paths come first.
    ...outer.toSorted((a, b) => a.path.length - b.path.length),
    ...written.flatMap((folder) => toPinnedParents(protectedPaths, folder)),
    ...protectedPaths
      .filter((path) => written.some((folder) => path !== folder && isInside(folder, path, 'linux')) && isRealPath(path)) // biome-ignore format: one line
      .map(toMount('protected')),
    ...systemSecrets.filter(existsSync).filter(isRealPath).map(toMount('hidden')),
    // Also from a server that was granted the folder around it.
    ...(granted.some((folder) => isInside(folder, stateDirectory, 'linux')) ? [toMount('scratch')(stateDirectory)] : []), // biome-ignore format: one line
    toMount(mayInstall ? 'writable' : 'readable')(packages),
    ...toResolver(profile),
  ]
}

/** Where names are looked up: in our listener, or where the machine does it. */
function toResolver({ network, home }: ServerProfile): Mount[] {
  if (!existsSync('/etc/resolv.conf')) return []
  const path = realpathSync('/etc/resolv.conf')
  if (network === 'any') return [toMount('readable')(path)]
  const own = join(home, '..', 'resolv.conf')
  writePrivateFile(own, 'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n')
  return [{ path, as: 'readable', from: own }]
}
