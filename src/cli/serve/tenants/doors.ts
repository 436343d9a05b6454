import type { IncomingMessage } from 'node:http'
import { toNamedClaims } from '../../../app/config/caller-rights.ts'
import { toIssuers } from '../../../app/config/issuers.ts'
import type { FoundTenants, SharedStorage } from '../../../app/tenants/open-tenants.ts'
import { type ConsolePages, createConsolePages } from '../../../surfaces/console/pages.ts'
import { type Credentials, readBearer } from '../../../surfaces/http/credentials.ts'
import { openJwksCredentials, wrongClaim } from '../../../surfaces/http/jwks-credentials.ts'
import type { HttpAddress, HttpSite } from '../../../surfaces/http/open-http-server.ts'
import type { HttpSurface } from '../../../surfaces/http/route.ts'
import { composeRoutes, createRouteFinder } from '../../../surfaces/http/routes.ts'
import { createTokenCredentials } from '../../../surfaces/http/token-credentials.ts'

/**
 * What a tenant serves before anybody has proven to be one of its callers: the pages of its console, and refusals. So nobody
 * else can make a server open a tenant.
 */
export interface Door {
  readonly site: HttpSite
  readonly pages: ConsolePages
  readonly address: HttpAddress
  /** Whether a path is served here, also to callers. */
  serves(path: string): boolean
  /** Whether a request has a token or a session of this tenant. */
  knows(request: IncomingMessage): Promise<boolean>
}

export interface DoorsOptions {
  readonly tenants: FoundTenants
  readonly shared: SharedStorage
  readonly jwks: Credentials | undefined
  readonly address: () => HttpAddress
  /** What the doors of tenants have besides the pages, and what the door of the server has. */
  readonly surfaces: { readonly all: readonly HttpSurface[]; readonly own: readonly HttpSurface[] }
  readonly onFailure: (cause: unknown) => void
}

/** The door of a tenant, or of the server itself. Opened with the first request. Rejects while Postgres fails. */
export function createDoors(options: DoorsOptions): (name: string) => Promise<Door> {
  const opened = new Map<string, Promise<Door>>()
  return (name) => {
    const door = opened.get(name) ?? openDoor(name, options)
    opened.set(name, door)
    door.catch(() => opened.delete(name))
    return door
  }
}

async function openDoor(name: string, { tenants, shared, jwks, surfaces, ...options }: DoorsOptions): Promise<Door> {
  const { tokens, signIns } = await shared.openDoor(name)
  const isOwn = name === tenants.own
  const address = { ...options.address(), ...toUrl(tenants, name) }
  const byToken = createTokenCredentials({ tokens, onFailure: options.onFailure })
  const credentials = !jwks ? byToken : isOwn ? toOwnCredentials(jwks, byToken) : toTenantCredentials(jwks, name)
  const tenant = tenants.by === 'claim' ? name : undefined
  const pages = createConsolePages({ signIns, address, tenant, lasts: () => tenants.config.http })
  const served = [pages, ...surfaces.all, ...(isOwn ? surfaces.own : [])]
  const findRoute = createRouteFinder(composeRoutes(served))
  return {
    site: { surfaces: served, credentials },
    pages,
    address,
    serves: (path) => findRoute(path) !== undefined,
    async knows(request) {
      const { authorization } = request.headers
      if (authorization === undefined) return (await pages.signIn.find(request)) !== undefined
      return (await credentials.identify(readBearer(authorization))).kind === 'caller'
    },
  }
}

function toUrl({ entries }: FoundTenants, name: string): { readonly url?: string } {
  const url = entries.get(name)?.url
  return url === undefined ? {} : { url }
}

/** Tokens of the issuer that name this tenant. */
function toTenantCredentials(jwks: Credentials, name: string): Credentials {
  return {
    ...jwks,
    async identify(token) {
      const identified = await jwks.identify(token)
      return identified.kind === 'caller' && identified.tenant !== name ? wrongClaim : identified
    },
  }
}

/** The server's own tokens. Those of the issuer that come here name no tenant that there is. */
function toOwnCredentials(jwks: Credentials, byToken: Credentials): Credentials {
  return {
    ...jwks,
    async identify(token) {
      if (token?.startsWith('toolpact_')) return byToken.identify(token)
      const identified = await jwks.identify(token)
      return identified.kind === 'caller' ? wrongClaim : identified
    },
  }
}

/** The issuer's tokens, if the config names one. */
export async function openIssuer(
  { config, claim }: FoundTenants,
  onFailure: (cause: unknown) => void,
): Promise<Credentials | undefined> {
  const issuers = toIssuers(config.http?.auth)
  if (issuers.length === 0) return undefined
  return openJwksCredentials({ issuers, claims: () => toNamedClaims(config), tenant: claim, onFailure })
}
