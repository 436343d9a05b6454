import { setTimeout as delay } from 'node:timers/promises'
import type { ToolError } from '../contract/tool-error.ts'

export interface TurnOptions {
  readonly signal: AbortSignal
  /** Time limit for waiting in the queue. */
  readonly waitMs: number
}

/** Of one caller, and of all. */
const maxWaiting = { caller: 8, total: 16 }

/** One task at a time. Callers take turns, so that whoever sends many slow ones delays another caller by one of them. */
export function createTurns(toBusy: () => ToolError) {
  /** By caller, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>()
  /** The caller whose turn it is. */
  let current: string | undefined

  async function takeTurn(caller: string, { signal, waitMs }: TurnOptions): Promise<void> {
    if (current === undefined) {
      current = caller
      return
    }
    const queue = queues.get(caller) ?? []
    const total = [...queues.values()].reduce((sum, { length }) => sum + length, 0)
    if (queue.length >= maxWaiting.caller || total >= maxWaiting.total) throw toBusy()
    const { promise, resolve } = Promise.withResolvers<void>()
    queues.set(caller, queue)
    queue.push(resolve)
    const timer = new AbortController()
    try {
      const late = delay(waitMs, 'late', { signal: AbortSignal.any([signal, timer.signal]) })
      if ((await Promise.race([promise, late])) === 'late') throw toBusy()
    } catch (error) {
      const at = queue.indexOf(resolve)
      if (at >= 0) queue.splice(at, 1)
      // It was given the turn at the same moment.
      else endTurn()
      signal.throwIfAborted()
      throw error
    } finally {
      timer.abort()
    }
  }

  function endTurn(): void {
    const own = queues.get(current!)
    queues.delete(current!)
    if (own) queues.set(current!, own)
    current = undefined
    for (const [caller, queue] of queues) {
      const next = queue.shift()
      if (queue.length === 0) queues.delete(caller)
      if (!next) continue
      current = caller
      next()
      return
    }
  }

  return { takeTurn, endTurn }
}
