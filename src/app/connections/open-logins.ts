import { operator } from '../../contract/principal.ts'
import type { Caller } from '../../contract/tool.ts'
import type { UpstreamEntry } from '../../host/open-upstreams.ts'
import type { Authorize } from '../../host/upstream.ts'
import { toOwner } from '../../identity/owner.ts'
import type { Connections } from '../../runtime/storage/connections.ts'
import type { Config } from '../config/config.ts'
import type { OpenedLogins, ServerLogins } from './server-logins.ts'

interface LoginsOptions {
  /** Undefined if the storage has no connections. */
  readonly store: Connections | undefined
  readonly tenant: string | undefined
  readonly config: () => Config
  /** The folder of the config. */
  readonly folder: string
  readonly stateDirectory: string
  /** The operator has connected to a server. */
  readonly onConnected: (server: string) => unknown
}

/** What the host authorizes requests with, and the logins of callers. OAuth is loaded with its first use. */
export function openLogins({ store, tenant, config, folder, stateDirectory, onConnected }: LoginsOptions) {
  let opened: Promise<OpenedLogins> | undefined
  const load = (store: Connections) => {
    opened ??= import('./server-logins.ts').then(({ openServerLogins }) =>
      openServerLogins({
        store,
        tenant,
        config,
        folder,
        onConnected,
        vault: () => openVault(config(), stateDirectory),
      }),
    )
    return opened
  }
  return {
    connections: store && toLogins(() => load(store)),
    authorize(server: string, { authorization, url }: UpstreamEntry): Authorize | undefined {
      if (!authorization || url === undefined || !store) return undefined
      const { mode = 'user' } = authorization
      return {
        ownerOf: (caller?: Caller) => (mode === 'service' ? operator : toOwner(caller)),
        authorizerOf: (owner) => ({
          header: async (signal) => (await load(store)).authorizerOf(server, mode, owner).header(signal),
          renew: async (rejected) => (await load(store)).authorizerOf(server, mode, owner).renew(rejected),
        }),
      }
    },
  }
}

function toLogins(load: () => Promise<OpenedLogins>): ServerLogins {
  return {
    list: async (query) => (await load()).logins.list(query),
    discover: async (server, signal) => (await load()).logins.discover(server, signal),
    begin: async (server, options) => (await load()).logins.begin(server, options),
    test: async (server, owner) => (await load()).logins.test(server, owner),
    remove: async (server, owner) => (await load()).logins.remove(server, owner),
  }
}

async function openVault({ vault, policy, storage }: Config, stateDirectory: string) {
  const { openVault } = await import('./open-vault.ts')
  return openVault({
    settings: vault,
    stateDirectory,
    isShared: (process.env.TOOLPACT_POSTGRES || storage?.postgres) !== undefined,
    keepEnvironment: policy?.keepEnvironment,
  })
}
