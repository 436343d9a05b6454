import type { AuthorizationServer } from 'oauth4webapi'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Sends a request without following redirects. Rejects if the address is closed, or if there is no answer in time. Answers are
 * bounded in size.
 */
export type OAuthFetch = (url: string, init: OAuthRequest) => Promise<Response>

/** A request of `OAuthFetch`. */
interface OAuthRequest {
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface DiscoverOptions {
  readonly fetch: OAuthFetch
  readonly signal?: AbortSignal | undefined
  /** From the server's challenge: where it describes itself. */
  readonly resourceMetadata?: string | undefined
  /** The issuer that the operator named, if the server does not tell. */
  readonly issuer?: string | undefined
}

/** Who issues tokens for an MCP server, and how to ask for one. */
export interface Discovered {
  /** The identifier of the server in requests for tokens (RFC 8707). */
  readonly resource: string
  readonly server: AuthorizationServer
  /** Scopes that the server says exist. */
  readonly scopes: readonly string[]
}

/** More are not tried. */
const maxIssuers = 5

/**
 * Finds the authorization server of an MCP server: from its challenge or the well-known places to the description of the
 * protected resource (RFC 9728), and from there to the metadata of its issuer (RFC 8414, or OpenID Connect discovery). A server
 * without a description is its own issuer, as in 2025-03-26.
 */
export async function discover(url: URL, options: DiscoverOptions): Promise<Discovered> {
  const described = await describeResource(url, options)
  const issuers = options.issuer !== undefined ? [options.issuer] : (described?.issuers ?? [url.origin])
  let failure: unknown
  for (const issuer of issuers.slice(0, maxIssuers)) {
    try {
      const server = await readIssuer(toIssuer(issuer), options)
      return { resource: described?.resource ?? toResource(url), server, scopes: described?.scopes ?? [] }
    } catch (cause) {
      failure ??= cause
    }
  }
  throw failure
}

/** The canonical identifier of an MCP server: its URL without query and fragment. */
function toResource(url: URL): string {
  const plain = new URL(url)
  plain.search = ''
  plain.hash = ''
  return plain.href.replace(/\/$/, '')
}

interface Described {
  readonly resource: string
  readonly issuers: readonly string[] | undefined
  readonly scopes: readonly string[]
}

/** Whether a server describes itself as protected. */
export async function isDescribed(url: URL, options: DiscoverOptions): Promise<boolean> {
  return (await describeResource(url, options)) !== undefined
}

async function describeResource(url: URL, options: DiscoverOptions): Promise<Described | undefined> {
  const { resourceMetadata } = options
  const named = resourceMetadata !== undefined ? URL.parse(resourceMetadata) : undefined
  if (resourceMetadata !== undefined && !isUsable(named))
    throw new OAuthError(
      `The server says that it is described at ${quote(resourceMetadata)}, which is no https address.`,
    )
  const path = url.pathname.replace(/\/$/, '')
  const wellKnown = '/.well-known/oauth-protected-resource'
  const places = named ? [named.href] : [...new Set([`${url.origin}${wellKnown}${path}`, `${url.origin}${wellKnown}`])]
  for (const place of places) {
    const document = await readDocument(place, options)
    if (document) return toDescribed(document, url, place)
  }
  return undefined
}

/** A server may only describe itself: the identifier of another one would get a token for that one. */
function toDescribed(document: JsonObject, url: URL, place: string): Described {
  const resource = typeof document.resource === 'string' ? URL.parse(document.resource) : undefined
  const covers = resource?.origin === url.origin && isWithin(url.pathname, resource.pathname)
  if (!resource || !covers)
    throw new OAuthError(`${quote(place)} describes ${quote(String(document.resource))}, which is another server than ${url.origin}${url.pathname}. It may be misconfigured, or want a token for the other one.`) // biome-ignore format: one line
  const { authorization_servers: issuers, scopes_supported: scopes } = document
  return {
    resource: document.resource as string,
    issuers: isTexts(issuers) && issuers.length > 0 ? issuers : undefined,
    scopes: isTexts(scopes) ? scopes : [],
  }
}

function isWithin(path: string, parent: string): boolean {
  const start = parent.replace(/\/$/, '')
  return path === start || path.startsWith(`${start}/`)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= 1000 && value.every((text) => typeof text === 'string')
}

function toIssuer(text: string): URL {
  const issuer = URL.parse(text)
  if (!isUsable(issuer) || issuer.search !== '' || issuer.hash !== '')
    throw new OAuthError(`The issuer ${quote(text)} cannot be used: it is no https address.`)
  return issuer
}

/** Http only for loopback, as in tests and for programs of this machine. Whether an address is closed is decided by `fetch`. */
export function isUsable(url: URL | null | undefined): url is URL {
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/** The metadata of an issuer that the operator named. */
export async function discoverIssuer(issuer: string, options: DiscoverOptions): Promise<AuthorizationServer> {
  return readIssuer(toIssuer(issuer), options)
}

/** In the order of the MCP specification. The issuer in the document must be the one that was asked for. */
async function readIssuer(issuer: URL, options: DiscoverOptions): Promise<AuthorizationServer> {
  const oauth = await loadOAuth()
  const path = issuer.pathname.replace(/\/$/, '')
  const places = new Set([
    `${issuer.origin}/.well-known/oauth-authorization-server${path}`,
    `${issuer.origin}/.well-known/openid-configuration${path}`,
    `${issuer.origin}${path}/.well-known/openid-configuration`,
  ])
  for (const place of places) {
    const document = await readDocument(place, options)
    if (!document) continue
    const response = new Response(JSON.stringify(document), { headers: { 'Content-Type': 'application/json' } })
    const server = await oauth.processDiscoveryResponse(issuer, response).catch((cause: Error) => {
      throw new OAuthError(`The metadata at ${quote(place)} cannot be used: it is of another issuer than ${issuer.href}, or not valid.`, { cause }) // biome-ignore format: one line
    })
    requireEndpoints(server, place)
    return server
  }
  throw new OAuthError(`The issuer ${issuer.href} publishes no metadata, neither for OAuth nor for OpenID Connect. Ask its operator, or set "oauth.issuer" of the server.`) // biome-ignore format: one line
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const // biome-ignore format: one line

/** Every address must be https: a person is sent to some of them, and secrets to the others. */
function requireEndpoints(server: AuthorizationServer, place: string) {
  for (const name of endpoints) {
    const value = server[name]
    if (value !== undefined && !isUsable(URL.parse(String(value))))
      throw new OAuthError(`The metadata at ${quote(place)} cannot be used: its ${name}, ${quote(String(value))}, is no https address.`) // biome-ignore format: one line
  }
  if (server.token_endpoint === undefined)
    throw new OAuthError(`The metadata at ${quote(place)} cannot be used: it names no token_endpoint.`)
}

/** Undefined if there is no such document. */
async function readDocument(url: string, { fetch, signal }: DiscoverOptions): Promise<JsonObject | undefined> {
  const response = await fetch(url, { method: 'GET', headers: { Accept: 'application/json' }, signal }).catch(
    (cause: Error) => {
      signal?.throwIfAborted()
      throw new OAuthError(`${quote(url)} could not be read: ${cause.message}`, { cause })
    },
  )
  if (response.status !== 200) return undefined
  try {
    const document: unknown = await response.json()
    if (isObject(document)) return document
  } catch {
    // Many servers answer unknown paths with a page.
  }
  return undefined
}

function quote(text: string): string {
  return printable(shorten(text, 200))
}
