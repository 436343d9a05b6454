import { exitCodes } from './exit-codes.ts'

export interface Interrupts {
  /** Aborted by Ctrl-C, by a request to end, or when nobody reads stdout any more. */
  readonly signal: AbortSignal
  /** What to end with if it was interrupted. */
  exitCode(): number | undefined
}

/** The first signal ends what is under way in order; the second ends the process at once. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController()
  let exitCode: number | undefined

  function interrupt(code: number) {
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = code
    controller.abort()
  }

  process.on('SIGINT', () => interrupt(exitCodes.interrupted))
  process.on('SIGTERM', () => interrupt(exitCodes.terminated))
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `toolpact … | head` is no failure.
    if (error.code !== 'EPIPE') {
      exitCode = exitCodes.failed
      process.stderr.write(`Error: The output cannot be written (${error.code}). Check where stdout goes.\n`)
    }
    controller.abort()
  })
  return { signal: controller.signal, exitCode: () => exitCode }
}
