import type { JsonObject } from '../../contract/json.ts'
import { operator } from '../../contract/principal.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Authorizer } from '../../host/connect/client.ts'
import type { ConnectPage } from '../../host/upstream.ts'
import { type Connections, openConnections } from '../../identity/connections/connections.ts'
import { toClientDocument } from '../../identity/oauth/client-document.ts'
import { beginDevice, pollDevice, requireDevice } from '../../identity/oauth/device.ts'
import { type Discovered, discover, isDescribed } from '../../identity/oauth/discover.ts'
import { findClient } from '../../identity/oauth/find-client.ts'
import { beginLogin, chooseResource, chooseScope, finishLogin, type PendingLogin } from '../../identity/oauth/login.ts'
import { OAuthError } from '../../identity/oauth/oauth-error.ts'
import type { OAuthSettings } from '../../identity/oauth/oauth-settings.ts'
import { joinScopes } from '../../identity/oauth/scopes.ts'
import type { TokenSource } from '../../identity/oauth/tokens.ts'
import { toConnectCommand } from '../../identity/owner.ts'
import type { Vault } from '../../identity/vault/vault.ts'
import type { Connections as ConnectionStore } from '../../runtime/storage/connections.ts'
import type { Config } from '../config/config.ts'
import type { ConnectLinks } from './connect-links.ts'
import { createAuthorizers, toFailure } from './create-authorizers.ts'
import { createPageFinder } from './find-connect-page.ts'
import { openOwnTokens } from './own-tokens.ts'
import { probeServer } from './probe-server.ts'
import { openServerEntries } from './server-entries.ts'
import type { Connection, ServerLogins } from './server-logins.ts'

export interface ServerLoginsOptions {
  readonly store: ConnectionStore
  readonly tenant: string | undefined
  readonly vault: () => Promise<Vault>
  /** Ends the rotation of a key that Toolpact itself created: makes a new one first, if there is none. */
  readonly rotateKey: (reencrypt: () => Promise<void>) => Promise<void>
  readonly config: () => Config
  /** The folder of the config. */
  readonly folder: string
  readonly links: ConnectLinks
  /** The address of a running console. */
  readonly findConsole: () => Promise<string | undefined>
  /** The operator has connected to a server. */
  readonly onConnected: (server: string) => unknown
}

export interface OpenedLogins {
  readonly logins: ServerLogins
  authorizerOf(server: string, mode: OAuthSettings['mode'], owner: string): Authorizer
  begin(server: string, caller: Caller): Promise<() => void>
  findPage(server: string, caller: Caller | undefined, scope: string | undefined): Promise<ConnectPage | undefined>
}

/** A login may take this long. */
const maxLoginMs = 3_600_000

/** What is needed to finish a login. */
interface SealedLogin {
  readonly server: string
  readonly owner: string
  readonly source: Pick<TokenSource, 'server' | 'client' | 'resource'>
  readonly pending: PendingLogin
  readonly until: number
}

