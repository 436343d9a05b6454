import { digestText } from '../digest.ts'
import type { JsonSchema } from '../json.ts'
import type { Problem } from '../tool-error.ts'
import { checkFunctions } from './check-functions.ts'
import type { CompileOptions, Validator } from './compile-schema.ts'
import { exactChecks } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { loadFormats } from './load-formats.ts'
import { type ReadyCheck, readyChecks } from './ready-checks.ts'
import { setDefaults } from './set-defaults.ts'
import { grantSteps, isExhausted, stepsPerValidation } from './step-budget.ts'

/** A validator that may load the engine to explain an invalid value. */
export interface LoadedValidator {
  validate(value: unknown): Problem[] | Promise<Problem[]>
}

type Options = Pick<CompileOptions, 'useDefaults'>

/**
 * Returns a validator with the results of `compileSchema`. For schemas that ship with Toolpact, it uses a check that
 * the build compiled: values that it accepts are valid; for all others the engine is loaded and decides. Other schemas
 * use the engine directly.
 */
export async function loadValidator(schema: JsonSchema, options: Options = {}): Promise<LoadedValidator> {
  const ready = await loadReady(schema)
  return ready ? linkValidator(ready, schema, options) : compile(schema, options)
}

async function compile(schema: JsonSchema, options: Options): Promise<Validator> {
  return (await import('./compile-schema.ts')).compileSchema(schema, options)
}

/** Makes a validator from a precompiled check. */
export async function linkValidator(ready: ReadyCheck, schema: JsonSchema, options: Options): Promise<LoadedValidator> {
  const formats = await loadFormats(ready.formats)
  const format = (name: string) => formats.get(name)!
  const check = ready.link({ functions: checkFunctions, exact: exactChecks, pattern: patterns.get, format })
  const defaults = options.useDefaults && ready.hasDefaults ? ready.schema : undefined
  return { validate }

  function validate(value: unknown): Problem[] | Promise<Problem[]> {
    try {
      grantSteps(stepsPerValidation)
      if (defaults !== undefined) setDefaults(defaults, patterns, value)
      if (check(value)) return []
    } catch (error) {
      if (error === patternNeeded) return loadPatterns().then(() => validate(value))
      if (!isExhausted(error)) throw error
    }
    return compile(schema, options).then((validator) => validator.validate(value))
  }
}

/**
 * Looked up by content hash, so an identical schema from any source uses the prebuilt check. The guard admitted it at
 * build time.
 */
async function loadReady(schema: JsonSchema): Promise<ReadyCheck | undefined> {
  const digest = digestOfText(schema)
  return Object.hasOwn(readyChecks, digest) ? (await readyChecks[digest]!()).checks[digest] : undefined
}

let compilePattern: ((source: string) => LinearPattern) | undefined
const patternNeeded = new Error('A pattern is needed.')

/** Loads RE2 when a value first reaches a pattern. The check then starts over. */
async function loadPatterns(): Promise<void> {
  compilePattern = await (await import('./linear-pattern.ts')).loadLinearPattern()
}

const lazyPatterns = new Map<string, Pick<LinearPattern, 'test'>>()

const patterns = {
  get(source: string): Pick<LinearPattern, 'test'> {
    const pattern = lazyPatterns.get(source) ?? toLazyPattern(source)
    lazyPatterns.set(source, pattern)
    return pattern
  },
}

function toLazyPattern(source: string): Pick<LinearPattern, 'test'> {
  let pattern: LinearPattern | undefined
  return {
    test(text) {
      if (!compilePattern) throw patternNeeded
      pattern ??= compilePattern(source)
      return pattern.test(text)
    },
  }
}

/**
 * The digest of a schema as serialized. Canonical JSON would take ten times as long, and the built-in schemas always
 * serialize the same way. Empty if the schema cannot be serialized.
 */
export function digestOfText(schema: JsonSchema): string {
  try {
    return digestText(JSON.stringify(schema))
  } catch {
    return ''
  }
}
