/** Lets few through to each host at a time; the others wait their turn, first come, first served. */
export function createHostGates(most: number) {
  const gates = new Map<string, { running: number; waiting: (() => void)[] }>()

  /** Resolves with what must be called at the end. Rejects with the reason of the signal. */
  async function enter(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const gate = gates.get(host) ?? { running: 0, waiting: [] }
    gates.set(host, gate)
    if (gate.running < most) gate.running++
    else await waitForTurn(gate.waiting, signal)
    return () => {
      const next = gate.waiting.shift()
      if (next) return next()
      gate.running--
      if (gate.running === 0) gates.delete(host)
    }
  }

  return { enter }
}

function waitForTurn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(signal.reason)
    }
    waiting.push(begin)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
