import { operator } from '../../contract/principal.ts'
import type { Caller } from '../../contract/tool.ts'
import type { UpstreamEntry } from '../../host/open-upstreams.ts'
import type { Authorize } from '../../host/upstream.ts'
import { toExchangeOwner, toOwner } from '../../identity/owner.ts'
import type { Connections } from '../../runtime/storage/connections.ts'
import type { Notes } from '../../runtime/storage/storage.ts'
import type { Config } from '../config/config.ts'
import type { OpenedLogins } from './open-server-logins.ts'
import type { VaultOptions } from './open-vault.ts'
import type { ServerLogins } from './server-logins.ts'

interface LoginsOptions {
  /** Undefined if the storage has no connections. */
  readonly store: Connections | undefined
  readonly notes: Notes
  readonly tenant: string | undefined
  readonly config: () => Config
  /** The folder of the config. */
  readonly folder: string
  readonly stateDirectory: string
  /** The address of a running console. */
  readonly findConsole: () => Promise<string | undefined>
  /** The operator has connected to a server. */
  readonly onConnected: (server: string) => unknown
}

/** What the host authorizes requests with, and the logins of callers. OAuth is loaded with its first use. */
export function openLogins({ store, notes, stateDirectory, ...options }: LoginsOptions) {
  const { config } = options
  let opened: Promise<OpenedLogins> | undefined
  const load = (store: Connections) => {
    opened ??= Promise.all([import('./open-server-logins.ts'), import('./connect-links.ts')]).then(
      ([{ openServerLogins }, { openConnectLinks }]) =>
        openServerLogins({
          ...options,
          store,
          links: openConnectLinks(notes),
          vault: async () => (await import('./open-vault.ts')).openVault(toVaultOptions(config(), stateDirectory)),
          rotateKey: async (work) => (await import('./rotate-key.ts')).rotateKey(toVaultOptions(config(), stateDirectory), work), // biome-ignore format: one line
        }),
    )
    return opened
  }
  return {
    connections: store && toLogins(() => load(store)),
    authorize(server: string, { authorization, url }: UpstreamEntry): Authorize | undefined {
      if (!authorization || url === undefined || !store) return undefined
      const { mode = 'user' } = authorization
      const authorizerOf = async (owner: string) => (await load(store)).authorizerOf(server, mode, owner)
      return {
        ownerOf(caller?: Caller) {
          if (mode === 'user') return toOwner(caller)
          return mode === 'service' || !caller ? operator : toExchangeOwner(caller)
        },
        authorizerOf: (owner) => ({
          header: async (signal) => (await authorizerOf(owner)).header(signal),
          renew: async (rejected) => (await authorizerOf(owner)).renew(rejected),
          explain: async (challenge) => (await authorizerOf(owner)).explain(challenge),
        }),
        begin: (caller) =>
          mode === 'exchange'
            ? load(store).then(({ begin }) => begin(server, caller ?? { name: operator }))
            : undefined,
        findPage: async (caller, scope) => (mode === 'user' ? (await load(store)).findPage(server, caller, scope) : undefined), // biome-ignore format: one line
      }
    },
  }
}

function toLogins(load: () => Promise<OpenedLogins>): ServerLogins {
  return {
    list: async (query) => (await load()).logins.list(query),
    discover: async (server, signal) => (await load()).logins.discover(server, signal),
    begin: async (server, options) => (await load()).logins.begin(server, options),
    finish: async (pending, answer, options) => (await load()).logins.finish(pending, answer, options),
    beginDevice: async (server, options) => (await load()).logins.beginDevice(server, options),
    test: async (server, owner) => (await load()).logins.test(server, owner),
    remove: async (server, owner) => (await load()).logins.remove(server, owner),
    rekey: async () => (await load()).logins.rekey(),
    readLink: async (text) => (await load()).logins.readLink(text),
    clientDocument: async () => (await load()).logins.clientDocument(),
  }
}

function toVaultOptions({ vault, policy, storage }: Config, stateDirectory: string): VaultOptions {
  return {
    settings: vault,
    stateDirectory,
    isShared: (process.env.TOOLPACT_POSTGRES || storage?.postgres) !== undefined,
    keepEnvironment: policy?.keepEnvironment,
  }
}
