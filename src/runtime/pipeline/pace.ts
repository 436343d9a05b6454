/** Inputs from this size on take milliseconds of the processor for each step. */
const largeBytes = 65_536

/** Where a large call is. Those that are further on continue first, so that few are held in memory half done. */
const stages = ['validate', 'preview', 'offer', 'ask'] as const
const waiting = new Map<(typeof stages)[number], (() => void)[]>(stages.toReversed().map((stage) => [stage, []]))
let count = 0

/**
 * Resolves in a turn of the event loop that no other large call gets, so that small calls are served between the stages
 * of many large ones. Undefined for a small input, which need not wait.
 */
export function pace(stage: (typeof stages)[number], bytes: number): Promise<void> | undefined {
  if (bytes < largeBytes) return undefined
  if (count++ === 0) setImmediate(releaseNext)
  return new Promise((resolve) => waiting.get(stage)!.push(resolve))
}

function releaseNext(): void {
  for (const queue of waiting.values()) {
    const release = queue.shift()
    if (!release) continue
    release()
    break
  }
  if (--count > 0) setImmediate(releaseNext)
}
