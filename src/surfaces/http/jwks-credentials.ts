import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { Credentials, Identified } from './credentials.ts'
import { type KeyOptions, type KeySource, toKeySource } from './issuer-keys.ts'
import { type ClaimSettings, readCaller } from './token-claims.ts'

/** An issuer whose tokens are accepted. */
export interface Issuer extends ClaimSettings {
  /** The issuer's public keys: an https URL (http for loopback only) or a file path. Absent: found by its metadata. */
  readonly jwks?: string | undefined
  readonly audience: string
  /** How far its clock may be ahead or behind. Default: 60. */
  readonly skewSeconds?: number | undefined
}

export interface JwksOptions extends KeyOptions {
  readonly issuers: readonly Issuer[]
  /** The claim that names the tenant, if there are several. Required of every token then. */
  readonly tenant?: string | undefined
  /** The claims that the config gives rights to, as `NAME=VALUE`. Another array: they have changed. */
  readonly claims?: () => readonly string[]
  /** Receives the reason if keys cannot be loaded. */
  readonly onFailure?: (cause: unknown) => void
}

/** Asymmetric algorithms only: with a shared secret or `none`, anyone could forge a token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Fits 200 groups of Entra, and into the headers of a request. */
const maxTokenLength = 12_288
/** How long a verified token is cached. */
const cacheMs = 60_000
const maxCached = 1000
const defaultSkew = 60

/**
 * Accepts tokens that one of the issuers signed for this audience. The issuer that a token names decides which keys count, so
 * that no issuer can sign for another. Loads `jose`, so open it only if it is configured.
 */
export async function openJwksCredentials(options: JwksOptions): Promise<Credentials> {
  const { issuers, tenant: tenantClaim, claims = () => noClaims, onFailure } = options
  requireNames(issuers)
  const jose = await import('jose')
  const known = new Map(issuers.map((issuer) => [issuer.issuer, toKnown(issuer)]))
  const requiredClaims = ['exp', ...(tenantClaim === undefined ? [] : [tenantClaim])]
  const cache = new Map<string, KnownToken>()
  let cachedClaims = claims()

  function toKnown(issuer: Issuer): KnownIssuer {
    const others = issuers.flatMap(({ name }) => (name === undefined || name === issuer.name ? [] : [name]))
    return { issuer, others, keys: toKeySource(issuer, jose, options) }
  }

  async function verify(token: string): Promise<Identified> {
    try {
      const found = known.get(jose.decodeJwt(token).iss ?? '')
      if (!found) return wrongClaim
      const { issuer, audience, skewSeconds = defaultSkew } = found.issuer
      const checks = { issuer, audience, algorithms, requiredClaims, clockTolerance: skewSeconds }
      const { payload } = await jose.jwtVerify(token, await found.keys(), checks)
      const read = readCaller(payload, found.issuer, { others: found.others, claims: claims() })
      if ('fault' in read) return { kind: 'wrong', detail: read.fault }
      if ('lacking' in read) return { kind: 'insufficient', scope: read.lacking }
      const identified = { kind: 'caller', caller: read.caller, ...toTenant(payload, tenantClaim) } as const
      remember(token, identified, (payload.exp! + skewSeconds) * 1000)
      return identified
    } catch (cause) {
      const { code = '' } = cause as { code?: string }
      if (Object.hasOwn(faults, code)) return { kind: 'wrong', detail: faults[code]! }
      if (code.startsWith('ERR_JWT') || code.startsWith('ERR_JWS')) return { kind: 'wrong', detail: 'The token is not valid.' } // biome-ignore format: one line
      onFailure?.(cause)
      return { kind: 'unavailable', code: 'keys_unavailable', detail: 'The keys that tokens are checked with cannot be loaded at present.' } // biome-ignore format: one line
    }
  }

  function remember(token: string, identified: Identified, expiresAt: number) {
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!)
    cache.set(toHash(token), { identified, until: Math.min(expiresAt, Date.now() + cacheMs) })
  }

  function forgetIfChanged() {
    const now = claims()
    if (now === cachedClaims) return
    cachedClaims = now
    cache.clear()
  }

  const needed = new Set(issuers.map(({ scopes }) => scopes?.any))
  return {
    async identify(token) {
      if (token === undefined) return { kind: 'missing' }
      if (token.length > maxTokenLength) return { kind: 'wrong', detail: 'The token is too long.' }
      forgetIfChanged()
      const hash = toHash(token)
      const found = cache.get(hash)
      if (found && Date.now() < found.until) return found.identified
      cache.delete(hash)
      return verify(token)
    },
    hint: (base) => `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    // Issuers that need different scopes: a client reads which exist in the metadata.
    scope: needed.size === 1 ? [...needed][0] : undefined,
  }
}

const noClaims: readonly string[] = []

interface KnownIssuer {
  readonly issuer: Issuer
  /** Names of the other issuers. */
  readonly others: readonly string[]
  readonly keys: KeySource
}

interface KnownToken {
  readonly identified: Identified
  readonly until: number
}

/** Two issuers could otherwise give the same name to different people. */
function requireNames(issuers: readonly Issuer[]): void {
  const names = issuers.map(({ name = '' }) => name)
  if (new Set(names).size < names.length)
    throw new Error('Several issuers in http.auth need different names: add "name" to all but one of them.')
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
    throw new Error('Two entries of http.auth have the same issuer. Remove one of them.')
}

/** A claim that is no text names no tenant. */
function toTenant(payload: JWTPayload, claim: string | undefined): { readonly tenant?: string } {
  const tenant = claim !== undefined && Object.hasOwn(payload, claim) ? payload[claim] : undefined
  return typeof tenant === 'string' ? { tenant } : {}
}

/** Also for a token of another tenant, or of one that does not exist: the answer does not tell which. */
export const wrongClaim = {
  kind: 'wrong',
  detail: 'The token is not for this server, not from its issuer, or lacks a claim.',
} as const satisfies Identified

const faults: { readonly [code: string]: string } = {
  ERR_JWT_EXPIRED: 'The token has expired.',
  ERR_JWT_CLAIM_VALIDATION_FAILED: wrongClaim.detail,
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The token's signature is wrong.",
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed in a way that is not accepted.',
  ERR_JOSE_NOT_SUPPORTED: 'The token is signed in a way that is not accepted.',
  ERR_JWKS_NO_MATCHING_KEY: 'The token is signed with a key that its issuer does not publish.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The token does not say which key it is signed with.',
}

function toHash(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
