import { readFile, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { JWTVerifyGetKey } from 'jose'
import { isObject } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'

type Jose = typeof import('jose')

/** Returns the current keys. Rejects if they cannot be loaded. */
export type KeySource = () => Promise<JWTVerifyGetKey>

interface KeyPlace {
  readonly issuer: string
  /** An https URL (http for loopback only) or an absolute path. Absent: where the metadata of the issuer says. */
  readonly jwks?: string | undefined
}

export interface KeyOptions {
  /** How long an issuer is not asked again for a key that it did not have. */
  readonly cooldownMs?: number
}

/** The public keys of an issuer. Throws unless their place is a trusted URL or an absolute path. */
export function toKeySource(
  { issuer, jwks }: KeyPlace,
  jose: Jose,
  { cooldownMs = 30_000 }: KeyOptions = {},
): KeySource {
  const toRemote = (url: URL) =>
    jose.createRemoteJWKSet(url, {
      timeoutDuration: timeoutMs,
      cooldownDuration: cooldownMs,
      cacheMaxAge: 600_000,
      [jose.customFetch]: fetchBounded,
    })
  if (jwks === undefined) return toDiscovered(requireSafe(issuer, 'http.auth.issuer'), issuer, toRemote)
  if (!isUrl(jwks)) return toFileKeys(jwks, jose)
  const keys = toRemote(requireSafe(jwks, 'http.auth.jwks'))
  return async () => keys
}

const timeoutMs = 5000

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text)
}

function requireSafe(place: string, setting: string): URL {
  const url = URL.parse(place)
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)) return url
  throw new Error(`The keys at ${place} could be changed on the way. Use https in ${setting}, or a file in http.auth.jwks.`) // biome-ignore format: one line
}

/** Finds the keys with the first token. A failure is not remembered for long: the issuer may start after this server. */
function toDiscovered(url: URL, issuer: string, toRemote: (url: URL) => JWTVerifyGetKey): KeySource {
  let found: Promise<JWTVerifyGetKey> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  return () => {
    if (found) return found
    if (performance.now() - failedAt < retryMs) return Promise.reject(failure)
    const finding = discover(url, issuer).then(toRemote)
    found = finding
    finding.catch((cause) => {
      failure = cause
      failedAt = performance.now()
      found = undefined
    })
    return finding
  }
}

/** Many requests with a token do not become as many requests to an issuer that fails. */
const retryMs = 1000

/** The place of the keys, as the metadata of the issuer says (OpenID Connect discovery, or RFC 8414). */
async function discover({ origin, pathname }: URL, issuer: string): Promise<URL> {
  const path = pathname.replace(/\/$/, '')
  const places = new Set([
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ])
  for (const place of places) {
    const response = await fetchBounded(place, { signal: AbortSignal.timeout(timeoutMs) })
    if (response.status !== 200) continue
    const metadata = parseJson(Buffer.from(await response.arrayBuffer()), { maxBytes, maxDepth: 32 })
    if (!metadata.ok || !isObject(metadata.value)) continue
    // The metadata of another issuer would bring its keys.
    if (metadata.value.issuer !== issuer) throw new Error(`${place} describes another issuer than ${issuer}. Correct http.auth.issuer.`) // biome-ignore format: one line
    return requireSafe(String(metadata.value.jwks_uri), 'the metadata of the issuer')
  }
  throw new Error(`${issuer} has no metadata that names its keys. Set http.auth.jwks.`)
}

const maxBytes = 1_048_576

/** Redirects are not followed, and no more than a megabyte is read. */
async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`${url} answers with more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  const { status } = response
  // A response of this status cannot have a body.
  const body = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks)
  return new Response(body, { status: status < 200 ? 500 : status, headers: response.headers })
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
