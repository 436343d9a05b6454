import type { Contract } from '../../contract/contract.ts'

/** Limits concurrent runs; the others wait in order. */
export interface Limiter {
  /** Returns the release function, or undefined if too many are waiting. Rejects when the signal aborts. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>
}

const maxWaiting = 256

/** One limiter per tool whose contract limits its concurrency. */
export function createLimiters(): (contract: Contract) => Limiter | undefined {
  const limiters = new WeakMap<Contract, Limiter>()
  return (contract) => {
    const { concurrency } = contract.limits
    if (concurrency === undefined) return undefined
    const limiter = limiters.get(contract) ?? createLimiter(concurrency)
    limiters.set(contract, limiter)
    return limiter
  }
}

export function createLimiter(width: number): Limiter {
  let inside = 0
  const waiting: (() => void)[] = []

  function leave() {
    const next = waiting.shift()
    if (next) next()
    else inside--
  }

  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (inside < width) {
        inside++
        return leave
      }
      if (waiting.length >= maxWaiting) return undefined
      await new Promise<void>((resolve, reject) => {
        const turn = () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        const giveUp = () => {
          waiting.splice(waiting.indexOf(turn), 1)
          reject(signal.reason)
        }
        waiting.push(turn)
        signal.addEventListener('abort', giveUp, { once: true })
      })
      return leave
    },
  }
}
