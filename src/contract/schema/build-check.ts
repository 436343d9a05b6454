import type { CodeKeywordDefinition, ErrorObject, Format, KeywordCxt } from 'ajv'
import ajv, { _, Name } from 'ajv/dist/core.js'
import applicator from 'ajv/dist/vocabularies/applicator/index.js'
import core from 'ajv/dist/vocabularies/core/index.js'
import format from 'ajv/dist/vocabularies/format/index.js'
import next from 'ajv/dist/vocabularies/next.js'
import validation from 'ajv/dist/vocabularies/validation/index.js'
import { exactKeywords } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { type Matches, partKeywords } from './part-keywords.ts'
import { spendOnSize, spendSteps } from './step-budget.ts'
import { type AjvSchema, stepsKeyword } from './to-ajv-schema.ts'

export interface CheckParts {
  readonly schema: AjvSchema
  readonly patterns: ReadonlyMap<string, LinearPattern>
  readonly formats: ReadonlyMap<string, Format>
}

/** Returns the errors of a value, none if it is valid. Throws StepsSpent if that takes too long. */
export type Check = (value: unknown) => readonly ErrorObject[]

export type BuildCheck = typeof buildCheck

interface Wanted {
  readonly allErrors: boolean
  /** Whether to collect every error, with its location. */
  readonly details: boolean
  /** Whether to keep the source code of the function, to be written to a file. */
  readonly source?: boolean
}

/**
 * Compiles a schema with its own instance of ajv. That takes 0.2 ms; a shared instance would keep every schema that it
 * has ever seen. This module loads ajv: import it lazily.
 */
export function buildCheck(parts: CheckParts, wanted: Wanted): Check {
  const validate = new Engine(parts, wanted, matchParts(parts)).compile(parts.schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

/** ajv's class for 2020-12 loads metaschemas and dynamic references, which add 5 ms to a start. */
const vocabularies = [core, validation, format, next].map(defaultOf).concat([defaultOf(applicator)(true)])

/** Node returns the CommonJS module, some bundlers its default export. */
export function defaultOf<Export>(module: { default: Export }): Export {
  return module.default ?? (module as unknown as Export)
}

export class Engine extends defaultOf(ajv) {
  constructor({ schema, patterns, formats }: CheckParts, wanted: Wanted, matches: Matches) {
    const { allErrors, details, source = false } = wanted
    super({
      next: true,
      meta: false,
      validateSchema: false,
      strict: false,
      strictNumbers: true,
      ownProperties: true,
      inlineRefs: false,
      messages: false,
      logger: false,
      verbose: details,
      allErrors,
      code: { regExp: Object.assign((source: string) => patterns.get(source)!, { code: 'linear patterns' }), source },
    })
    for (const vocabulary of vocabularies) this.addVocabulary(vocabulary)
    for (const keyword of [...exactKeywords, ...partKeywords(schema, patterns, matches)]) {
      this.removeKeyword(keyword.keyword as string).addKeyword(keyword)
    }
    this.addKeyword(stepsDefinition(wanted))
    for (const [name, definition] of formats) this.addFormat(name, definition)
  }
}

/** Checks subschemas on their own. All share one engine, which is created on first use. */
function matchParts(parts: CheckParts): Matches {
  let engine: Engine | undefined
  const checks = new Map<string, (value: unknown) => unknown>()
  const matches: Matches = (part, value) => {
    if (typeof part === 'boolean') return part
    const reference = String(part.$ref)
    let check = checks.get(reference)
    if (check === undefined) {
      engine ??= new Engine(parts, { allErrors: false, details: false }, matches).addSchema(parts.schema, 'root')
      check = engine.getSchema(`root${reference}`)!
      checks.set(reference, check)
    }
    return check(value) === true
  }
  return matches
}

/** A limit, because ajv copies the list for each failing reference, which takes quadratic time. */
const maxErrors = 1000

const perKey = ['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'minProperties', 'maxProperties'] // biome-ignore format: one list
const perCharacter = ['minLength', 'maxLength']

function stepsDefinition({ allErrors, details }: Wanted): CodeKeywordDefinition {
  return {
    keyword: stepsKeyword,
    before: '$ref',
    code({ gen, schema, parentSchema, data, it }: KeywordCxt) {
      // This keyword comes first and is inherited below. Errors that are never read would be half of the code.
      if (!details) Object.assign(it, { createErrors: false })
      const spend = gen.scopeValue('func', { ref: spendSteps })
      gen.code(_`${spend}(${schema as number})`)
      const measures = [...perKey, ...perCharacter].some((name) => name in parentSchema)
      if (measures) gen.code(_`${gen.scopeValue('func', { ref: spendOnSize })}(${data})`)
      if (allErrors) gen.code(_`${gen.scopeValue('func', { ref: boundErrors })}(${new Name('errors')})`)
    },
  }
}

function boundErrors(errors: number): void {
  if (errors > maxErrors) spendSteps(Number.POSITIVE_INFINITY)
}
