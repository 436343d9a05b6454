import { digestText } from '../digest.ts'
import { isObject, type JsonSchema } from '../json.ts'
import type { Problem } from '../tool-error.ts'
import { checkFunctions } from './check-functions.ts'
import type { CompileOptions, Validator } from './compile-schema.ts'
import { exactChecks } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { loadFormats } from './load-formats.ts'
import { type ReadyCheck, readyChecks } from './ready-checks.ts'
import { setDefaults } from './set-defaults.ts'
import { type SplitSchema, splitSchema } from './split-schema.ts'
import { grantSteps, isExhausted, spendSteps, stepsPerValidation } from './step-budget.ts'

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

/**
 * Finds the problems of an object. Loads the checks of the properties that it has: the build compiled one per property,
 * and one for the object without them. Settings of a toolset, say, do not make it load the check of MCP servers.
 */
export async function validateByProperty(schema: SplitSchema, value: unknown, options: Options): Promise<Problem[]> {
  const { whole, parts } = splitSchema(schema)
  if (await accepts(whole, value, options)) {
    const present = Object.entries(isObject(value) ? value : {}).filter(([name]) => Object.hasOwn(parts, name))
    const accepted = await Promise.all(present.map(([name, own]) => accepts(parts[name]!, own, options)))
    if (!accepted.includes(false)) return []
  }
  return (await compile(schema, options)).validate(value)
}

/** Whether there is a precompiled check, and it accepts the value. */
async function accepts(schema: JsonSchema, value: unknown, options: Options): Promise<boolean> {
  const ready = await loadReady(schema)
  return ready !== undefined && (await linkCheck(ready, options))(value)
}

async function compile(schema: JsonSchema, options: Options): Promise<Validator> {
  return (await import('./compile-schema.ts')).compileSchema(schema, options)
}

/** Makes a validator from a precompiled check. */
export async function linkValidator(ready: ReadyCheck, schema: JsonSchema, options: Options): Promise<LoadedValidator> {
  const check = await linkCheck(ready, options)
  const explain = async (value: unknown) => (await compile(schema, options)).validate(value)
  return {
    validate(value) {
      const isValid = check(value)
      if (isValid === true) return []
      return isValid === false ? explain(value) : isValid.then((found) => (found ? [] : explain(value)))
    },
  }
}

/** Returns a function that sets the defaults and tells whether the value is accepted; later, if RE2 must be loaded. */
async function linkCheck(
  ready: ReadyCheck,
  { useDefaults }: Options,
): Promise<(value: unknown) => boolean | Promise<boolean>> {
  const formats = await loadFormats(ready.formats)
  const format = (name: string) => formats.get(name)!
  const check = ready.link({ functions: checkFunctions, exact: exactChecks, pattern: patterns.get, format })
  const defaults = useDefaults && ready.hasDefaults ? ready.schema : undefined
  return accept

  function accept(value: unknown): boolean | Promise<boolean> {
    try {
      grantSteps(stepsPerValidation)
      if (defaults !== undefined) setDefaults(defaults, patterns, value)
      return check(value)
    } catch (error) {
      if (error === patternNeeded) return loadPatterns().then(() => accept(value))
      if (!isExhausted(error)) throw error
      return false
    }
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
  get(source: string, isDeterministic = false): Pick<LinearPattern, 'test'> {
    const pattern = lazyPatterns.get(source) ?? (isDeterministic ? toPlainPattern(source) : toLazyPattern(source))
    lazyPatterns.set(source, pattern)
    return pattern
  },
}

/** V8 matches these in linear time (`is-deterministic.ts`), and loading RE2 would take 0.4 times Node's own start. */
function toPlainPattern(source: string): Pick<LinearPattern, 'test'> {
  const expression = new RegExp(source, 'u')
  return {
    test(text) {
      spendSteps(1 + text.length / 8)
      return expression.test(text)
    },
  }
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
