/** Counts what is under way, so that what it needs is not closed before it has ended. */
export function createInFlight() {
  let count = 0
  let idle: PromiseWithResolvers<void> | undefined

  function end() {
    if (--count === 0) idle?.resolve()
  }

  return {
    add(call: Promise<unknown>) {
      count++
      call.then(end, end)
    },
    /** Resolves once nothing is under way, with what was begun meanwhile. */
    async ended(): Promise<void> {
      idle ??= Promise.withResolvers()
      if (count > 0) await idle.promise
    },
  }
}
