import { createServerBubblewrap } from '../bubblewrap/server-bubblewrap.ts'
import { createContainer } from '../container/container.ts'
import type { SandboxUnavailable } from '../sandbox.ts'
import { seatbelt } from '../seatbelt/seatbelt.ts'
import type { ServerDriver } from './server-driver.ts'

/** What confines servers on this machine, or why nothing does and what would help. */
export type ServerProbe = { readonly driver: ServerDriver } | SandboxUnavailable

const probed = new Map<'default' | 'container', Promise<ServerProbe>>()

/** Finds out once per process. */
export function probeServers(
  wanted: 'default' | 'container' = 'default',
  platform = process.platform,
): Promise<ServerProbe> {
  // biome-ignore format: one line
  if (platform !== process.platform) return tryDriver(wanted, platform)
  const known = probed.get(wanted) ?? tryDriver(wanted, platform)
  probed.set(wanted, known)
  return known
}

async function tryDriver(wanted: 'default' | 'container', platform: NodeJS.Platform): Promise<ServerProbe> {
  if (wanted === 'default' && platform === 'win32')
    return {
      reason: 'Windows has no sandbox that Toolpact can use',
      suggestion: 'run Toolpact in WSL, or give each server a container ("container": "IMAGE")',
    }
  const driver = wanted === 'container' ? createContainer() : platform === 'darwin' ? seatbelt : createServerBubblewrap() // biome-ignore format: one line
  const fault = await driver.findFault()
  return fault ?? { driver }
}
