import type { Fetched } from '../../../../capabilities/web.ts'

const maxBytes = 33_554_432
const maxOfOne = 4_194_304
/** Upper limit of max-age. */
const maxFreshMs = 600_000

interface Kept {
  readonly page: Fetched
  readonly freshUntil: number
}

/** An LRU cache of fetched pages. */
export function createPageCache() {
  const kept = new Map<string, Kept>()
  let bytes = 0

  function forget(url: string) {
    bytes -= kept.get(url)?.page.body.length ?? 0
    kept.delete(url)
  }

  return {
    /** The page, if it is still fresh. */
    fresh(url: string, now: number): Fetched | undefined {
      const entry = kept.get(url)
      if (!entry || entry.freshUntil <= now) return undefined
      kept.delete(url)
      kept.set(url, entry)
      return entry.page
    },
    /** Headers of a conditional request. */
    validators(url: string): Record<string, string> {
      const { page } = kept.get(url) ?? {}
      // After a redirect, the validators belong to another URL.
      if (!page || page.redirects.length > 0) return {}
      const { etag, 'last-modified': modified } = page.headers
      return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) }
    },
    /** Stores a response and returns it; for 304, returns the cached page. */
    take(url: string, answer: Fetched, now: number): Fetched {
      const before = kept.get(url)?.page
      const page =
        answer.status === 304 && before ? { ...before, headers: { ...before.headers, ...answer.headers } } : answer
      forget(url)
      const { status, truncated, body, headers } = page
      const control = headers['cache-control'] ?? ''
      if (status !== 200 || truncated || body.length > maxOfOne || /no-store/i.test(control)) return page
      kept.set(url, { page, freshUntil: now + toFreshMs(control) })
      bytes += body.length
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        forget(oldest)
      }
      return page
    },
  }
}

function toFreshMs(control: string): number {
  if (/no-cache|must-revalidate/i.test(control)) return 0
  const seconds = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(control)?.[1] ?? 0)
  return Math.min(seconds * 1000, maxFreshMs)
}
