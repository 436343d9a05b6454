import { exitCodes } from './exit-codes.ts'

/** Told of Ctrl-C. Gives whether that is all: if not, it ends the command as ever. */
export type InterruptHandler = () => boolean

export interface Interrupts {
  /** Aborted by Ctrl-C, by a request to end, or when nobody reads stdout any more. */
  readonly signal: AbortSignal
  /** What to end with if it was interrupted. */
  exitCode(): number | undefined
  /** Lets Ctrl-C go to a handler first, until what it gives is called. */
  divert(handler: InterruptHandler): () => void
}

/** The first signal ends what is under way in order; the second ends the process at once. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController()
  let exitCode: number | undefined
  let diverted: InterruptHandler | undefined

  function interrupt(code: number) {
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = code
    controller.abort()
  }

  process.on('SIGINT', () => {
    if (!diverted?.()) interrupt(exitCodes.interrupted)
  })
  process.on('SIGTERM', () => interrupt(exitCodes.terminated))
  // Node resets signals that its parent ignores, so under nohup it would end as well, only not in order.
  process.on('SIGHUP', () => interrupt(exitCodes.hungUp))
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `toolpact … | head` is no failure, and a terminal that was closed has nobody to tell.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') {
      exitCode = exitCodes.failed
      process.stderr.write(`Error: The output cannot be written (${error.code}). Check where stdout goes.\n`)
    }
    controller.abort()
  })
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    divert(handler) {
      diverted = handler
      return () => {
        if (diverted === handler) diverted = undefined
      }
    },
  }
}
