import { type UpstreamCallOptions, UpstreamFailure } from './connect/client.ts'
import { orAborted } from './faults.ts'
import type { UpstreamStatus } from './upstream.ts'

const progressMs = 10_000

type PendingServer = Pick<UpstreamStatus, 'name' | 'state' | 'installing'>

interface WaitOptions extends UpstreamCallOptions {
  readonly status: () => PendingServer
  readonly maxMs: number
}

/** Waits until a server is ready or has failed, with progress for the caller. Rejects if that takes too long. */
export async function waitForServer(ready: Promise<void>, options: WaitOptions): Promise<void> {
  const { signal, onProgress, status, maxMs } = options
  const late = AbortSignal.timeout(maxMs)
  let steps = 0
  // Small steps: progress must not decrease when the server starts to report its own.
  const report = () => onProgress?.({ progress: ++steps / 1000, message: toPending(status()) ?? '' })
  const timer = setInterval(report, progressMs)
  try {
    await orAborted(ready, AbortSignal.any([signal, late]))
  } catch (cause) {
    const pending = toPending(status())
    throw pending === undefined ? cause : new UpstreamFailure('unavailable', pending, { cause })
  } finally {
    clearInterval(timer)
  }
}

/** Why a call must wait; undefined if it need not. Models read this, so it quotes nothing from the server. */
export function toPending({ name, state, installing }: PendingServer): string | undefined {
  if (installing) {
    const seconds = Math.round(installing.forMs / 1000)
    return `The server ${name} is being installed (${installing.by}, ${seconds} s so far). Call again when it is ready.`
  }
  return state === 'starting' ? `The server ${name} is still starting. Call again in a moment.` : undefined
}
