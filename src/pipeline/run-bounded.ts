import type { JsonObject } from '../contract/json.ts'
import { ToolError } from '../contract/tool-error.ts'
import type { Turnstile } from './turnstile.ts'

export type RunEnd =
  | { readonly end: 'returned'; readonly value: JsonObject | ToolError }
  | { readonly end: 'threw'; readonly cause: unknown }
  | { readonly end: 'timeout' | 'cancelled' | 'busy' }

interface Bounds {
  readonly timeoutMs: number
  readonly turnstile: Turnstile | undefined
  /** The caller's own signal. */
  readonly cancel: AbortSignal | undefined
}

/**
 * Runs until it ends, its time is over or the caller cancels, whichever is first. A run that ignores its signal is left
 * behind; it keeps its place in the turnstile until it really ends.
 */
export async function runBounded(run: (signal: AbortSignal) => unknown, bounds: Bounds): Promise<RunEnd> {
  const controller = new AbortController()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<RunEnd>()
  const timer = setTimeout(() => end('timeout'), bounds.timeoutMs)
  const cancel = () => end('cancelled')
  bounds.cancel?.addEventListener('abort', cancel, { once: true })

  function end(how: 'timeout' | 'cancelled') {
    stop({ end: how })
    controller.abort(new DOMException(how === 'timeout' ? 'The time is over' : 'The call was cancelled', 'AbortError'))
  }

  try {
    if (bounds.cancel?.aborted) return { end: 'cancelled' }
    return await Promise.race([stopped, runInTurn(run, bounds.turnstile, controller.signal)])
  } finally {
    clearTimeout(timer)
    bounds.cancel?.removeEventListener('abort', cancel)
  }
}

async function runInTurn(
  run: (signal: AbortSignal) => unknown,
  turnstile: Turnstile | undefined,
  signal: AbortSignal,
): Promise<RunEnd> {
  let leave: (() => void) | undefined
  try {
    if (turnstile) {
      leave = await turnstile.enter(signal)
      if (!leave) return { end: 'busy' }
    }
    return { end: 'returned', value: (await run(signal)) as JsonObject | ToolError }
  } catch (cause) {
    // A capability throws its failures; to the contract they are the same as returned ones.
    return cause instanceof ToolError ? { end: 'returned', value: cause } : { end: 'threw', cause }
  } finally {
    leave?.()
  }
}
