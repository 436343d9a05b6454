import { exitCodes } from './exit-codes.ts'
import { findWorkerRole } from './worker-role.ts'

/** Called on Ctrl-C. Returns true if it handled it; otherwise the command ends. */
export type InterruptHandler = () => boolean

export interface Interrupts {
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP, or when the reader of stdout has gone. */
  readonly signal: AbortSignal
  /** The exit code after an interrupt, otherwise undefined. */
  exitCode(): number | undefined
  /** Aborts the signal without an exit code: the output is no longer read. */
  stop(): void
  /** Registers a handler that sees Ctrl-C first. Returns a function that removes it. */
  divert(handler: InterruptHandler): () => void
}

/**
 * The first signal shuts down gracefully; the second exits at once. A worker takes its primary's word as the first one, and
 * exits at once only when the primary has gone: terminals and service managers signal both, in any order.
 */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController()
  const isWorker = findWorkerRole() !== undefined
  let exitCode: number | undefined
  let diverted: InterruptHandler | undefined

  function interrupt(code: number) {
    if (exitCode !== undefined && isWorker) return
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = code
    controller.abort()
  }

  process.on('SIGINT', () => {
    if (!diverted?.()) interrupt(exitCodes.interrupted)
  })
  process.on('SIGTERM', () => interrupt(exitCodes.terminated))
  // Node resets ignored signals, so without a handler SIGHUP would kill the process even under nohup.
  process.on('SIGHUP', () => interrupt(exitCodes.hungUp))
  if (isWorker) process.on('message', (message) => message === 'stop' && interrupt(exitCodes.terminated))
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `toolpact … | head` is not a failure, and a closed terminal cannot show an error.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') {
      exitCode = exitCodes.failed
      process.stderr.write(`Error: The output cannot be written (${error.code}). Check where stdout goes.\n`)
    }
    controller.abort()
  })
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    stop: () => controller.abort(),
    divert(handler) {
      diverted = handler
      return () => {
        if (diverted === handler) diverted = undefined
      }
    },
  }
}
