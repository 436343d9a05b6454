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

/** A timer that is set for longer fires at once. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Runs until it ends, its time is over or the caller cancels, whichever is first. A run that ignores its signal is left
 * behind; it keeps its place in the turnstile until it really ends.
 */
export async function runBounded(run: (signal: AbortSignal) => unknown, bounds: Bounds): Promise<RunEnd> {
  const { turnstile, cancel } = bounds
  if (cancel?.aborted) return { end: 'cancelled' }
  const controller = new AbortController()
  const { promise: stopped, resolve } = Promise.withResolvers<RunEnd>()

  function stop(end: 'timeout' | 'cancelled') {
    resolve({ end })
    controller.abort(new DOMException(end === 'timeout' ? 'The time is over' : 'The call was cancelled', 'AbortError'))
  }

  const stopCancelled = () => stop('cancelled')
  cancel?.addEventListener('abort', stopCancelled, { once: true })
  const timer = setTimeout(stop, Math.min(bounds.timeoutMs, longestTimerMs), 'timeout')
  try {
    return await Promise.race([stopped, runInTurn(run, turnstile, controller.signal)])
  } finally {
    clearTimeout(timer)
    cancel?.removeEventListener('abort', stopCancelled)
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
      // The turn may have come in the very moment in which the call ended.
      signal.throwIfAborted()
    }
    return { end: 'returned', value: (await run(signal)) as JsonObject | ToolError }
  } catch (cause) {
    // A capability throws its failures; to the contract they are the same as returned ones.
    return cause instanceof ToolError ? { end: 'returned', value: cause } : { end: 'threw', cause }
  } finally {
    leave?.()
  }
}
