import { operator } from '../../contract/principal.ts'
import { type Authorizer, UpstreamFailure } from '../../host/connect/client.ts'
import { toAddress } from '../../host/to-address.ts'
import { type Connections, openConnections } from '../../identity/connections/connections.ts'
import type { RemovedConnection } from '../../identity/connections/removed-connection.ts'
import { type Challenge, parseChallenge } from '../../identity/oauth/challenge.ts'
import { type Discovered, discover, isDescribed, type OAuthFetch } from '../../identity/oauth/discover.ts'
import { findClient } from '../../identity/oauth/find-client.ts'
import { beginLogin, chooseResource, chooseScope, finishLogin } from '../../identity/oauth/login.ts'
import { OAuthError } from '../../identity/oauth/oauth-error.ts'
import type { OAuthSettings } from '../../identity/oauth/oauth-settings.ts'
import { requestServiceToken, type Tokens } from '../../identity/oauth/tokens.ts'
import { toConnectCommand } from '../../identity/owner.ts'
import type { Vault } from '../../identity/vault/vault.ts'
import type { Connections as ConnectionStore } from '../../runtime/storage/connections.ts'
import type { Config } from '../config/config.ts'
import { expandVariables } from '../config/expand-variables.ts'
import { createOAuthFetch } from './oauth-fetch.ts'

/** The connections of callers to MCP servers that require a login, as `toolpact.connections`. */
export interface ServerLogins {
  /** Without secrets. */
  list(query?: { readonly owner?: string; readonly server?: string }): Promise<Connection[]>
  /** Finds out who issues tokens for a server, and whether it requires a login at all. */
  discover(server: string, signal?: AbortSignal): Promise<LoginOffer | undefined>
  /** Begins a login. A person must open `url`; what the issuer sends to `redirectUri` finishes it. */
  begin(server: string, options: LoginOptions): Promise<Login>
  /** Whether the server accepts the connection: renews its token if that is due. Rejects with what to do if not. */
  test(server: string, owner?: string): Promise<void>
  /** Revokes the tokens at the issuer, and removes the connection. */
  remove(server: string, owner?: string): Promise<RemovedConnection>
}

/** A connection, without its secrets. */
export interface Connection {
  readonly owner: string
  readonly server: string
  readonly issuer: string
  /** Milliseconds since 1970. */
  readonly connectedAt: number
  readonly renewedAt?: number
  /** Why the owner must connect again. */
  readonly fault?: string
}

/** How a server lets people log in. */
export interface LoginOffer {
  readonly issuer: string
  readonly scope?: string
}

