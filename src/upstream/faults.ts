import { UpstreamFailure } from './connect/client.ts'

export function toFailure(cause: unknown): UpstreamFailure {
  if (cause instanceof UpstreamFailure) return cause
  const words = cause instanceof Error ? cause.message : String(cause)
  return new UpstreamFailure('unavailable', 'The server failed unexpectedly.', { words, cause })
}

/** Waits for something that never rejects, unless the signal comes first. */
export async function orAborted(event: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return event
  signal.throwIfAborted()
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new UpstreamFailure('unavailable', 'The server was not ready before the time was over.'))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  await Promise.race([event, aborted]).finally(() => signal.removeEventListener('abort', onAbort!))
}

/** Nothing of the new definition is quoted: it has not been accepted, and a model may read this. */
export function toWithdrawn(isWithheld: boolean): UpstreamFailure {
  const why = isWithheld ? 'it is withheld until somebody accepts the change' : 'the server does not list it any more'
  return new UpstreamFailure('unavailable', `The tool is not what it was when it was called: ${why}.`)
}

export function toInstalling({ by, since }: { readonly by: string; readonly since: number }) {
  return { by, forMs: Math.round(performance.now() - since) }
}
