import type { JsonSchema } from '../json.ts'
import type { Problem } from '../tool-error.ts'
import { ToolpactError } from '../toolpact-error.ts'
import type { BuildCheck, Check, CheckParts } from './build-check.ts'
import { describeProblems, tooManySteps, unexplained } from './describe-problems.ts'
import { examineSchema, type SchemaProblem } from './guard-schema.ts'
import { formatsIn, loadFormats } from './load-formats.ts'
import { toSchemaProblem } from './schema-rules.ts'
import { setDefaults } from './set-defaults.ts'
import { grantSteps, isExhausted, stepsForAnyValue, stepsForSize } from './step-budget.ts'
import { toAjvSchema } from './to-ajv-schema.ts'

export interface Validator {
  /** The problems of a value, at most 20; empty if it is valid. Expects bounded JSON. */
  validate(value: unknown): Problem[]
}

export interface CompileOptions {
  /** Whether `format` is asserted. Default: true. Unknown formats never are. */
  readonly assertFormats?: boolean
  /** Whether to set declared defaults in the value. Default: false. */
  readonly useDefaults?: boolean
}

/** The guard refused the schema. */
export class SchemaRefused extends ToolpactError {
  override readonly name = 'SchemaRefused'
  readonly problems: readonly SchemaProblem[]

  constructor(problems: readonly SchemaProblem[]) {
    const [first] = problems
    super(
      'invalid_schema',
      `The schema is refused${first ? ` at ${JSON.stringify(first.pointer)}: ${first.message}` : '.'}`,
    )
    this.problems = problems
  }
}

const compiled = new WeakMap<object, Map<string, Promise<Validator>>>()

/**
 * Compiles a schema that the guard admits. Cached by object identity, so the schema must not change.
 *
 * `(await compileSchema({ type: 'integer' })).validate('12')` has one problem, which says to send a number.
 */
export function compileSchema(schema: JsonSchema | boolean, options: CompileOptions = {}): Promise<Validator> {
  const { assertFormats = true, useDefaults = false } = options
  if (typeof schema !== 'object' || schema === null) return compile(schema, { assertFormats, useDefaults })
  const known = compiled.get(schema) ?? new Map<string, Promise<Validator>>()
  compiled.set(schema, known)
  const key = `${assertFormats} ${useDefaults}`
  const before = known.get(key)
  if (before) return before
  const validator = compile(schema, { assertFormats, useDefaults })
  known.set(key, validator)
  // Do not cache failures: the schema may be fixed.
  validator.catch(() => known.delete(key))
  return validator
}

async function compile(schema: unknown, options: Required<CompileOptions>): Promise<Validator> {
  const admitted = await examineSchema(schema)
  if (!admitted.admitted) throw new SchemaRefused(admitted.problems)
  const { buildCheck } = await import('./build-check.ts')
  const parts: CheckParts = {
    schema: toAjvSchema(admitted, options),
    patterns: admitted.patterns,
    formats: options.assertFormats ? await loadFormats(formatsIn(admitted.survey)) : new Map(),
  }
  const isValid = orRefuse(() => buildCheck(parts, { allErrors: false, details: false }))
  const explain = explainWith(parts, buildCheck)
  const perCharacter = [...admitted.patterns.values()].reduce((sum, { size }) => sum + size, 0) / 8
  const hasDefaults = options.useDefaults && admitted.survey.places.some(({ schema }) => schema.default !== undefined)
  return {
    validate(value) {
      // Large values are rare, so their size is measured only when it matters.
      return tryWith(stepsForAnyValue, value) ?? tryWith(stepsForSize(value, perCharacter), value) ?? [tooManySteps]
    },
  }

  function tryWith(steps: number, value: unknown): Problem[] | undefined {
    if (steps < stepsForAnyValue) return undefined
    try {
      grantSteps(steps)
      if (hasDefaults) setDefaults(parts.schema, parts.patterns, value)
      return isValid(value).length === 0 ? [] : explain(value, steps)
    } catch (error) {
      if (isExhausted(error)) return undefined
      throw error
    }
  }
}

function orRefuse<Result>(build: () => Result): Result {
  try {
    return build()
  } catch (error) {
    const fault = `The schema cannot be compiled: ${(error as Error).message}`
    throw new SchemaRefused([toSchemaProblem('too_many_parts', '', fault)])
  }
}

/**
 * A second check collects all errors. It is compiled for the first invalid value. If a hostile value makes it exceed
 * its budget, only the first error is reported.
 */
function explainWith(parts: CheckParts, buildCheck: BuildCheck): (value: unknown, steps: number) => Problem[] {
  let all: Check | undefined
  let first: Check | undefined
  return (value, steps) => {
    const problems = explainAll(value, steps / 4) ?? explainFirst(value, steps)
    // An empty list would mean that the value is valid.
    return problems.length > 0 ? problems : [unexplained]
  }

  function explainAll(value: unknown, steps: number): Problem[] | undefined {
    try {
      all ??= buildCheck(parts, { allErrors: true, details: true })
      grantSteps(steps)
      return describeProblems(all(value), parts.schema)
    } catch (error) {
      if (isExhausted(error)) return undefined
      throw error
    }
  }

  function explainFirst(value: unknown, steps: number): Problem[] {
    first ??= buildCheck(parts, { allErrors: false, details: true })
    grantSteps(steps)
    return describeProblems(first(value), parts.schema)
  }
}