/** Whose login it is, and where the browser returns to. */
export interface LoginOptions {
  /** Whose connection it becomes. Default: the operator. */
  readonly owner?: string | undefined
  readonly redirectUri: string
  /** Scopes to ask for besides the usual ones, separated by spaces: what the server said is missing. */
  readonly scope?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A login that has begun. */
export interface Login extends LoginOffer {
  readonly url: string
  /** `answer`: the parameters that the issuer sent to the redirect URI. */
  finish(answer: URLSearchParams, signal?: AbortSignal): Promise<Connection>
}

export interface ServerLoginsOptions {
  readonly store: ConnectionStore
  readonly tenant: string | undefined
  readonly vault: () => Promise<Vault>
  readonly config: () => Config
  /** The folder of the config. */
  readonly folder: string
  /** The operator has connected to a server. */
  readonly onConnected: (server: string) => unknown
}

export interface OpenedLogins {
  readonly logins: ServerLogins
  authorizerOf(server: string, mode: 'user' | 'service', owner: string): Authorizer
}

/** Opens the logins, and what the host authorizes requests with. */
export function openServerLogins(options: ServerLoginsOptions): OpenedLogins {
  // biome-ignore format: one line
  const { store, vault, config } = options
  const services = new Map<string, { readonly tokens: Tokens; readonly until: number }>()

  function entryOf(server: string): Entry {
    const { mcpServers = {} } = config()
    if (Object.hasOwn(mcpServers, server)) return mcpServers[server]!
    throw new OAuthError(`There is no server ${server} in the config. See toolpact mcp list`)
  }

  /** The URL of a server and what the operator set about its login, with variables expanded. */
  function read(server: string): { readonly url: URL; readonly settings: OAuthSettings } {
    const entry = entryOf(server)
    const context = { environment: process.env, folder: options.folder }
    const addressed = toAddress(server, entry, context)
    if ('fault' in addressed) throw new OAuthError(addressed.fault)
    if (addressed.address.kind === 'stdio') throw new OAuthError(`The server ${server} is a program of this machine, which needs no login. Give it credentials with "env".`) // biome-ignore format: one line
    return { url: new URL(addressed.address.url), settings: toSettings(server, entry) }
  }

  /** The host that the operator named is trusted, and so is an issuer on it. All others must have public addresses. */
  function fetchFor(server: string) {
    const { url } = read(server)
    return createOAuthFetch([...(config().policy?.allowHosts ?? []), url.hostname])
  }

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
    // biome-ignore format: one line
    const { url, settings } = read(server)
    const fetch = fetchFor(server)
    const challenge = await probe(url, fetch, signal)
    // Some servers let everyone initialize, and require a login afterwards.
    if (!challenge && settings.issuer === undefined && !(await isDescribed(url, { fetch, signal }))) return undefined
    const found = await discover(url, { fetch, signal, issuer: settings.issuer, resourceMetadata: challenge?.resourceMetadata }) // biome-ignore format: one line
    return { found, settings, scope: chooseScope(found, { scopes: settings.scopes, challenged: challenge?.scope }) }
  }

  async function service(server: string, rejected: string | undefined): Promise<string> {
    const known = services.get(server)
    if (known && Date.now() < known.until && known.tokens.accessToken !== rejected) return known.tokens.accessToken
    const { url, settings } = read(server)
    const fetch = fetchFor(server)
    if (settings.clientId === undefined) throw new OAuthError(`The server ${server} has authorization.mode service, which needs clientId and clientSecret or privateKey.`, { isFinal: true }) // biome-ignore format: one line
    const found = await discover(url, { fetch, issuer: settings.issuer })
    const client = { clientId: settings.clientId, method: 'configured' } as const
    const scope = chooseScope(found, { scopes: settings.scopes ?? (found.scopes.length > 0 ? [] : undefined) })
    const tokens = await requestServiceToken({ server: found.server, client, settings, resource: chooseResource(found, settings), scope }, { fetch }) // biome-ignore format: one line
    const lifeMs = (tokens.expiresAt ?? Number.POSITIVE_INFINITY) - tokens.issuedAt
    services.set(server, { tokens, until: tokens.issuedAt + lifeMs * 0.75 })
    return tokens.accessToken
  }

  function authorizerOf(server: string, mode: OAuthSettings['mode'], owner: string): Authorizer {
    const token = async (rejected?: string, signal?: AbortSignal) => {
      try {
        return mode === 'service' ? await service(server, rejected) : await connections.token({ owner, server }, { rejected, signal }) // biome-ignore format: one line
      } catch (cause) {
        throw cause instanceof OAuthError ? toFailure(cause, { owner, server }) : cause
      }
    }
    return {
      header: async (signal) => `Bearer ${await token(undefined, signal)}`,
      renew: async (rejected) => `Bearer ${await token(rejected.replace(/^Bearer /, ''))}` !== rejected,
    }
  }

