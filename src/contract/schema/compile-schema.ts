import type { Format } from 'ajv/dist/types/index.js'
import type { JsonSchema } from '../json.ts'
import type { Problem } from '../tool-error.ts'
import { buildCheck, type Check, type CheckParts } from './build-check.ts'
import { describeProblems, tooManySteps } from './describe-problems.ts'
import { type AdmittedSchema, examineSchema, type SchemaProblem } from './guard-schema.ts'
import { setDefaults } from './set-defaults.ts'
import { grantSteps, StepsSpent, spendSteps, stepsPerValidation } from './step-budget.ts'
import { assertedFormats, toAjvSchema } from './to-ajv-schema.ts'

export interface Validator {
  /** Every way in which the value breaks the schema, at most 20; empty when it is valid. Expects bounded JSON. */
  validate(value: unknown): Problem[]
}

export interface CompileOptions {
  /** Is `format` a demand? Default: true. Unknown formats never are. */
  readonly assertFormats?: boolean
  /** Are declared defaults set in the value? Default: false. */
  readonly useDefaults?: boolean
}

/** A schema that the guard does not admit. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
  readonly problems: readonly SchemaProblem[]

  constructor(problems: readonly SchemaProblem[]) {
    const [first] = problems
    super(`The schema is refused${first ? ` at ${JSON.stringify(first.pointer)}: ${first.message}` : '.'}`)
    this.problems = problems
  }
}

const compiled = new WeakMap<object, Map<string, Promise<Validator>>>()

/**
 * Compiles a schema, after the guard. The same schema object gives the same validator, so that it must not change.
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
  // Whoever mends a refused schema may try it again.
  validator.catch(() => known.delete(key))
  return validator
}

async function compile(schema: unknown, options: Required<CompileOptions>): Promise<Validator> {
  const admitted = await examineSchema(schema)
  if (!admitted.admitted) throw new SchemaRefused(admitted.problems)
  const parts: CheckParts = {
    ajv: await import('ajv/dist/2020.js'),
    schema: toAjvSchema(admitted, options),
    patterns: admitted.patterns,
    formats: options.assertFormats ? await loadFormats(admitted) : new Map(),
  }
  const isValid = build(parts, { allErrors: false, details: false })
  const explain = explainWith(parts)
  const hasDefaults = options.useDefaults && admitted.survey.places.some(({ schema }) => schema.default !== undefined)
  return {
    validate(value) {
      try {
        grantSteps(stepsPerValidation)
        if (hasDefaults) setDefaults(parts.schema, parts.patterns, value)
        return isValid(value).length === 0 ? [] : explain(value)
      } catch (error) {
        if (error instanceof StepsSpent || error instanceof RangeError) return [tooManySteps]
        throw error
      }
    },
  }
}

/**
 * A second check finds every error of a value that is not valid, and is compiled for the first such value. Hostile
 * values can make that dear, and then the first error has to do.
 */
function explainWith(parts: CheckParts): (value: unknown) => Problem[] {
  let all: Check | undefined
  let first: Check | undefined
  return (value) => {
    try {
      all ??= build(parts, { allErrors: true, details: true })
      grantSteps(stepsPerValidation / 10)
      return describeProblems(all(value), parts.schema)
    } catch (error) {
      if (!(error instanceof StepsSpent)) throw error
      first ??= build(parts, { allErrors: false, details: true })
      grantSteps(stepsPerValidation)
      return describeProblems(first(value), parts.schema)
    }
  }
}

function build(parts: CheckParts, want: { allErrors: boolean; details: boolean }): Check {
  try {
    return buildCheck(parts, want)
  } catch (error) {
    const message = `The schema cannot be compiled (${(error as Error).message}). Make it smaller or flatter.`
    throw new SchemaRefused([{ rule: 'too_many_parts', pointer: '', message }])
  }
}

/** Loads the formats only for a schema that names one. */
async function loadFormats({ survey }: AdmittedSchema): Promise<Map<string, Format>> {
  const formats = new Map<string, Format>()
  const names = new Set(survey.places.map(({ schema }) => schema.format))
  const asserted = [...names].filter((name): name is string => typeof name === 'string' && assertedFormats.has(name))
  if (asserted.length === 0) return formats
  const { fullFormats } = await import('ajv-formats/dist/formats.js')
  for (const name of asserted) formats.set(name, metered(fullFormats[name as keyof typeof fullFormats] as Format))
  return formats
}

/** All of them take time in proportion to the text. */
function metered(format: Format): Format {
  const definition = typeof format === 'object' && 'validate' in format ? format.validate : format
  const isValid =
    definition instanceof RegExp ? (text: string) => definition.test(text) : (definition as (text: string) => boolean)
  return (text: string) => {
    spendSteps(1 + text.length / 8)
    return isValid(text)
  }
}
