import type { ServerResponse } from 'node:http'

interface UnreadLimits {
  readonly maxBytes: number
  readonly maxMs: number
}

/**
 * Bounds what is held for clients that do not read: each response in time, and all of them in bytes. Beyond that the
 * client that has been reading for longest is cut off, which frees what was held for it.
 */
export function createUnreadResponses({ maxBytes, maxMs }: UnreadLimits) {
  /** In the order in which they were sent. */
  const held = new Map<ServerResponse, number>()
  let bytes = 0

  return {
    /** Takes a response that was ended, with whatever of it the system could not take yet. */
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