  const logins: ServerLogins = {
    async list(query) {
      return (await store.list(query)).map(({ sealed: _, version: _version, ...connection }) => connection)
    },
    async discover(server, signal) {
      const offer = await find(server, signal)
      return offer && { issuer: offer.found.server.issuer, ...(offer.scope !== undefined && { scope: offer.scope }) }
    },
    async begin(server, { owner = operator, redirectUri, scope: more, signal }) {
      const offer = await find(server, signal)
      if (!offer) throw new OAuthError(`The server ${server} requires no login: it answers without one.`)
      const { found, settings } = offer
      const scope = joinScopes(offer.scope, more)
      const fetch = fetchFor(server)
      const client = await findClient({
        fetch,
        signal,
        server: found.server,
        settings,
        redirectUri,
        scope,
        name: server,
      })
      const resource = chooseResource(found, settings)
      const source = { server: found.server, client, settings, resource }
      const { url, pending } = await beginLogin(source, { redirectUri, scope })
      return {
        url,
        issuer: found.server.issuer,
        ...(scope !== undefined && { scope }),
        async finish(answer, ending) {
          const tokens = await finishLogin(source, pending, { fetch, answer, signal: ending })
          const key = { owner, server }
          await connections.save(key, {
            tokens,
            client,
            server: found.server,
            ...(resource !== undefined && { resource }),
          })
          if (owner === operator) options.onConnected(server)
          return (await logins.list(key))[0]!
        },
      }
    },
    async test(server, owner = operator) {
      const { url } = read(server)
      const token = await connections.token({ owner, server })
      if (await probe(url, fetchFor(server), undefined, token))
        throw new OAuthError(`The server ${server} rejects the connection of ${owner}. Connect again: ${toConnectCommand({ owner, server })}`, { isFinal: true }) // biome-ignore format: one line
    },
    remove: (server, owner = operator) => connections.remove({ owner, server }, AbortSignal.timeout(20_000)),
  }

  return { logins, authorizerOf }
}

type Entry = NonNullable<Config['mcpServers']>[string]

function toSettings(server: string, { authorization = {} }: Entry): OAuthSettings {
  const { mode = 'user', clientSecret, privateKey, ...settings } = authorization
  const expand = (text: string, key: string) => expandVariables(text, `authorization.${key} of the server ${server}`)
  return {
    ...settings,
    mode,
    ...(clientSecret !== undefined && { clientSecret: expand(clientSecret, 'clientSecret') }),
    ...(privateKey !== undefined && { privateKey: expand(privateKey, 'privateKey') }),
  }
}

/** For callers: what to do, without the words of the server. */
function toFailure(cause: OAuthError, key: { readonly owner: string; readonly server: string }): UpstreamFailure {
  const advice = `Do not repeat the call before that. To connect: ${toConnectCommand(key)}`
  return new UpstreamFailure('unavailable', cause.message, { cause, isUnconnected: cause.isFinal, ...(cause.isFinal && { advice }) }) // biome-ignore format: one line
}

/** What the server says if it is called with this token, or without one; undefined if it does not mind. */
async function probe(
  url: URL,
  fetch: OAuthFetch,
  signal?: AbortSignal,
  token?: string,
): Promise<Challenge | undefined> {
  const authorized: { [name: string]: string } = token === undefined ? {} : { authorization: `Bearer ${token}` }
  for (const { headers, body } of probes) {
    const response = await fetch(url.href, {
      method: 'POST',
      headers: { ...headers, ...authorized },
      body,
      signal,
    }).catch((cause: Error) => {
      throw new OAuthError(`The server at ${url.origin}${url.pathname} could not be reached: ${cause.message}`, {
        cause,
      })
    })
    if (response.status === 401 || response.status === 403)
      return parseChallenge(response.headers.get('www-authenticate') ?? undefined) ?? {}
  }
  return undefined
}

const common = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const clientInfo = { name: 'toolpact', version: '1' }
/** The first requests of both generations of the protocol. */
const probes = [
  {
    headers: common,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    }),
  },
  {
    headers: { ...common, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  },
]

function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []).filter((scope) => scope !== ''))
  return all.size > 0 ? [...all].join(' ') : undefined
}
