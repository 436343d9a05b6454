import { findCallerToken } from '../../contract/caller-token.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Discovered, discover } from '../../identity/oauth/discover.ts'
import { chooseResource, chooseScope } from '../../identity/oauth/login.ts'
import { OAuthError } from '../../identity/oauth/oauth-error.ts'
import { readScopes } from '../../identity/oauth/scopes.ts'
import { exchangeToken, requestServiceToken, type TokenSource, type Tokens } from '../../identity/oauth/tokens.ts'
import { toExchangeOwner } from '../../identity/owner.ts'
import type { ServerEntries } from './server-entries.ts'

/** Tokens that Toolpact gets by itself, without a login. They are held in memory until they expire. */
export interface OwnTokens {
  /** By client credentials. `rejected`: the one that the server rejected. */
  service(server: string, rejected?: string): Promise<string>
  /** A token for a caller with a call in flight, by the exchange of theirs. */
  exchanged(server: string, owner: string, rejected?: string): Promise<string>
  /** A call of a server with `exchange` begins: its token is there before the call. The result ends that. */
  beginExchange(server: string, caller: Caller): Promise<() => void>
}

interface Held {
  readonly tokens: Tokens
  readonly until: number
}

/** Exchanged tokens above this number are dropped, the oldest first. */
const maxExchanged = 10_000

export function openOwnTokens(entries: ServerEntries): OwnTokens {
  const services = new Map<string, Held>()
  const exchanged = new Map<string, Held>()
  const exchanging = new Map<string, Promise<string>>()
  /** Callers with calls in flight. Their own tokens are found through these objects, and kept nowhere else. */
  const callers = new Map<string, Set<Caller>>()

  async function find(server: string): Promise<{ found: Discovered; source: TokenSource; scope: string | undefined }> {
    const { url, settings } = entries.read(server)
    const { mode, clientId } = settings
    if (clientId === undefined) throw new OAuthError(`The server ${server} has authorization.mode ${mode}, which needs clientId and clientSecret or privateKey.`, { isFinal: true }) // biome-ignore format: one line
    const found = await discover(url, { fetch: entries.fetchFor(server), issuer: settings.issuer })
    // All that the server lists is for people. Without their consent, what the client was granted.
    const scopes = settings.scopes ?? (found.scopes.length > 0 ? [] : undefined)
    const scope = chooseScope(found, { scopes, quirks: settings.quirks })
    const client = { clientId, method: 'configured' } as const
    const source = { server: found.server, client, settings, resource: chooseResource(found, settings) }
    return { found, source, scope }
  }

  async function service(server: string, rejected?: string): Promise<string> {
    const known = findUsable(services.get(server), rejected)
    if (known !== undefined) return known
    const { source, scope } = await find(server)
    const tokens = await requestServiceToken({ ...source, scope: withoutOffline(scope) }, { fetch: entries.fetchFor(server) }) // biome-ignore format: one line
    services.set(server, toHeld(tokens))
    return tokens.accessToken
  }

  async function exchange(server: string, caller: Caller): Promise<string> {
    const token = findCallerToken(caller)
    if (token === undefined) throw new OAuthError(`The server ${server} takes calls only of callers who present a signed token (JWT) of their own, which is exchanged for one of the server. ${caller.name} presented none.`, { isFinal: true }) // biome-ignore format: one line
    const { source, scope } = await find(server)
    const { audience } = entries.read(server).settings
    const tokens = await exchangeToken({ ...source, scope: withoutOffline(scope), audience }, token, { fetch: entries.fetchFor(server) }) // biome-ignore format: one line
    const id = toId(server, toExchangeOwner(caller))
    exchanged.delete(id)
    exchanged.set(id, toHeld(tokens))
    if (exchanged.size > maxExchanged) exchanged.delete(exchanged.keys().next().value!)
    return tokens.accessToken
  }

  /** Calls of a caller that begin together need one exchange. */
  function exchangeOnce(server: string, caller: Caller, rejected?: string): Promise<string> {
    const id = toId(server, toExchangeOwner(caller))
    const known = findUsable(exchanged.get(id), rejected)
    if (known !== undefined) return Promise.resolve(known)
    const inFlight = exchanging.get(id)
    if (inFlight) return inFlight
    const begun = exchange(server, caller).finally(() => exchanging.delete(id))
    exchanging.set(id, begun)
    return begun
  }

  return {
    service,
    async exchanged(server, owner, rejected) {
      const [caller] = [...(callers.get(toId(server, owner)) ?? [])].slice(-1)
      if (!caller) throw new OAuthError(`No call to ${server} is in flight whose token could be exchanged. Call again.`)
      return exchangeOnce(server, caller, rejected)
    },
    async beginExchange(server, caller) {
      await exchangeOnce(server, caller)
      const key = toId(server, toExchangeOwner(caller))
      const inFlight = callers.get(key) ?? new Set()
      inFlight.add(caller)
      callers.set(key, inFlight)
      return () => {
        inFlight.delete(caller)
        if (inFlight.size === 0 && callers.get(key) === inFlight) callers.delete(key)
      }
    },
  }
}

function toId(server: string, owner: string): string {
  return JSON.stringify([server, owner])
}

/** Renewed when three quarters of its life are over. */
function toHeld(tokens: Tokens): Held {
  const lifeMs = (tokens.expiresAt ?? Number.POSITIVE_INFINITY) - tokens.issuedAt
  return { tokens, until: tokens.issuedAt + lifeMs * 0.75 }
}

function findUsable(held: Held | undefined, rejected: string | undefined): string | undefined {
  return held && Date.now() < held.until && held.tokens.accessToken !== rejected ? held.tokens.accessToken : undefined
}

/** There is nobody who is away, and Entra rejects it here. */
function withoutOffline(scope: string | undefined): string | undefined {
  return readScopes(
    scope
      ?.split(' ')
      .filter((one) => one !== 'offline_access')
      .join(' '),
  )
}
