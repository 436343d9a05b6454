import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthorizationServer } from 'oauth4webapi'
import type { JsonObject } from '../../contract/json.ts'
import type {
  ConnectionKey,
  Connections as ConnectionStore,
  StoredConnection,
} from '../../runtime/storage/connections.ts'
import type { OAuthCall } from '../oauth/call-oauth.ts'
import type { OAuthFetch } from '../oauth/discover.ts'
import type { StoredClient } from '../oauth/find-client.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { type ClientSettings, refreshTokens, revokeTokens, type Tokens } from '../oauth/tokens.ts'
import { toConnectCommand } from '../owner.ts'
import type { Vault } from '../vault/vault.ts'
import type { RemovedConnection } from './removed-connection.ts'

/** What is stored of a connection, encrypted. */
interface ConnectionSecret {
  readonly tokens: Tokens
  readonly client: StoredClient
  /** Metadata of the issuer. */
  readonly server: AuthorizationServer
  readonly resource?: string
}

/** The connections of callers to servers that require a login. */
export interface Connections {
  /** Stores the result of a login in place of an earlier connection. */
  save(key: ConnectionKey, secret: ConnectionSecret): Promise<void>
  /**
   * A token that the server should accept. Renews it if it is about to expire, or if it is the one that the server rejected.
   * Rejects with an `OAuthError`: if that is final, the owner must connect.
   */
  token(key: ConnectionKey, options?: TokenOptions): Promise<string>
  /** Revokes the tokens at the issuer and removes the connection. Resolves to why it was not revoked, if so. */
  remove(key: ConnectionKey, signal?: AbortSignal): Promise<RemovedConnection>
  /** What the issuer granted last, if there is a connection that can be read. */
  scopeOf(key: ConnectionKey): Promise<string | undefined>
  /** Reads the connection anew with the next request: another process may have changed it. */
  forget(key: ConnectionKey): void
  /** Encrypts every connection with the newest key, and resolves once none needs an older one. */
  rekey(): Promise<Rekeyed>
}

interface Rekeyed {
  readonly rekeyed: number
  readonly current: number
  /** No known key opens these. */
  readonly lost: readonly ConnectionKey[]
}

interface TokenOptions {
  readonly signal?: AbortSignal | undefined
  /** The token that the server rejected. */
  readonly rejected?: string | undefined
}

export interface ConnectionsOptions {
  readonly store: ConnectionStore
  /** Of one of several that share a storage. */
  readonly tenant?: string | undefined
  readonly vault: () => Promise<Vault>
  readonly fetchFor: (server: string) => OAuthFetch
  /** Secrets of a configured client, which are not stored. */
  readonly settingsOf: (server: string) => ClientSettings
}

/** How long a process may take to renew a connection. Another one may try again after that. */
const leaseMs = 30_000
const pollMs = 100
/** How long before its end a token is renewed, at most; a quarter of its life if that is shorter. */
const maxEarlyMs = 90_000

interface Held {
  readonly secret: ConnectionSecret
  readonly version: number
  readonly renewAt: number
}

