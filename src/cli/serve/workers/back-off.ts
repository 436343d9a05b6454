const firstMs = 200
const maxMs = 10_000
/** A worker that has served this long is not in a loop. */
const healthyMs = 30_000
/** Starts in a row that failed, after which a server without any worker ends. */
const maxFailures = 6

/** When workers that ended are started again: at once at first, later and later if they keep ending. */
export interface BackOff {
  /** How long to wait before this worker is started again. `servedMs`: how long it took requests; undefined if it never did. */
  toDelayMs(number: number, servedMs: number | undefined): number
  /** Whether this worker keeps failing to start. */
  hasFailed(number: number): boolean
}

export function createBackOff(): BackOff {
  const ends = new Map<number, number>()
  const failures = new Map<number, number>()
  return {
    toDelayMs(number, servedMs) {
      failures.set(number, servedMs === undefined ? (failures.get(number) ?? 0) + 1 : 0)
      const before = servedMs !== undefined && servedMs >= healthyMs ? 0 : (ends.get(number) ?? 0)
      ends.set(number, before + 1)
      return Math.min(firstMs * 2 ** before, maxMs)
    },
    hasFailed: (number) => (failures.get(number) ?? 0) >= maxFailures,
  }
}
