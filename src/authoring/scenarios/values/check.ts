import type { JsonSchema, JsonValue } from '../../../contract/json.ts'
import { compileSchema } from '../../../contract/schema/compile-schema.ts'
import type { Problem } from '../../../contract/tool-error.ts'
import { makeValue, type Size } from './make-value.ts'
import type { Random } from './random.ts'

/** Validates and generates values of a contract's input or output. */
export interface Check {
  readonly schema: JsonSchema
  readonly maxBytes: number
  problemsOf(value: JsonValue): readonly Problem[]
  isValid(value: JsonValue): boolean
  /** A valid value; undefined if none was found within the limits. */
  make(random: Random, size: Size): JsonValue | undefined
}

/** Validation against hostile schemas can take a second each, so the total time is bounded. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

const maxAttempts = 40
/** Gives up after this many failed generations. */
const maxMisses = 8

interface CheckOptions {
  readonly useDefaults: boolean
  readonly maxBytes: number
  /** Total time limit. */
  readonly maxMs?: number
}

export async function openCheck(schema: JsonSchema, options: CheckOptions): Promise<Check> {
  const { useDefaults, maxBytes, maxMs = 10_000 } = options
  const validator = await compileSchema(schema, { useDefaults })
  let spentMs = 0

  function problemsOf(value: JsonValue): readonly Problem[] {
    if (spentMs > maxMs) throw new TooSlow(`Validating took more than ${maxMs / 1000} s in all.`)
    const start = performance.now()
    // Validation sets defaults, so work on a copy.
    const problems = validator.validate(structuredClone(value))
    spentMs += performance.now() - start
    return problems
  }

  const isValid = (value: JsonValue) => problemsOf(value).length === 0

  function make(random: Random, size: Size): JsonValue | undefined {
    let misses = 0
    for (let attempt = 0; attempt < maxAttempts && misses < maxMisses; attempt++) {
      // Several large parts may exceed the limit together.
      const chosen = size === 'large' && attempt > maxAttempts / 2 ? 'any' : size
      const value = makeValue(schema, { random, size: chosen, maxBytes, takeFirst: attempt === 0 && size !== 'any' })
      if (value === undefined) misses++
      else if (byteLength(value) <= maxBytes && isValid(value)) return value
    }
    return undefined
  }

  return { schema, maxBytes, problemsOf, isValid, make }
}

export function byteLength(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value))
}