/** Opens the logins, and what the host authorizes requests with. */
export function openServerLogins(options: ServerLoginsOptions): OpenedLogins {
  const { store, vault, config, tenant = null, links } = options
  const entries = openServerEntries(config, options.folder)
  const { read, fetchFor } = entries
  const ownTokens = openOwnTokens(entries)
  const connections: Connections = openConnections({
    store,
    tenant: options.tenant,
    vault,
    fetchFor,
    settingsOf: (server) => read(server).settings,
  })

  async function find(
    server: string,
    signal: AbortSignal | undefined,
  ): Promise<{ found: Discovered; scope: string | undefined; settings: OAuthSettings } | undefined> {
    const { url, settings } = read(server)
    const fetch = fetchFor(server)
    const challenge = await probeServer(url, { fetch, signal })
    // Some servers let everyone initialize, and require a login afterwards.
    if (!challenge && settings.issuer === undefined && !(await isDescribed(url, { fetch, signal }))) return undefined
    const found = await discover(url, { fetch, signal, issuer: settings.issuer, resourceMetadata: challenge?.resourceMetadata }) // biome-ignore format: one line
    const { scopes, quirks } = settings
    return { found, settings, scope: chooseScope(found, { scopes, quirks, challenged: challenge?.scope }) }
  }

  /** What a login asks for and as which client. More scopes are asked for together with those that were granted. */
  async function prepare(server: string, { owner, redirectUri, scope: more, signal }: PrepareOptions) {
    const offer = await find(server, signal)
    if (!offer) throw new OAuthError(`The server ${server} requires no login: it answers without one.`)
    const { found, settings } = offer
    if (redirectUri === undefined) requireDevice(found.server)
    const granted = more === undefined ? undefined : await connections.scopeOf({ owner, server })
    const scope = joinScopes(offer.scope, granted, more)
    const document = toClientDocument(config().http?.publicUrl)
    const isPublished = redirectUri !== undefined && document?.redirect_uris.includes(redirectUri)
    const client = await findClient({
      ...{ signal, settings, redirectUri, scope },
      fetch: fetchFor(server),
      server: found.server,
      name: server,
      published: isPublished ? document?.client_id : undefined,
    })
    const resource = chooseResource(found, settings)
    const source: TokenSource = { server: found.server, client, settings, ...(resource !== undefined && { resource }) }
    return { source, scope, issuer: found.server.issuer }
  }

  async function save(
    { server, owner, source }: Pick<SealedLogin, 'server' | 'owner' | 'source'>,
    tokens: Parameters<Connections['save']>[1]['tokens'],
  ): Promise<Connection> {
    const key = { owner, server }
    const { resource, client } = source
    await connections.save(key, { tokens, client, server: source.server, ...(resource !== undefined && { resource }) })
    if (owner === operator) options.onConnected(server)
    return (await logins.list(key))[0]!
  }

  const toContext = (by = '') => JSON.stringify(['login', tenant, by])

  const logins: ServerLogins = {
    async list(query) {
      return (await store.list(query)).map(({ sealed: _, version: _version, ...connection }) => connection)
    },
    async discover(server, signal) {
      const offer = await find(server, signal)
      if (!offer) return undefined
      const { issuer, device_authorization_endpoint: device } = offer.found.server
      return { issuer, hasDevice: device !== undefined, ...(offer.scope !== undefined && { scope: offer.scope }) }
    },
    async begin(server, { owner = operator, by, ...asked }) {
      const { source, scope, issuer } = await prepare(server, { ...asked, owner })
      const { url, pending } = await beginLogin(source, { redirectUri: asked.redirectUri, scope })
      const { settings: _, ...stored } = source
      const login: SealedLogin = { server, owner, source: stored, pending, until: Date.now() + maxLoginMs }
      const sealed = (await vault()).seal(login as unknown as JsonObject, toContext(by))
      return {
        ...{ url, issuer, pending: sealed },
        ...(scope !== undefined && { scope }),
        finish: (answer, signal) => logins.finish(sealed, answer, { by, signal }),
      }
    },
    async finish(sealed, answer, { by, signal } = {}) {
      const login = (await vault()).open(sealed, toContext(by)) as unknown as SealedLogin | undefined
      if (!login || Date.now() > login.until)
        throw new OAuthError('This login was not begun here, or too long ago. Begin again.')
      const { server } = login
      const source = { ...login.source, settings: read(server).settings }
      return save(login, await finishLogin(source, login.pending, { fetch: fetchFor(server), answer, signal }))
    },
    async beginDevice(server, { owner = operator, scope: more, signal } = {}) {
      const { source, scope, issuer } = await prepare(server, { owner, scope: more, signal, redirectUri: undefined })
      const fetch = fetchFor(server)
      const pending = await beginDevice(source, { fetch, signal, scope })
      const { url, completeUrl, userCode, expiresAt } = pending
      return {
        ...{ url, userCode, expiresAt, issuer },
        ...(scope !== undefined && { scope }),
        ...(completeUrl !== undefined && { completeUrl }),
        finish: async (ending) => save({ server, owner, source }, await pollDevice(source, pending, { fetch, signal: ending })), // biome-ignore format: one line
      }
    },
    async test(server, owner = operator) {
      const token = await connections.token({ owner, server })
      if (await probeServer(read(server).url, { fetch: fetchFor(server), token }))
        throw new OAuthError(`The server ${server} rejects the connection of ${owner}. Connect again: ${toConnectCommand({ owner, server })}`, { isFinal: true }) // biome-ignore format: one line
    },
    remove: (server, owner = operator) => connections.remove({ owner, server }, AbortSignal.timeout(20_000)),
    async rekey() {
      const done = { rekeyed: 0, current: 0, lost: [] as { owner: string; server: string }[] }
      await options.rotateKey(async () => void Object.assign(done, await connections.rekey()))
      return done
    },
    readLink: links.read,
    clientDocument: async () => toClientDocument(config().http?.publicUrl),
  }

  return {
    logins,
    authorizerOf: createAuthorizers({ connections, ownTokens }),
    begin: (server, caller) =>
      ownTokens.beginExchange(server, caller).catch((cause) => {
        throw cause instanceof OAuthError ? toFailure(cause, { owner: caller.name, server, mode: 'exchange' }) : cause
      }),
    findPage: createPageFinder({ store, connections, links, findConsole: options.findConsole }),
  }
}

interface PrepareOptions {
  readonly owner: string
  readonly redirectUri: string | undefined
  readonly scope?: string | undefined
  readonly signal?: AbortSignal | undefined
}
