import type { Contract } from '../../contract/contract.ts'

/** Lets a bounded number of runs through at once; the others wait in order. */
export interface Limiter {
  /** Gives the function that leaves again, or undefined when too many wait already. Rejects when the signal aborts. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>
}

const maxWaiting = 256

/** Gives each tool whose contract limits its concurrency a limiter of its own. */
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
