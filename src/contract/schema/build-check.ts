import type { CodeKeywordDefinition, ErrorObject, KeywordCxt } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Format } from 'ajv/dist/types/index.js'
import { exactKeywords } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { type Matches, partKeywords } from './part-keywords.ts'
import { spendSteps } from './step-budget.ts'
import { type AjvSchema, stepsKeyword } from './to-ajv-schema.ts'

type AjvModule = Pick<typeof import('ajv/dist/2020.js'), 'Ajv2020' | '_' | 'Name'>

export interface CheckParts {
  readonly ajv: AjvModule
  readonly schema: AjvSchema
  readonly patterns: ReadonlyMap<string, LinearPattern>
  readonly formats: ReadonlyMap<string, Format>
}

/** Gives the errors in a value, none when it is valid. Throws StepsSpent when that takes too long. */
export type Check = (value: unknown) => readonly ErrorObject[]

interface Wanted {
  readonly allErrors: boolean
  readonly details: boolean
}

/**
 * Compiles a schema with an instance of ajv of its own: that takes 0.2 ms, and an instance that is shared keeps every
 * schema that it has ever seen.
 */
export function buildCheck(parts: CheckParts, wanted: Wanted): Check {
  const validate = makeEngine(parts, wanted, matchParts(parts)).compile(parts.schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

function makeEngine(parts: CheckParts, { allErrors, details }: Wanted, matches: Matches): Ajv2020 {
  const { ajv, schema, patterns, formats } = parts
  const regExp = Object.assign((source: string) => patterns.get(source)!, { code: 'linear patterns' })
  const engine = new ajv.Ajv2020({
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
    code: { regExp },
  })
  // Our own keywords do without ajv's notes of what has been evaluated.
  engine.opts.unevaluated = false
  for (const keyword of [...exactKeywords, ...partKeywords(schema, patterns, matches)]) {
    engine.removeKeyword(keyword.keyword as string).addKeyword(keyword)
  }
  engine.addKeyword(stepsDefinition(ajv, allErrors))
  for (const [name, format] of formats) engine.addFormat(name, format)
  return engine
}

/** Checks parts of the schema on their own, by one engine for all, made when it is first needed. */
function matchParts(parts: CheckParts): Matches {
  let engine: Ajv2020 | undefined
  const checks = new Map<string, (value: unknown) => unknown>()
  const matches: Matches = (part, value) => {
    if (typeof part === 'boolean') return part
    const reference = String(part.$ref)
    let check = checks.get(reference)
    if (check === undefined) {
      engine ??= makeEngine(parts, { allErrors: false, details: false }, matches).addSchema(parts.schema, 'root')
      check = engine.getSchema(`root${reference}`)!
      checks.set(reference, check)
    }
    return check(value) === true
  }
  return matches
}

/** More errors than anyone reads. ajv copies the list for each failing reference, which would cost their square. */
const mostErrors = 1000

const perKey = ['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'minProperties', 'maxProperties'] // biome-ignore format: one list
const perCharacter = ['minLength', 'maxLength']

function stepsDefinition({ _, Name }: AjvModule, allErrors: boolean): CodeKeywordDefinition {
  return {
    keyword: stepsKeyword,
    before: '$ref',
    code({ gen, schema, parentSchema, data }: KeywordCxt) {
      const spend = gen.scopeValue('func', { ref: spendSteps })
      gen.code(_`${spend}(${schema as number})`)
      const measures = [...perKey, ...perCharacter].some((name) => name in parentSchema)
      if (measures) gen.code(_`${gen.scopeValue('func', { ref: spendOnSize })}(${data})`)
      if (allErrors) gen.code(_`${gen.scopeValue('func', { ref: boundErrors })}(${new Name('errors')})`)
    },
  }
}

/** Some keywords look at every key of an object or every character of a string. */
function spendOnSize(value: unknown): void {
  if (typeof value === 'string') spendSteps(value.length / 8)
  else if (typeof value === 'object' && value !== null) spendSteps(Object.keys(value).length * 2)
}

function boundErrors(errors: number): void {
  if (errors > mostErrors) spendSteps(Number.POSITIVE_INFINITY)
}
