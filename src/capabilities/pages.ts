import { createHostGates } from './pages/host-gates.ts'
import { createPageCache } from './pages/page-cache.ts'
import { type Robots, readRobots } from './pages/robots.ts'
import { toFetchFailed, toTimeout } from './web/web-error.ts'
import type { Fetched, FetchOptions, Web } from './web.ts'

/** Gets pages as a guest would: as robots.txt asks, few at once from one host, and not again what has not changed. */
export interface Pages {
  /** Any status is a result. Fails as `web` does, and where robots.txt closes the page. */
  get(
    url: string,
    options: Pick<FetchOptions, 'mayReach'> & {
      readonly timeoutMs: number
      readonly maxBytes: number
      readonly signal: AbortSignal
    },
  ): Promise<Fetched>
  /** As `web.check`. */
  readonly check: Web['check']
}

export interface PagesOptions {
  readonly web: Web
  /** What robots.txt says of this name holds for us. */
  readonly robot: string
  /** Default: true. */
  readonly keepsToRobots?: boolean
}

const maxAtOnce = 2
const maxOrigins = 500
const robotsMs = 3_600_000
const failedRobotsMs = 60_000
const robotsLimits = { timeoutMs: 5000, maxBytes: 524_288 }

/** What is known of the robots.txt of an origin, or why it could not be read. */
interface KnownRobots {
  readonly robots: Promise<Robots | { readonly fault: string }>
  readonly until: number
}

export function openPages({ web, robot, keepsToRobots = true }: PagesOptions): Pages {
  const gates = createHostGates(maxAtOnce)
  const cache = createPageCache()
  const known = new Map<string, KnownRobots>()

  async function requireAllowed(url: URL): Promise<void> {
    if (!keepsToRobots) return
    const robots = await robotsOf(url.origin)
    if ('fault' in robots) throw toFetchFailed(`the site's robots.txt ${robots.fault}, which closes the site for now`)
    if (robots.allows(url.pathname + url.search)) return
    throw toFetchFailed(`the site's robots.txt closes this page to robots such as ${robot}`)
  }

  function robotsOf(origin: string) {
    const before = known.get(origin)
    if (before && before.until > Date.now()) return before.robots
    const robots = fetchRobots(origin)
    remember(origin, { robots, until: Date.now() + robotsMs })
    robots.then((found) => {
      if ('fault' in found) remember(origin, { robots, until: Date.now() + failedRobotsMs })
    })
    return robots
  }

  function remember(origin: string, entry: KnownRobots) {
    known.delete(origin)
    known.set(origin, entry)
    if (known.size > maxOrigins) known.delete(known.keys().next().value!)
  }

  async function fetchRobots(origin: string): Promise<Robots | { fault: string }> {
    try {
      const { status, body } = await web.fetch(`${origin}/robots.txt`, robotsLimits)
      if (status >= 500) return { fault: `cannot be read (status ${status})` }
      // A site without one is open.
      return readRobots(status < 300 ? new TextDecoder().decode(body) : '', robot)
    } catch (error) {
      return { fault: `cannot be read (${(error as Error).message})` }
    }
  }

  async function fetchPolitely(url: string, options: FetchOptions & { signal: AbortSignal }): Promise<Fetched> {
    const leave = await gates.enter(URL.parse(url)?.host ?? '', options.signal)
    try {
      return await web.fetch(url, { ...options, before: requireAllowed })
    } finally {
      leave()
    }
  }

  return {
    check: web.check,
    async get(address, { timeoutMs, maxBytes, signal: given, mayReach }) {
      const [url = ''] = address.split('#', 1)
      const fresh = cache.fresh(url, Date.now())
      if (fresh) return fresh
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = AbortSignal.any([given, timeout])
      try {
        const answer = await fetchPolitely(url, {
          timeoutMs,
          maxBytes,
          signal,
          mayReach,
          headers: cache.validators(url),
        })
        return cache.take(url, answer, Date.now())
      } catch (error) {
        given.throwIfAborted()
        throw timeout.aborted ? toTimeout(timeoutMs) : error
      }
    },
  }
}
