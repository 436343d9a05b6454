import type { CodeKeywordDefinition, ErrorObject, KeywordCxt } from 'ajv'
import type { Format } from 'ajv/dist/types/index.js'
import type { JsonObject } from '../json.ts'
import { exactKeywords } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { partKeywords } from './part-keywords.ts'
import { spendSteps } from './step-budget.ts'
import { type AjvSchema, stepsKeyword } from './to-ajv-schema.ts'

type AjvModule = Pick<typeof import('ajv/dist/2020.js'), 'Ajv2020' | '_' | 'Name'>

export interface CheckParts {
  readonly ajv: AjvModule
  readonly schema: AjvSchema
  readonly patterns: ReadonlyMap<string, LinearPattern>
  readonly formats: ReadonlyMap<string, Format>
  readonly useDefaults: boolean
  /** Checks of parts of the schema, as they are needed. */
  readonly branches: Map<AjvSchema, Check>
}

/** Gives the errors in a value, none when it is valid. Throws StepsSpent when that takes too long. */
export type Check = (value: unknown) => readonly ErrorObject[]

/**
 * Compiles a schema with an instance of ajv of its own: that takes 0.2 ms, and an instance that is shared keeps every
 * schema that it has ever seen.
 */
export function buildCheck(parts: CheckParts, want: { allErrors: boolean; details: boolean }): Check {
  const { ajv, schema, patterns, formats, useDefaults } = parts
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
    verbose: want.details,
    allErrors: want.allErrors,
    useDefaults,
    code: { regExp },
  })
  // Our own keywords do without ajv's notes of what has been evaluated.
  engine.opts.unevaluated = false
  for (const keyword of [...exactKeywords, ...partKeywords(schema, patterns, branchCheck(parts))]) {
    engine.removeKeyword(keyword.keyword as string).addKeyword(keyword)
  }
  engine.addKeyword(stepsDefinition(ajv, want.allErrors))
  for (const [name, format] of formats) engine.addFormat(name, format)
  const validate = engine.compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

/** Checks a part of the schema on its own. Each part is compiled once, when it is first needed. */
function branchCheck(parts: CheckParts): (part: AjvSchema, value: unknown) => boolean {
  return (part, value) => {
    if (typeof part === 'boolean') return part
    let check = parts.branches.get(part)
    if (check === undefined) {
      const schema = { ...part, $defs: (parts.schema as JsonObject).$defs ?? {} }
      check = buildCheck({ ...parts, schema, useDefaults: false }, { allErrors: false, details: false })
      parts.branches.set(part, check)
    }
    return check(value).length === 0
  }
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
  if (typeof value === 'string') spendSteps(value.length / 32)
  else if (typeof value === 'object' && value !== null) spendSteps(Object.keys(value).length / 4)
}

function boundErrors(errors: number): void {
  if (errors > mostErrors) spendSteps(Number.POSITIVE_INFINITY)
}
