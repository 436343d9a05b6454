import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallResult } from '../../contract/call-result.ts'

type Run = (signal: AbortSignal) => Promise<CallResult>

/** The calls under way, and what ends them early. */
export function createCalls() {
  const underWay = new Map<AbortController, Promise<CallResult>>()

  /** Cancels the call when the client goes away. */
  async function whileConnected(response: ServerResponse, run: Run): Promise<CallResult> {
    const controller = new AbortController()
    const gone = () => controller.abort()
    response.once('close', gone)
    if (response.destroyed) gone()
    try {
      return await watch(controller, run)
    } finally {
      response.off('close', gone)
    }
  }

  /** Lets the call end even if nobody listens any more. */
  function toTheEnd(run: Run): Promise<CallResult> {
    return watch(new AbortController(), run)
  }

  async function watch(controller: AbortController, run: Run): Promise<CallResult> {
    const running = run(controller.signal)
    underWay.set(controller, running)
    try {
      return await running
    } finally {
      underWay.delete(controller)
    }
  }

  /** Calls that end by themselves have this long; the others are cancelled. */
  async function close(graceMs: number): Promise<void> {
    const ended = Promise.allSettled(underWay.values())
    const timer = new AbortController()
    await Promise.race([ended, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
    for (const controller of underWay.keys()) controller.abort()
    await ended
  }

  return { whileConnected, toTheEnd, close }
}
