import type { CallClient, ClientRequest, LogLevel, OpenedPage } from '../../contract/call-client.ts'
import type { JsonObject } from '../../contract/json.ts'
import { steadyMs } from '../../contract/steady-time.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Limiter } from './limiter.ts'
import { isPromiseLike } from './when-ready.ts'

export type RunEnd =
  | { readonly end: 'returned'; readonly value: JsonObject | ToolError }
  | { readonly end: 'threw'; readonly cause: unknown }
  | { readonly end: 'timeout' | 'cancelled' | 'busy' }

interface Bounds {
  readonly timeoutMs: number
  readonly limiter: Limiter | undefined
  /** The caller's own signal. */
  readonly cancel: AbortSignal | undefined
  /** Pauses the timeout. */
  readonly hold?: TimeoutHold | undefined
}

/** Pauses the timeout of a run while it waits for a person. */
export class TimeoutHold {
  #count = 0
  /** Set while the run is timed. */
  onChange: ((isHeld: boolean) => void) | undefined

  get isHeld(): boolean {
    return this.#count > 0
  }

  async during<T>(work: Promise<T>): Promise<T> {
    if (++this.#count === 1) this.onChange?.(true)
    try {
      return await work
    } finally {
      if (--this.#count === 0) this.onChange?.(false)
    }
  }
}

/** The client of a call as its run sees it: the timeout is paused while the client's user is asked. */
export class TimedClient implements CallClient {
  readonly #client: CallClient
  readonly #hold: TimeoutHold

  constructor(client: CallClient, hold: TimeoutHold) {
    this.#client = client
    this.#hold = hold
  }

  supports(request: ClientRequest): boolean {
    return this.#client.supports(request)
  }

  ask(...asked: Parameters<CallClient['ask']>): ReturnType<CallClient['ask']> {
    return this.#hold.during(this.#client.ask(...asked))
  }

  openPage(page: OpenedPage): Promise<boolean> {
    const { openPage } = this.#client
    return openPage ? this.#hold.during(openPage.call(this.#client, page)) : Promise.resolve(false)
  }

  lack(capabilities: JsonObject): void {
    this.#client.lack?.(capabilities)
  }

  get logLevel(): LogLevel | undefined {
    return this.#client.logLevel
  }

  log(...message: Parameters<NonNullable<CallClient['log']>>): void {
    this.#client.log?.(...message)
  }
}

type Run = (signal: AbortSignal) => unknown

/** Node fires timers with a longer delay immediately. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Runs until it returns, times out or is cancelled, whichever comes first. A run that ignores its signal is abandoned, but
 * keeps its slot in the limiter until it really ends. A synchronous run needs neither a promise nor a timer.
 */
export function runBounded(run: Run, { timeoutMs, limiter, cancel, hold }: Bounds): RunEnd | Promise<RunEnd> {
  if (cancel?.aborted) return { end: 'cancelled' }
  const controller = new AbortController()
  const { signal } = controller
  const begun = steadyMs()
  const running = limiter ? runInTurn(run, limiter, signal) : start(run, signal)
  // The run may have caused the caller to cancel.
  if (cancel?.aborted) {
    controller.abort(toAbortError('cancelled'))
    return { end: 'cancelled' }
  }
  // Not awaited: a synchronous run would then need a promise and a timer as well. `running` is never a foreign thenable.
  if (!(running instanceof Promise)) return running
  // Its synchronous part counts towards the timeout.
  const leftMs = Math.max(timeoutMs - (steadyMs() - begun), 0)
  return endOf(running, controller, { timeoutMs: leftMs, cancel, hold })
}

function endOf(
  running: Promise<RunEnd>,
  controller: AbortController,
  { timeoutMs, cancel, hold }: Omit<Bounds, 'limiter'>,
): Promise<RunEnd> {
  return new Promise((resolve) => {
    let timer = hold?.isHeld ? undefined : setTimeout(stop, Math.min(timeoutMs, maxTimerMs), 'timeout')
    if (hold) {
      let leftMs = timeoutMs
      let since = steadyMs()
      hold.onChange = (isHeld) => {
        clearTimeout(timer)
        if (isHeld) leftMs -= steadyMs() - since
        else timer = setTimeout(stop, Math.min(Math.max(leftMs, 0), maxTimerMs), 'timeout')
        since = steadyMs()
      }
    }
    const stopCancelled = () => stop('cancelled')
    cancel?.addEventListener('abort', stopCancelled, { once: true })
    running.then(end)

    function end(ended: RunEnd) {
      if (hold) hold.onChange = undefined
      clearTimeout(timer)
      cancel?.removeEventListener('abort', stopCancelled)
      resolve(ended)
    }

    /** Resolve before aborting: a run that throws because of the abort must not count as failed. */
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
    // The call may have ended while the slot was granted.
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

function toReturned(value: unknown): RunEnd {
  return { end: 'returned', value: value as JsonObject | ToolError }
}

/** Capabilities throw their errors; a thrown ToolError counts as a returned one. */
function toThrown(cause: unknown): RunEnd {
  return cause instanceof ToolError ? { end: 'returned', value: cause } : { end: 'threw', cause }
}
