/** Counts requests with a wrong token, or with none. Beyond the limit they are answered with less work; right tokens never are held up. */
export interface Attempts {
  /** Counts one; gives how many seconds to wait where there were too many. */
  count(): number | undefined
}

export function createAttempts({ most, windowMs }: { most: number; windowMs: number }): Attempts {
  let began = Number.NEGATIVE_INFINITY
  let counted = 0
  return {
    count() {
      const now = performance.now()
      if (now - began >= windowMs) {
        began = now
        counted = 0
      }
      counted++
      return counted > most ? Math.max(1, Math.ceil((began + windowMs - now) / 1000)) : undefined
    },
  }
}
