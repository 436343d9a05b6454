import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../contract/tool.ts'
import type { ConnectPage } from '../../host/upstream.ts'
import type { Connections } from '../../identity/connections/connections.ts'
import { toOwner } from '../../identity/owner.ts'
import type { Connections as ConnectionStore } from '../../runtime/storage/connections.ts'
import type { ConnectLinks } from './connect-links.ts'

interface PageFinderOptions {
  readonly store: ConnectionStore
  readonly connections: Pick<Connections, 'forget'>
  readonly links: ConnectLinks
  readonly findConsole: () => Promise<string | undefined>
}

/** A call waits this long for its caller to connect. */
const maxWaitMs = 300_000
const lookMs = 500

/** Finds the page of the console where a caller connects. */
export function createPageFinder({ store, connections, links, findConsole }: PageFinderOptions) {
  return async (
    server: string,
    caller: Caller | undefined,
    scope: string | undefined,
  ): Promise<ConnectPage | undefined> => {
    const console = await findConsole()
    if (console === undefined) return undefined
    const key = { owner: toOwner(caller), server }
    const before = await store.find(key)
    return {
      url: await links.make(console, { server, caller, scope }),
      // In the storage: any process may have finished the login.
      async done(signal) {
        const until = Date.now() + maxWaitMs
        for (;;) {
          const now = await store.find(key)
          if (now && now.fault === undefined && now.connectedAt !== before?.connectedAt) {
            connections.forget(key)
            return true
          }
          if (Date.now() > until) return false
          await sleep(lookMs, undefined, { signal })
        }
      },
    }
  }
}
