/**
 * Milliseconds on a clock that never turns back, for durations within this process. `performance.now()` says the same, but
 * loads node:perf_hooks, which takes half a millisecond of a start.
 */
export function steadyMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
