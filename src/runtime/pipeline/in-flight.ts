/** Counts calls in flight, so that shared resources are not closed before they end. */
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
    /** Resolves once nothing is in flight, including what started in the meantime. */
    async ended(): Promise<void> {
      idle ??= Promise.withResolvers()
      if (count > 0) await idle.promise
    },
  }
}
