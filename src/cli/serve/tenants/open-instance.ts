import type { SharedStorage } from '../../../app/tenants/open-tenants.ts'
import type { Request } from '../../options/command.ts'
import type { Line, Terminal } from '../../terminal/terminal.ts'
import { createSurfaces, findBodyBytes } from '../http-surfaces.ts'
import { openServing } from '../open-serving.ts'
import { toServerId } from '../workers/worker.ts'
import type { Door } from './doors.ts'
import type { Instance } from './instances.ts'

export interface OpenInstanceOptions {
  readonly request: Request
  readonly shared: SharedStorage
  readonly door: Door
}

/** Opens a tenant: a Toolpact of its own, on the shared connections, and its surfaces. */
export async function openInstance(name: string, options: OpenInstanceOptions): Promise<Instance> {
  const { request, shared, door } = options
  const { address, pages, site } = door
  const { credentials } = site
  const terminal = withName(request.terminal, name)
  const open: Request['open'] = (more) => request.open({ ...more, tenant: name }, shared.pool)
  const serving = await openServing({ ...request, terminal, open }, { isTenant: true })
  const { toolpact, calls } = serving
  const running = new Set<string>()
  calls.listen(({ kind, callId }) => (kind === 'ended' ? running.delete(callId) : running.add(callId)))
  try {
    const { surfaces } = createSurfaces(serving, { address, credentials, pages })
    const bodyBytes = await findBodyBytes(toolpact)
    const withdraw = await toolpact.consoleAddress.announce(address.url, toServerId())
    toolpact.upstreams.begin()
    return {
      site: { surfaces, credentials, bodyBytes },
      metrics: toolpact.metrics,
      async isBusy() {
        if (running.size > 0) return true
        const { tasks, runs, workspace } = toolpact
        const waiting = await Promise.all([
          tasks?.waiting(workspace, Date.now()),
          runs?.list({ state: 'running', limit: 1 }),
          runs?.list({ state: 'waiting', limit: 1 }),
        ])
        return waiting.some((found) => found !== undefined && found.length > 0)
      },
      async close(graceMs) {
        await Promise.all(surfaces.map((surface) => surface.close?.(graceMs)))
        await withdraw().catch(() => {})
        await serving.close()
      },
    }
  } catch (cause) {
    await serving.close()
    throw cause
  }
}

/** Messages for the operator say which tenant they are about. */
function withName(terminal: Terminal, name: string): Terminal {
  const toParts = (line: Line) => (Array.isArray(line) ? line : [line])
  const toNamed = (lines: readonly Line[]) => lines.map((line) => [`${name}: `, ...toParts(line)])
  return {
    ...terminal,
    log: (...lines) => terminal.log(...toNamed(lines)),
    logOnce: (...lines) => terminal.logOnce(...toNamed(lines)),
  }
}
