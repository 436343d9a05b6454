import type { JsonObject } from '../../contract/json.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Limiter } from './limiter.ts'

export type RunEnd =
  | { readonly end: 'returned'; readonly value: JsonObject | ToolError }
  | { readonly end: 'threw'; readonly cause: unknown }
  | { readonly end: 'timeout' | 'cancelled' | 'busy' }

interface Bounds {
  readonly timeoutMs: number
  readonly limiter: Limiter | undefined
  /** The caller's own signal. */
  readonly cancel: AbortSignal | undefined
}

type Run = (signal: AbortSignal) => unknown

/** A timer that is set for longer fires at once. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Runs until it ends, its time is over or the caller cancels, whichever is first. A run that ignores its signal is left
 * behind; it keeps its place in the limiter until it really ends. One that returns at once gives no promise: nothing
 * can end it sooner, so that it needs no timer either.
 */
export function runBounded(run: Run, { timeoutMs, limiter, cancel }: Bounds): RunEnd | Promise<RunEnd> {
  if (cancel?.aborted) return { end: 'cancelled' }
  const controller = new AbortController()
  const { signal } = controller
  const begun = performance.now()
  const running = limiter ? runInTurn(run, limiter, signal) : start(run, signal)
  // The run itself may have led the caller to cancel.
  if (cancel?.aborted) {
    controller.abort(toAbortError('cancelled'))
    return { end: 'cancelled' }
  }
  if (!(running instanceof Promise)) return running
  // What it did before it began to wait is a part of its time.
  const leftMs = Math.max(timeoutMs - (performance.now() - begun), 0)
  return endOf(running, controller, { timeoutMs: leftMs, cancel })
}

function endOf(
  running: Promise<RunEnd>,
  controller: AbortController,
  { timeoutMs, cancel }: Omit<Bounds, 'limiter'>,
): Promise<RunEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(stop, Math.min(timeoutMs, maxTimerMs), 'timeout')
    const stopCancelled = () => stop('cancelled')
    cancel?.addEventListener('abort', stopCancelled, { once: true })
    running.then(end)

    function end(ended: RunEnd) {
      clearTimeout(timer)
      cancel?.removeEventListener('abort', stopCancelled)
      resolve(ended)
    }

    /** The end is told first: a run that obeys by throwing must not be taken for one that failed. */
    function stop(why: 'timeout' | 'cancelled') {
      end({ end: why })
      controller.abort(toAbortError(why))
    }
  })
}

function toAbortError(why: 'timeout' | 'cancelled'): DOMException {
  return new DOMException(why === 'timeout' ? 'The time is over' : 'The call was cancelled', 'AbortError')
}

async function runInTurn(run: Run, limiter: Limiter, signal: AbortSignal): Promise<RunEnd> {
  let leave: (() => void) | undefined
  try {
    leave = await limiter.enter(signal)
    if (!leave) return { end: 'busy' }
    // The turn may have come in the very moment in which the call ended.
    signal.throwIfAborted()
    return await start(run, signal)
  } catch (cause) {
    return toThrown(cause)
  } finally {
    leave?.()
  }
}

function start(run: Run, signal: AbortSignal): RunEnd | Promise<RunEnd> {
  try {
    const returned = run(signal)
    return isPromiseLike(returned) ? Promise.resolve(returned).then(toReturned, toThrown) : toReturned(returned)
  } catch (cause) {
    return toThrown(cause)
  }
}

/** Whatever `await` would wait for. */
function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}

function toReturned(value: unknown): RunEnd {
  return { end: 'returned', value: value as JsonObject | ToolError }
}

/** A capability throws its failures; to the contract they are the same as returned ones. */
function toThrown(cause: unknown): RunEnd {
  return cause instanceof ToolError ? { end: 'returned', value: cause } : { end: 'threw', cause }
}
