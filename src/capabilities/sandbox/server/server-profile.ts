import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import { isInside } from '../../../policy/path.ts'
import { defaultLimits } from '../../process/limits.ts'
import { findPinned, findProtected, isRealPath, toNames } from '../paths.ts'
import type { Profile } from '../sandbox.ts'
import { systemFolders } from '../system-folders.ts'
import { findToolchains } from '../toolchains.ts'

/** What one server was granted, and where it runs. */
export interface ServerOptions extends Pick<Profile, 'words' | 'environment' | 'workingDirectory' | 'image'> {
  /** Its own folders, in the state directory: a home directory, and packages that were installed for it. */
  readonly home: string
  readonly packages?: string
  /** While it is installed. */
  readonly mayInstall?: boolean
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly network: NetworkGrant
  /** Must not be written, even in a folder that may be. */
  readonly protectedPaths: readonly string[]
  readonly stateDirectory: string
}

const megabyte = 1024 * 1024

/** Enough for a browser, too little to take the machine down. */
const serverLimits = {
  processes: 512,
  memoryBytes: Math.min(4 * 1024 * megabyte, defaultLimits.memoryBytes),
  fileBytes: 1024 * megabyte,
}

/** Root may read these, and no server needs them. */
const systemSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/ssh', '/etc/ssl/private', '/etc/sudoers', '/etc/sudoers.d']

/** The profile of a program that runs for long with folders of its own: an MCP server, or a contract folder. */
export function createServerProfile(options: ServerOptions): Profile {
  const { words, environment, workingDirectory, home, packages, mayInstall, image, stateDirectory } = options
  const named = { read: toNames(options.read), write: toNames(options.write) }
  const granted = [...named.read, ...named.write]
  const own = image === undefined ? findPrograms(environment, granted) : []
  // Its home and its temporary folder are its own: what the user has in theirs is not in them.
  const seen = [...systemFolders, ...granted, ...own, ...(packages === undefined ? [] : [packages])]
  const isSeen = ['/', '/tmp', toUserHome(environment)].includes(workingDirectory) || seen.some((folder) => isInside(folder, workingDirectory, 'linux')) // biome-ignore format: one line
  const isAround = granted.some((folder) => isInside(folder, stateDirectory, 'linux'))
  return {
    words,
    environment,
    workingDirectory,
    read: [...own, ...named.read],
    write: named.write,
    protected: findProtected(options.protectedPaths, named.write),
    pinned: named.write.flatMap((folder) => findPinned(options.protectedPaths, folder)),
    hidden: [...systemSecrets.filter(isRealPath), ...(isAround && existsSync(stateDirectory) ? [realpathSync(stateDirectory)] : [])], // biome-ignore format: one line
    emptied: [],
    // It must be able to start there, whether it may see what is in it or not.
    scratch: isSeen ? [] : [workingDirectory],
    home,
    packages,
    ...(mayInstall !== undefined && { mayInstall }),
    // Without hosts it still gets a proxy, which reports what it wanted.
    network: options.network === 'none' ? [] : options.network,
    unixSockets: false,
    terminals: false,
    limits: serverLimits,
    scratchBytes: 512 * megabyte,
    isCommand: false,
    image,
  }
}

/** Node, and the toolchains of the search path. */
function findPrograms(environment: Profile['environment'], granted: readonly string[]): string[] {
  const node = toNames([process.execPath])
  const mounted = [...systemFolders, ...granted, ...node]
  return [...node, ...findToolchains({ searchPath: environment.PATH, mounted, home: toUserHome(environment) })]
}

function toUserHome({ HOME }: Profile['environment']): string {
  const home = HOME || homedir()
  return existsSync(home) ? realpathSync(home) : home
}
