import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import { type Credentials, type Identified, isReservedCaller } from './credentials.ts'

export interface JwksOptions {
  /** The issuer's public keys: an https URL (http for loopback only) or a file path. */
  readonly jwks: string
  readonly issuer: string
  readonly audience: string
  /** The claim that names the caller. Default: `sub`. */
  readonly caller?: string
  /** The claim that names the tenant, if there are several. Required of every token then. */
  readonly tenant?: string | undefined
  /** Receives the reason if keys cannot be loaded. */
  readonly onFailure?: (cause: unknown) => void
}

/** Asymmetric algorithms only: with a shared secret or `none`, anyone could forge a token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const maxTokenLength = 8192
/** How long a verified token is cached. */
const cacheMs = 60_000
const maxCached = 1000

/** Accepts tokens that the issuer signed for this audience. Loads `jose`, so open it only if it is configured. */
export async function openJwksCredentials(options: JwksOptions): Promise<Credentials> {
  const { issuer, audience, caller: claim = 'sub', tenant: tenantClaim, onFailure } = options
  const requiredClaims = ['exp', claim, ...(tenantClaim === undefined ? [] : [tenantClaim])]
  const jose = await import('jose')
  const keys = toKeySource(options.jwks, jose)
  const cache = new Map<string, KnownToken>()

  async function verify(token: string): Promise<Identified> {
    try {
      const key: JWTVerifyGetKey = await keys()
      const { payload } = await jose.jwtVerify(token, key, { issuer, audience, algorithms, requiredClaims }) // biome-ignore format: one line
      const name = toName(payload, claim)
      if (name === undefined) return { kind: 'wrong', detail: `The claim ${claim} names no caller that can be used.` }
      const identified = { kind: 'caller', caller: Object.freeze({ name }), ...toTenant(payload, tenantClaim) } as const
      remember(token, identified, payload.exp! * 1000)
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

  return {
    async identify(token) {
      if (token === undefined) return { kind: 'missing' }
      if (token.length > maxTokenLength) return { kind: 'wrong', detail: 'The token is too long.' }
      const hash = toHash(token)
      const known = cache.get(hash)
      if (known && Date.now() < known.until) return known.identified
      cache.delete(hash)
      return verify(token)
    },
    hint: (base) => `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
  }
}

interface KnownToken {
  readonly identified: Identified
  readonly until: number
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

/** The caller's name, if it is valid in the ledger and in rules. */
function toName(payload: JWTPayload, claim: string): string | undefined {
  const name = Object.hasOwn(payload, claim) ? payload[claim] : undefined
  if (typeof name !== 'string' || !/^\P{Z}{1,256}$/u.test(name) || findHidden(name, 'exact') !== undefined)
    return undefined
  return isReservedCaller(name, false) ? undefined : name
}

function toHash(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}

type Jose = typeof import('jose')

/** Returns the current keys. Rejects if they cannot be loaded. */
type KeySource = () => Promise<JWTVerifyGetKey>

/** Throws unless the place is a trusted URL or an absolute path. */
function toKeySource(place: string, jose: Jose): KeySource {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return toFileKeys(place, jose)
  const url = new URL(place)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw new Error(`The keys at ${place} could be changed on the way. Use https in http.auth.jwks, or a file.`)
  const keys = jose.createRemoteJWKSet(url, { timeoutDuration: 5000, cooldownDuration: 30_000, cacheMaxAge: 600_000 })
  return async () => keys
}

/** Reloads the file when it changes. */
function toFileKeys(path: string, jose: Jose): KeySource {
  if (!isAbsolute(path)) throw new Error(`The path ${path} in http.auth.jwks is not absolute.`)
  let loaded: { readonly keys: JWTVerifyGetKey; readonly version: string } | undefined
  return async () => {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    const version = [ino, size, mtimeNs].join(' ')
    if (loaded?.version !== version)
      loaded = { keys: jose.createLocalJWKSet(JSON.parse(await readFile(path, 'utf8'))), version }
    return loaded.keys
  }
}
