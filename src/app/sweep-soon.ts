/** The first answers should not wait for it. */
const sweepAfterMs = 100

/** Removes temporary files of killed processes from the workspace, in the background. Returns what stops it. */
export function sweepSoon(workspace: string) {
  const controller = new AbortController()
  let swept: Promise<unknown> | undefined
  const timer = setTimeout(() => {
    swept = import('../capabilities/files/sweep-temporary.ts').then(({ sweepTemporaryFiles }) =>
      sweepTemporaryFiles(workspace, controller.signal),
    )
  }, sweepAfterMs).unref()
  return {
    async stop() {
      clearTimeout(timer)
      if (swept) controller.abort()
      await swept
    },
  }
}