/**
 * Renewal is single flight, in this process by a shared promise and across processes by a lease in the storage. An issuer that
 * rotates refresh tokens accepts each once, so the order is: lease, ask the issuer, store, use. A process that is killed after
 * it has stored loses nothing. One that is killed before cannot know what the issuer sent: the next one tries the old token.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { store, fetchFor, settingsOf, tenant = null } = options
  /** A sealed secret cannot be moved to another tenant, owner, server or issuer. */
  const toContext = ({ owner, server, issuer }: ConnectionKey & { readonly issuer: string }) =>
    JSON.stringify(['connection', tenant, owner, server, issuer])
  const holder = randomUUID()
  const held = new Map<string, Held>()
  const renewing = new Map<string, Promise<Held>>()

  async function read(key: ConnectionKey): Promise<Held> {
    const found = await store.find(key)
    if (!found) throw toMissing(key)
    if (found.fault !== undefined) throw new OAuthError(found.fault, { isFinal: true })
    const isStale = (await options.vault()).isStale(found.sealed)
    const stored = isStale && (await reseal(key)) ? ((await store.find(key)) ?? found) : found
    return toHeld(key, stored)
  }

  async function toHeld(key: ConnectionKey, stored: StoredConnection): Promise<Held> {
    const vault = await options.vault()
    const secret = vault.open(stored.sealed, toContext(stored)) as ConnectionSecret | undefined
    if (!secret)
      throw new OAuthError(`The connection of ${key.owner} to ${key.server} cannot be decrypted: it was stored with another key. Give the key back, or connect again: ${toConnectCommand(key)}`, { isFinal: true }) // biome-ignore format: one line
    const found = { secret, version: stored.version, renewAt: toRenewAt(secret.tokens) }
    held.set(toId(key), found)
    return found
  }

  /**
   * Encrypts with the newest key what an older one encrypted. Only with the lease: a renewal that is in flight must not find another
   * version when it stores a rotated token. False if the connection was renewed, is being renewed, or is gone.
   */
  async function reseal(key: ConnectionKey): Promise<boolean> {
    const stored = await store.find(key)
    const vault = await options.vault()
    if (!stored || !vault.isStale(stored.sealed)) return true
    const { version, fault, renewedAt = stored.connectedAt } = stored
    const secret = vault.open(stored.sealed, toContext(stored))
    if (!secret) return true
    if (!(await store.lease(key, { version, holder: `${holder} rekey`, until: Date.now() + leaseMs }, Date.now())))
      return false
    const sealed = vault.seal(secret, toContext(stored))
    held.delete(toId(key))
    return store.replace(key, { version, sealed, renewedAt, ...(fault !== undefined && { fault }) })
  }

  /** The key may have been replaced between reading and storing. */
  async function resealIfStale(key: ConnectionKey, sealed: string): Promise<void> {
    if ((await options.vault()).isStale(sealed)) await reseal(key)
  }

  /** Seals with the newest key. If another process was faster, its version counts. */
  async function keep(
    key: ConnectionKey,
    { version, issuer }: Pick<StoredConnection, 'version' | 'issuer'>,
    secret: ConnectionSecret,
  ): Promise<boolean> {
    // biome-ignore format: one line
    const sealed = (await options.vault()).seal(secret as unknown as JsonObject, toContext({ ...key, issuer }))
    const isKept = await store.replace(key, { version, sealed, renewedAt: Date.now() })
    if (isKept) held.set(toId(key), { secret, version: version + 1, renewAt: toRenewAt(secret.tokens) })
    if (isKept) await resealIfStale(key, sealed)
    return isKept
  }

  /** `isUsable`: whether what another process stored makes a renewal unnecessary. */
  async function renew(key: ConnectionKey, isUsable: (found: Held) => boolean): Promise<Held> {
    const deadline = Date.now() + 2 * leaseMs
    for (;;) {
      const current = await read(key)
      if (isUsable(current)) return current
      const { version, secret } = current
      if (secret.tokens.refreshToken === undefined)
        return endWith(key, current, 'its token has expired, and the issuer gave none to renew it')
      if (await store.lease(key, { version, holder, until: Date.now() + leaseMs }, Date.now()))
        return renewLeased(key, current)
      if (Date.now() > deadline) throw new OAuthError(`The token of ${key.owner} for ${key.server} is being renewed by another process, which takes too long. Try again.`) // biome-ignore format: one line
      await sleep(pollMs)
    }
  }

  async function renewLeased(key: ConnectionKey, current: Held): Promise<Held> {
    const { secret, version } = current
    const { server, client, resource } = secret
    const source = { server, client, resource, settings: settingsOf(key.server) }
    const call: OAuthCall = { fetch: fetchFor(key.server), signal: AbortSignal.timeout(leaseMs / 2) }
    let tokens: Tokens
    try {
      tokens = await refreshTokens(source, secret.tokens.refreshToken!, call)
    } catch (error) {
      if (error instanceof OAuthError && error.isFinal) return endWith(key, current, `the issuer no longer accepts it (${error.code})`) // biome-ignore format: one line
      throw error
    }
    const isKept = await keep(key, { version, issuer: server.issuer }, { ...secret, tokens })
    // The owner has connected again meanwhile: that connection counts.
    return (isKept ? held.get(toId(key)) : undefined) ?? read(key)
  }

  /** The connection has ended, unless another process changed it meanwhile. */
  async function endWith(key: ConnectionKey, { secret, version }: Held, why: string): Promise<Held> {
    const fault = `The connection of ${key.owner} to ${key.server} has ended: ${why}. Connect again: ${toConnectCommand(key)}` // biome-ignore format: one line
    const { sealed } = (await store.find(key)) ?? {}
    held.delete(toId(key))
    if (sealed === undefined || !(await store.replace(key, { version, sealed, renewedAt: Date.now(), fault }))) {
      const other = await read(key)
      if (other.version !== version && other.secret.tokens.accessToken !== secret.tokens.accessToken) return other
    }
    throw new OAuthError(fault, { isFinal: true })
  }

  function renewOnce(key: ConnectionKey, isUsable: (found: Held) => boolean): Promise<Held> {
    const id = toId(key)
    const inFlight = renewing.get(id)
    if (inFlight) return inFlight
    const begun = renew(key, isUsable).finally(() => renewing.delete(id))
    renewing.set(id, begun)
    return begun
  }

  return {
    async save(key, secret) {
      const { issuer } = secret.server
      const sealed = (await options.vault()).seal(secret as unknown as JsonObject, toContext({ ...key, issuer }))
      if (!(await store.save({ ...key, issuer, sealed, connectedAt: Date.now() })))
        throw new OAuthError('Too many connections are stored. Remove some: toolpact connections list')
      held.delete(toId(key))
      await resealIfStale(key, sealed)
    },
    forget: (key) => void held.delete(toId(key)),
    async scopeOf(key) {
      const stored = await store.find(key)
      const secret = stored && ((await options.vault()).open(stored.sealed, toContext(stored)) as ConnectionSecret | undefined) // biome-ignore format: one line
      return secret?.tokens.scope
    },
    async rekey() {
      const lost: ConnectionKey[] = []
      let [rekeyed, current] = [0, 0]
      for (const { owner, server, sealed, ...stored } of await store.list()) {
        const key = { owner, server }
        const vault = await options.vault()
        if (!vault.isStale(sealed)) current++
        else if (!vault.open(sealed, toContext({ ...key, issuer: stored.issuer }))) lost.push(key)
        else {
          const deadline = Date.now() + 2 * leaseMs
          while (!(await reseal(key))) {
            if (Date.now() > deadline) throw new OAuthError(`The connection of ${owner} to ${server} is being renewed by another process, which takes too long. Run the command again.`) // biome-ignore format: one line
            await sleep(pollMs)
          }
          rekeyed++
        }
      }
      return { rekeyed, current, lost }
    },
    async token(key, { signal, rejected } = {}) {
      const isUsable = ({ renewAt, secret }: Held) => Date.now() < renewAt && secret.tokens.accessToken !== rejected
      const known = held.get(toId(key))
      if (known && isUsable(known)) return known.secret.tokens.accessToken
      const renewed = await unlessAborted(renewOnce(key, isUsable), signal)
      if (renewed.secret.tokens.accessToken === rejected)
        throw new OAuthError(`The server ${key.server} rejects the token of ${key.owner}. Connect again: ${toConnectCommand(key)}`, { isFinal: true }) // biome-ignore format: one line
      return renewed.secret.tokens.accessToken
    },
    async remove(key, signal) {
      const stored = await store.find(key)
      if (!stored) return { removed: false }
      held.delete(toId(key))
      const revoking = toHeld(key, stored).then(({ secret }) => {
        const { server, client, resource, tokens } = secret
        return revokeTokens({ server, client, resource, settings: settingsOf(key.server) }, tokens, {
          fetch: fetchFor(key.server),
          signal,
        })
      })
      const revoked = await revoking.catch((error: Error) => error.message)
      held.delete(toId(key))
      await store.remove(key)
      return typeof revoked === 'string'
        ? { removed: true, revoked: false, fault: revoked }
        : { removed: true, revoked }
    },
  }
}

/** Renewed a little early, and not by all processes at the same moment. */
function toRenewAt({ issuedAt, expiresAt }: Tokens): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  const earlyMs = Math.min(maxEarlyMs, (expiresAt - issuedAt) / 4) * (0.67 + Math.random() / 3)
  return expiresAt - earlyMs
}

function toMissing(key: ConnectionKey): OAuthError {
  const { owner, server } = key
  return new OAuthError(`${owner} is not connected to ${server}, which requires a login. Connect: ${toConnectCommand(key)}`, { isFinal: true }) // biome-ignore format: one line
}

function toId({ owner, server }: ConnectionKey): string {
  return JSON.stringify([owner, server])
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return work
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}
