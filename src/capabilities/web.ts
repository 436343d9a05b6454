import { lookup as lookupAll } from 'node:dns/promises'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { decideUrl } from '../policy/network.ts'
import { type Connector, connect, dialDirectly } from './web/connect.ts'
import { readBody } from './web/read-body.ts'
import { toFetchFailed, toInvalidUrl, toOtherOrigin, toRefused, toTimeout, toWebError } from './web/web-error.ts'

/** Maximum number of interim responses (status 1xx). */
const maxInterim = 16

/** Fetches from the public network. Fails with a `ToolError` whose code is a `WebErrorCode`. */
export interface Web {
  /** Any status is a result, including 404 and 500. */
  fetch(url: string, options?: FetchOptions): Promise<Fetched>
  /** Fails as `fetch` would before it resolves a name. */
  check(url: string): Promise<undefined>
}

export interface WebOptions {
  /** Hosts (`host` or `host:port`) that may be reached although they are private. */
  readonly allowHosts?: readonly string[]
  readonly userAgent?: string
  /** Certificates to trust instead of the default ones, in PEM. */
  readonly certificateAuthorities?: string
  /** How names are resolved and connections opened. Default: by the system. Their results are checked anyway. */
  readonly lookup?: Connector['lookup']
  readonly dial?: Connector['dial']
}

export interface FetchOptions {
  /** For everything: names, connections, redirects, the body. Default: 10,000. */
  readonly timeoutMs?: number
  /** Limit on the decompressed body; the rest is dropped. Default: 1 MiB. */
  readonly maxBytes?: number
  /** Additional headers, such as `accept` or `if-none-match`; sent to the first origin only. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Called before a redirect to another origin is followed or its name resolved. Default: follow. */
  readonly mayReach?: ((url: URL) => Promise<boolean>) | undefined
  /** Called before each connection, including redirects. An error it throws ends the fetch. */
  readonly before?: (url: URL) => Promise<void>
}

export interface Fetched {
  readonly finalUrl: string
  readonly status: number
  /** From the server; may be empty. Pass it to `decodeText`. */
  readonly contentType: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body exceeded `maxBytes`. */
  readonly truncated: boolean
  /** The URLs that redirected, starting with the requested one. */
  readonly redirects: readonly string[]
}

const maxRedirects = 5

/**
 * @example
 * const { status, body } = await openWeb().fetch('https://example.com/')
 */
export function openWeb(options: WebOptions = {}): Web {
  const connector: Connector = {
    lookup: options.lookup ?? resolveBySystem,
    dial: options.dial ?? dialDirectly,
    certificateAuthorities: options.certificateAuthorities,
  }
  const allowHosts = options.allowHosts ?? []
  const userAgent = options.userAgent ?? 'toolpact'
  return {
    async fetch(url, options = {}) {
      const { timeoutMs = 10_000, maxBytes = 1_048_576, headers = {}, signal: given, before, mayReach } = options
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = given ? AbortSignal.any([given, timeout]) : timeout
      const limits = { signal, deadline: performance.now() + timeoutMs, maxBytes }
      try {
        const sent = { ...usualHeaders(userAgent), ...headers }
        const journey = { connector, allowHosts, headers: sent, before, mayReach }
        return await follow(journey, url, limits)
      } catch (error) {
        given?.throwIfAborted()
        throw timeout.aborted ? toTimeout(timeoutMs) : toWebError(error)
      }
    },
    async check(url) {
      admit(url, allowHosts, false)
    },
  }
}

interface Journey {
  readonly connector: Connector
  readonly allowHosts: readonly string[]
  readonly headers: Record<string, string>
  readonly before: FetchOptions['before']
  readonly mayReach: FetchOptions['mayReach']
}

interface FetchLimits {
  readonly signal: AbortSignal
  readonly deadline: number
  readonly maxBytes: number
}

async function follow(journey: Journey, first: string, limits: FetchLimits): Promise<Fetched> {
  const redirects: string[] = []
  for (let next = first; ; ) {
    const { url, trusted } = admit(next, journey.allowHosts, redirects.length > 0)
    const from = redirects.at(-1)
    if (from !== undefined) await requireReachable(journey, new URL(from), url)
    await journey.before?.(url)
    const isSameOrigin = redirects.length === 0 || new URL(redirects[0]!).origin === url.origin
    const headers = isSameOrigin ? journey.headers : usualHeaders(journey.headers['user-agent']!)
    const socket = await connect(journey.connector, { url, trusted, ...limits })
    try {
      const response = await exchange(socket, { url, headers, signal: limits.signal })
      const target = toTarget(response, url)
      if (target === undefined) return await toFetched(response, { url, redirects, ...limits })
      redirects.push(url.href)
      next = target
    } finally {
      socket.destroy()
    }
    if (redirects.length > maxRedirects) throw toFetchFailed(`more than ${maxRedirects} redirects`)
  }
}

function admit(text: string, allowHosts: readonly string[], isRedirect: boolean) {
  const decision = decideUrl(text, allowHosts)
  if (decision.allow) return decision
  if (isRedirect) throw toRefused(`the redirect target is closed to tools: ${decision.reason}`, { isRedirect })
  throw decision.fault === 'form' ? toInvalidUrl(decision.reason) : toRefused(decision.reason)
}

/**
 * Permission for one origin does not cover another. Upgrading the same host from http to https is not a change of
 * origin.
 */
async function requireReachable({ mayReach }: Journey, from: URL, to: URL): Promise<void> {
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  const isSameParty = from.origin === to.origin || (isSecured && from.hostname === to.hostname)
  if (isSameParty || !mayReach || (await mayReach(to))) return
  throw toOtherOrigin(from, to)
}

/** The target of a redirect, if the response is one. */
function toTarget({ statusCode = 0, headers: { location } }: IncomingMessage, url: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined
  // Node returns headers as Latin-1; servers write UTF-8.
  const target = URL.parse(Buffer.from(location, 'latin1').toString(), url.href)
  if (!target) throw toFetchFailed('the redirect target is not a URL')
  if (!target.hash) target.hash = url.hash
  return target.href
}

async function toFetched(
  response: IncomingMessage,
  { url, redirects, maxBytes, signal }: FetchLimits & { url: URL; redirects: string[] },
): Promise<Fetched> {
  const { bytes, truncated } = await readBody(response, maxBytes)
  // A body that ends with the connection looks complete when it is truncated.
  signal.throwIfAborted()
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')])
  return {
    finalUrl: url.href,
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    headers: Object.fromEntries(headers),
    body: bytes,
    truncated,
    redirects,
  }
}

function usualHeaders(userAgent: string): Record<string, string> {
  return { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip, deflate, br' }
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  return (await lookupAll(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}

/** Sends one GET over an open connection and returns the response with its body unread. The connection is used once. */
export function exchange(
  socket: Socket,
  { url, headers, signal }: { url: URL; headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0
    const asked = request({
      // Without an agent there is neither a pool nor a proxy.
      createConnection: () => socket,
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...headers, connection: 'close' },
      setHost: false,
      maxHeaderSize: 32_768,
      insecureHTTPParser: false,
      signal,
    })
    asked.once('response', (response) => {
      // An unread body may be aborted.
      response.on('error', () => {})
      resolve(response)
    })
    asked.on('information', () => {
      if (++interim > maxInterim) asked.destroy(toFetchFailed('the server sends only interim responses'))
    })
    asked.once('upgrade', (_, upgraded) => {
      upgraded.destroy()
      reject(toFetchFailed('the server switched protocols'))
    })
    asked.on('error', reject)
    asked.end()
  })
}
