import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'

/** A property that must hold for any value: `npm test` tries a few fixed values, `npm run fuzz` many. */
export interface Target<Value> {
  readonly inputs: fc.Arbitrary<Value>
  /** Throws or rejects if the property does not hold. */
  check(value: Value): void | Promise<void>
  close?(): void | Promise<void>
}

export type OpenTarget = () => Target<unknown> | Promise<Target<unknown>>

/** Ties the types of generator and check together, and erases them for the list of targets. */
export function defineTarget<Value>(open: () => Target<Value> | Promise<Target<Value>>): OpenTarget {
  return open as OpenTarget
}

export interface TryOptions {
  readonly runs: number
  readonly seed?: number
  /** Stops after this time, without a finding. */
  readonly maxMs?: number
  /** The path of a finding, to reproduce it. */
  readonly path?: string
  /** Called with each value before it is tried. */
  readonly onTry?: (value: unknown) => void
}

export interface Outcome {
  readonly tried: number
  readonly finding?: string
  /** How to reproduce the finding. */
  readonly path?: string
}

/** Tries values until one fails, and shrinks it. A value that takes a minute counts as a failure. */
export async function tryTarget(target: Target<unknown>, options: TryOptions): Promise<Outcome> {
  const { runs, seed, maxMs, path, onTry } = options
  let tried = 0
  const property = fc.asyncProperty(target.inputs, async (value) => {
    tried++
    onTry?.(value)
    await within(60_000, target.check(value))
    // Let deferred errors surface before the next value.
    await setImmediate()
  })
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed !== undefined && { seed }),
    ...(path !== undefined && { path }),
    ...(maxMs !== undefined && { interruptAfterTimeLimit: maxMs, markInterruptAsFailure: false }),
  })
  if (!details.failed) return { tried }
  const error = details.errorInstance
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const finding = `${fc.stringify(details.counterexample?.[0])}\n${shown}`
  return { tried, finding, ...(details.counterexamplePath && { path: details.counterexamplePath }) }
}

async function within(ms: number, work: void | Promise<void>) {
  if (!work) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${ms / 1000} s.`)), ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
