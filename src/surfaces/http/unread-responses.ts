import type { ServerResponse } from 'node:http'

interface UnreadLimits {
  readonly maxBytes: number
  readonly maxMs: number
}

/**
 * Limits what is buffered for clients that do not read: each response in time, and all together in bytes. Above that, the
 * oldest response is destroyed.
 */
export function createUnreadResponses({ maxBytes, maxMs }: UnreadLimits) {
  /** Oldest first. */
  const held = new Map<ServerResponse, number>()
  let bytes = 0

  return {
    /** Tracks a response that was ended but not yet flushed. */
    add(response: ServerResponse) {
      const size = response.writableLength
      if (size === 0 || response.destroyed) return
      held.set(response, size)
      bytes += size
      const timer = setTimeout(() => response.destroy(), maxMs)
      response.once('close', () => {
        clearTimeout(timer)
        release(response)
      })
      for (const [oldest] of held) {
        if (bytes <= maxBytes || oldest === response) break
        release(oldest)
        oldest.destroy()
      }
    },
  }

  function release(response: ServerResponse) {
    bytes -= held.get(response) ?? 0
    held.delete(response)
  }
}
