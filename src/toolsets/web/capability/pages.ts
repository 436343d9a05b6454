import { isOtherOrigin, isUnreachable, toFetchFailed, toTimeout } from '../../../capabilities/web/web-error.ts'
import type { Fetched, FetchOptions, Web } from '../../../capabilities/web.ts'
import { createPageCache } from './pages/page-cache.ts'
import { type Robots, readRobots } from './pages/robots.ts'

/** Fetches pages politely: follows robots.txt, limits concurrent requests per host, and caches unchanged pages. */
export interface Pages {
  /** Any status is a result. Fails as `web` does, or if robots.txt disallows the page. */
  get(url: string, request: PageRequest): Promise<Fetched>
}

export interface PageRequest {
  /** The call's own, which knows which hosts the call may reach. */
  readonly web: Web
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface PagesOptions {
  /** `WEB_FETCH_USER_AGENT` overrides `userAgent`. */
  readonly environment?: { readonly [name: string]: string | undefined }
  /** The part before the version is matched against robots.txt. Default: toolpact. */
  readonly userAgent?: string | undefined
  /** Whether robots.txt is followed. Default: true. */
  readonly robots?: boolean | undefined
}

const maxAtOnce = 2
const maxOrigins = 500
const robotsMs = 3_600_000
const failedRobotsMs = 60_000
const robotsLimits = { timeoutMs: 5000, maxBytes: 524_288 }

/** The robots.txt of an origin, or why it could not be read. */
interface KnownRobots {
  readonly robots: Promise<Robots | Unknown>
  readonly until: number
}

interface Unknown {
  readonly fault: string
  /** The failure is specific to the call: it may not reach the origin that robots.txt redirects to. */
  readonly isOfCall?: boolean
  /** The failure of every page of the host. */
  readonly error?: unknown
}

export function openPages({ robots: keepsToRobots = true, ...options }: PagesOptions = {}): Pages {
  const userAgent = toUserAgent(options)
  const robot = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'toolpact'
  const limiter = createHostLimiter(maxAtOnce)
  const cache = createPageCache()
  const known = new Map<string, KnownRobots>()

  async function requireAllowed(url: URL, web: Web): Promise<void> {
    if (!keepsToRobots) return
    const robots = await robotsOf(url.origin, web)
    if ('fault' in robots)
      throw robots.error ?? toFetchFailed(`the site's robots.txt ${robots.fault}, so its pages are not fetched for now`)
    if (robots.allows(url.pathname + url.search)) return
    throw toFetchFailed(`the site's robots.txt disallows this page for ${robot}`)
  }

  function robotsOf(origin: string, web: Web) {
    const before = known.get(origin)
    if (before && before.until > Date.now()) return before.robots
    const robots = fetchRobots(origin, web)
    remember(origin, { robots, until: Date.now() + robotsMs })
    robots.then((found) => {
      if (!('fault' in found)) return
      // Another call may be allowed to reach that origin.
      if (found.isOfCall) known.delete(origin)
      else remember(origin, { robots, until: Date.now() + failedRobotsMs })
    })
    return robots
  }

  function remember(origin: string, entry: KnownRobots) {
    known.delete(origin)
    known.set(origin, entry)
    if (known.size > maxOrigins) known.delete(known.keys().next().value!)
  }

  async function fetchRobots(origin: string, web: Web): Promise<Robots | Unknown> {
    try {
      const { status, body } = await web.fetch(`${origin}/robots.txt`, {
        ...robotsLimits,
        headers: { 'user-agent': userAgent },
      })
      if (status >= 500) return { fault: `cannot be read (status ${status})` }
      // Without a robots.txt, everything is allowed.
      return readRobots(status < 300 ? new TextDecoder().decode(body) : '', robot)
    } catch (error) {
      return {
        fault: `cannot be read (${(error as Error).message})`,
        isOfCall: isOtherOrigin(error),
        ...(isUnreachable(error) && { error }),
      }
    }
  }

  async function fetchPolitely(
    url: string,
    { web, ...options }: FetchOptions & Pick<PageRequest, 'web' | 'signal'>,
  ): Promise<Fetched> {
    const leave = await limiter.enter(URL.parse(url)?.host ?? '', options.signal)
    try {
      return await web.fetch(url, { ...options, before: (next) => requireAllowed(next, web) })
    } finally {
      leave()
    }
  }

  return {
    async get(address, { web, timeoutMs, maxBytes, signal: given }) {
      const [url = ''] = address.split('#', 1)
      const fresh = cache.fresh(url, Date.now())
      if (fresh) return fresh
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = AbortSignal.any([given, timeout])
      try {
        const answer = await fetchPolitely(url, {
          web,
          timeoutMs,
          maxBytes,
          signal,
          headers: { ...cache.validators(url), 'user-agent': userAgent },
        })
        return cache.take(url, answer, Date.now())
      } catch (error) {
        given.throwIfAborted()
        throw timeout.aborted ? toTimeout(timeoutMs) : error
      }
    },
  }
}

function toUserAgent({ environment = {}, userAgent }: PagesOptions): string {
  const named = environment.WEB_FETCH_USER_AGENT?.trim() || userAgent
  // Other characters are not allowed in a header.
  return named !== undefined && /^[ -~]+$/.test(named) ? named : 'toolpact'
}

/** Limits concurrent requests per host; the others wait, first come, first served. */
function createHostLimiter(maxRunning: number) {
  const hosts = new Map<string, { running: number; waiting: (() => void)[] }>()

  /** Returns a function to call when the request is done. Rejects with the signal's reason. */
  async function enter(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const queue = hosts.get(host) ?? { running: 0, waiting: [] }
    hosts.set(host, queue)
    if (queue.running < maxRunning) queue.running++
    else await waitForTurn(queue.waiting, signal)
    return () => {
      const next = queue.waiting.shift()
      if (next) return next()
      queue.running--
      if (queue.running === 0) hosts.delete(host)
    }
  }

  return { enter }
}

function waitForTurn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(signal.reason)
    }
    waiting.push(begin)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
