import type { Toolpact } from '../../app.ts'
import type { UpstreamStatus } from '../../upstream/upstream.ts'
import type { Request } from '../command.ts'
import { tellStatus, tellUndeclared } from '../mcp/settle-servers.ts'

/** Reports, as it happens, what becomes of each server: a failure once per cause, and what is withheld of one that is ready. */
export function tellStates(
  upstreams: Toolpact['upstreams'],
  isUndecided: (server: string) => boolean,
  request: Request,
): void {
  const told = new Map<string, string>()
  const tell = (status: UpstreamStatus) => {
    const { name, state, fault = '' } = status
    if (state !== 'failed' && state !== 'ready') return
    const what = `${state} ${fault}`
    if (told.get(name) === what) return
    told.set(name, what)
    if (state === 'failed') tellStatus(status, request)
    else if (isUndecided(name)) tellUndeclared(status, request)
  }
  upstreams.watch(tell)
  // Some may have failed before anything was watched, such as those with a variable that is not set.
  for (const status of upstreams.look()) tell(status)
}
