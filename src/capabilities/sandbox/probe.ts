import { createBubblewrap } from './bubblewrap/bubblewrap.ts'
import { createContainer } from './container/container.ts'
import type { SandboxDriver, SandboxUnavailable } from './sandbox.ts'
import { createSeatbelt } from './seatbelt/seatbelt.ts'

/** What confines programs on this machine, or why nothing does and what would help. */
export type Probe = { readonly driver: SandboxDriver } | SandboxUnavailable

export interface ProbeOptions {
  /** A container is used only where it was asked for. Default: what the system has. */
  readonly wanted?: 'container' | undefined
  /** Finds the driver's program. Default: that of this process. */
  readonly searchPath?: string | undefined
  /** Programs in this folder are not trusted. */
  readonly workspace?: string | undefined
  readonly platform?: NodeJS.Platform
}

const drivers: { readonly [system: string]: (options: ProbeOptions) => SandboxDriver } = {
  linux: createBubblewrap,
  darwin: createSeatbelt,
  container: createContainer,
}

const probed = new Map<string, Promise<Probe>>()

/** Tries a driver once per process and program. */
export function probe(options: ProbeOptions = {}): Promise<Probe> {
  const { wanted, platform = process.platform } = options
  const create = drivers[wanted ?? platform]
  if (!create) return Promise.resolve(toUnknown(platform))
  const driver = create(options)
  const key = `${driver.name}:${driver.program}`
  const known = probed.get(key) ?? driver.findFault().then((fault) => fault ?? { driver })
  probed.set(key, known)
  return known
}

function toUnknown(platform: NodeJS.Platform): SandboxUnavailable {
  if (platform === 'win32')
    return {
      reason: 'Windows has no sandbox that Toolpact can use',
      suggestion: 'run Toolpact in WSL, or give each server a container ("container": "IMAGE")',
    }
  return {
    reason: `there is no sandbox for ${platform}`,
    suggestion: 'run Toolpact on Linux, for example in a container',
  }
}
