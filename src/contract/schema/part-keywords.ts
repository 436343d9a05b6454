import type { FuncKeywordDefinition } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { JsonObject, JsonValue } from '../json.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { spendSteps } from './step-budget.ts'
import { type AjvSchema, resolveReference } from './to-ajv-schema.ts'

/** Tests a value against a subschema: true, false or a reference. */
export type Matches = (part: AjvSchema, value: unknown) => boolean

/**
 * Our implementations of three keywords, which check subschemas on their own. ajv confuses an empty list with the one
 * before it, and its tracking of evaluated properties crashes on some schemas and misses keys such as `toString`.
 */
export function partKeywords(
  root: AjvSchema,
  patterns: ReadonlyMap<string, LinearPattern>,
  matches: Matches,
): FuncKeywordDefinition[] {
  const define = (keyword: string, type: 'object' | 'array'): FuncKeywordDefinition => ({
    keyword,
    type,
    // After `prefixItems`, ajv forgets everything if the list is shorter.
    ...(type === 'array' && { before: 'prefixItems' }),
    compile(schema: AjvSchema, parentSchema) {
      const validate: DataValidateFunction = (value: JsonObject | JsonValue[]) => {
        const seen = new Seen(root, patterns, matches, value)
        seen.note(parentSchema as JsonObject, true)
        const failing = seen.rest().filter((key) => !matches(schema, (value as JsonObject)[key]))
        validate.errors = failing.map((key) => ({ keyword, params: { unevaluatedProperty: key } }))
        return failing.length === 0
      }
      return validate
    },
  })
  const contains: FuncKeywordDefinition = {
    keyword: 'contains',
    type: 'array',
    before: 'prefixItems',
    errors: false,
    compile(schema: AjvSchema, { minContains = 1, maxContains = Number.POSITIVE_INFINITY }) {
      return (items: JsonValue[]) => {
        const count = items.filter((item) => matches(schema, item)).length
        return count >= minContains && count <= maxContains
      }
    },
  }
  return [contains, define('unevaluatedProperties', 'object'), define('unevaluatedItems', 'array')]
}

/** The keys of an object, or indexes of a list, that the schema has evaluated. */
class Seen {
  readonly #root: AjvSchema
  readonly #patterns: ReadonlyMap<string, LinearPattern>
  readonly #matches: Matches
  readonly #value: JsonObject | JsonValue[]
  readonly #keys = new Set<string>()
  #isAll = false

  constructor(
    root: AjvSchema,
    patterns: ReadonlyMap<string, LinearPattern>,
    matches: Matches,
    value: JsonObject | JsonValue[],
  ) {
    this.#root = root
    this.#patterns = patterns
    this.#matches = matches
    this.#value = value
  }

  rest(): string[] {
    if (this.#isAll) return []
    const keys = Object.keys(this.#value)
    spendSteps(keys.length * 2)
    return keys.filter((key) => !this.#keys.has(key))
  }

  /** Records what a matching schema has evaluated, except by the keyword that asks. */
  note(schema: AjvSchema, isAsking = false): void {
    if (this.#isAll || typeof schema === 'boolean') return
    spendSteps(1)
    if (Array.isArray(this.#value)) this.#noteItems(schema, this.#value, isAsking)
    else this.#noteKeys(schema, this.#value, isAsking)
    if (typeof schema.$ref === 'string') this.note(resolveReference(this.#root, schema.$ref))
    for (const branch of listOf(schema.allOf)) this.note(branch)
    for (const branch of [...listOf(schema.anyOf), ...listOf(schema.oneOf)]) {
      if (this.#matches(branch, this.#value)) this.note(branch)
    }
    if (schema.if !== undefined) {
      const isTrue = this.#matches(schema.if as AjvSchema, this.#value)
      if (isTrue) this.note(schema.if as AjvSchema)
      this.note(((isTrue ? schema.then : schema.else) as AjvSchema) ?? true)
    }
  }

  #noteKeys(schema: JsonObject, value: JsonObject, isAsking: boolean): void {
    if (schema.additionalProperties !== undefined || (schema.unevaluatedProperties !== undefined && !isAsking)) {
      this.#isAll = true
      return
    }
    for (const key of Object.keys((schema.properties ?? {}) as JsonObject)) this.#keys.add(key)
    for (const source of Object.keys((schema.patternProperties ?? {}) as JsonObject)) {
      const pattern = this.#patterns.get(source)!
      for (const key of Object.keys(value)) if (pattern.test(key)) this.#keys.add(key)
    }
    for (const name of ['dependentSchemas', 'dependencies']) {
      for (const [key, branch] of Object.entries((schema[name] ?? {}) as Record<string, AjvSchema>)) {
        if (Object.hasOwn(value, key) && !Array.isArray(branch)) this.note(branch)
      }
    }
  }

  #noteItems(schema: JsonObject, value: JsonValue[], isAsking: boolean): void {
    if (schema.items !== undefined || (schema.unevaluatedItems !== undefined && !isAsking)) {
      this.#isAll = true
      return
    }
    for (const index of listOf(schema.prefixItems).keys()) this.#keys.add(String(index))
    if (schema.contains === undefined) return
    for (const [index, item] of value.entries()) {
      if (this.#matches(schema.contains as AjvSchema, item)) this.#keys.add(String(index))
    }
  }
}

function listOf(branches: JsonValue | undefined): AjvSchema[] {
  return (branches ?? []) as AjvSchema[]
}
