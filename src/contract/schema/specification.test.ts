// biome-ignore-all lint/suspicious/noExplicitAny: schemas and values made by chance have no type
// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { compileSchema, SchemaRefused } from './compile-schema.ts'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const dialects = ['https://json-schema.org/draft/2020-12/schema', draft07]

test.each(dialects)('compiled checks agree with a plain reading of %s', async ($schema) => {
  const isOld = $schema === draft07
  const counts = { valid: 0, invalid: 0 }
  const schemas = fc.tuple(schemaOf(3, isOld), schemaOf(2, isOld), schemaOf(2, isOld))
  const check = fc.asyncProperty(
    schemas,
    fc.array(jsonOf(3), { minLength: 8, maxLength: 8 }),
    async (parts, values) => {
      const [main, d0, d1] = parts
      const root = { ...(typeof main === 'object' ? main : { not: {} }), $schema, definitions: { d0, d1 } } as Plain
      const validator = await compileSchema(root as JsonSchema).catch((error) => {
        if (error instanceof SchemaRefused && error.problems[0]?.rule === 'reference_loop') return undefined
        throw error
      })
      if (validator === undefined) return
      for (const value of values) {
        const isValid = read(root, value, root, isOld) !== undefined
        counts[isValid ? 'valid' : 'invalid']++
        expect({ root, value, isValid: validator.validate(value).length === 0 }).toEqual({ root, value, isValid })
      }
    },
  )
  await fc.assert(check, { seed: 17, numRuns: 200 })
  expect(counts.valid).toBeGreaterThan(500)
  expect(counts.invalid).toBeGreaterThan(500)
})

type Plain = Record<string, any>

/** Names that an object has without being given them are the ones that validators trip over. */
const names = fc.constantFrom('a', 'b', 'c', 'toString', 'constructor', 'valueOf')

function jsonOf(depth: number): fc.Arbitrary<unknown> {
  const simple = fc.constantFrom(0, 1, 'x', '', null, true)
  if (depth === 0) return simple
  const inner = jsonOf(depth - 1)
  return fc.oneof(
    { weight: 2, arbitrary: simple },
    { weight: 5, arbitrary: fc.dictionary(names, inner, { maxKeys: 3, noNullPrototype: true }) },
    { weight: 3, arbitrary: fc.array(inner, { maxLength: 3 }) },
  )
}

function schemaOf(depth: number, isOld: boolean): fc.Arbitrary<unknown> {
  const simple = fc.constantFrom<unknown>(
    true,
    false,
    {},
    { type: 'string' },
    { minLength: 1 },
    { minimum: 1 },
    { const: 'x' },
  )
  if (depth === 0) return simple
  const one = schemaOf(depth - 1, isOld)
  const some = fc.array(one, { minLength: 1, maxLength: 2 })
  const map = fc.dictionary(names, one, { maxKeys: 2, noNullPrototype: true })
  const pair = fc.array(names, { minLength: 1, maxLength: 1 })
  const shared: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom('object', 'array', 'string', 'integer', ['object', 'null']),
    properties: map,
    required: pair,
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: one,
    if: one,
    then: one,
    else: one,
    items: one,
    contains: one,
    additionalProperties: one,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'o', 'c$'), one, { maxKeys: 1, noNullPrototype: true }),
    propertyNames: fc.constantFrom<unknown>({ minLength: 2 }, { enum: ['a', 'toString'] }, true),
    $ref: fc.constantFrom('#', '#/definitions/d0', '#/definitions/d1'),
    const: jsonOf(2),
    enum: fc.array(jsonOf(2), { maxLength: 2 }),
    minProperties: fc.constant(1),
    maxItems: fc.constant(2),
    uniqueItems: fc.boolean(),
  }
  const only2020 = {
    prefixItems: some,
    minContains: fc.nat(2),
    maxContains: fc.nat(2),
    dependentRequired: fc.dictionary(names, pair, { maxKeys: 1, noNullPrototype: true }),
    dependentSchemas: map,
    unevaluatedProperties: fc.oneof(fc.constant(false), one),
    unevaluatedItems: fc.oneof(fc.constant(false), one),
  }
  const only07 = {
    items: fc.oneof(one, some),
    additionalItems: one,
    dependencies: fc.dictionary(names, fc.oneof(one, pair), { maxKeys: 1, noNullPrototype: true }),
  }
  const all = Object.entries({ ...shared, ...(isOld ? only07 : only2020) })
  const keyword = fc.oneof(...all.map(([name, value]) => value.map((made) => [name, made] as const)))
  return fc.oneof(
    { weight: 1, arbitrary: simple },
    { weight: 9, arbitrary: fc.array(keyword, { minLength: 1, maxLength: 4 }).map(Object.fromEntries) },
  )
}

/** The keys and places that a schema has evaluated in a value, or nothing where the value breaks it. Slow and plain. */
function read(schema: any, value: any, root: Plain, isOld: boolean): Set<string> | undefined {
  if (typeof schema === 'boolean') return schema ? new Set() : undefined
  const seen = new Set<string>()
  let isValid = true
  const matches = (part: unknown, inner: unknown) => read(part, inner, root, isOld) !== undefined
  const demand = (isMet: boolean) => {
    isValid &&= isMet
  }
  const apply = (part: unknown) => {
    const evaluated = read(part, value, root, isOld)
    for (const key of evaluated ?? []) seen.add(key)
    return evaluated !== undefined
  }
  const visit = (part: unknown, key: string | number) => {
    seen.add(String(key))
    demand(matches(part, value[key]))
  }
  if (schema.$ref) {
    const name = schema.$ref.split('/')[2]
    demand(apply(name ? root.definitions[name] : root))
    if (isOld) return isValid ? seen : undefined
  }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const types = [schema.type ?? []].flat()
  if (types.length > 0) demand(types.includes(type) || (types.includes('integer') && Number.isInteger(value)))
  if ('const' in schema) demand(isDeepStrictEqual(schema.const, value))
  if (schema.enum) demand(schema.enum.some((choice: unknown) => isDeepStrictEqual(choice, value)))
  if (type === 'number') demand(value >= (schema.minimum ?? value))
  if (type === 'string') demand(value.length >= (schema.minLength ?? 0))
  for (const part of schema.allOf ?? []) demand(apply(part))
  if (schema.anyOf) demand(schema.anyOf.map(apply).includes(true))
  if (schema.oneOf) demand(schema.oneOf.map(apply).filter(Boolean).length === 1)
  if ('not' in schema) demand(!matches(schema.not, value))
  if ('if' in schema) demand(apply((apply(schema.if) ? schema.then : schema.else) ?? true))
  if (type === 'array') {
    const first: unknown[] = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : [])
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
    for (const index of value.keys()) {
      if (index < first.length) visit(first[index], index)
      else if (rest !== undefined) visit(rest, index)
    }
    if ('contains' in schema) {
      const found = [...value.keys()].filter((index) => matches(schema.contains, value[index]))
      for (const index of found) seen.add(String(index))
      demand(found.length >= (schema.minContains ?? 1) && found.length <= (schema.maxContains ?? found.length))
    }
    demand(value.length <= (schema.maxItems ?? value.length))
    if (schema.uniqueItems)
      demand(
        value.every(
          (item: unknown, at: number) => !value.slice(0, at).some((other: unknown) => isDeepStrictEqual(item, other)),
        ),
      )
    if ('unevaluatedItems' in schema)
      for (const index of value.keys()) if (!seen.has(String(index))) visit(schema.unevaluatedItems, index)
  }
  if (type === 'object') {
    const keys = Object.keys(value)
    const has = (key: string) => keys.includes(key)
    demand((schema.required ?? []).every(has) && keys.length >= (schema.minProperties ?? 0))
    for (const [key, part] of Object.entries({
      ...schema.dependentRequired,
      ...schema.dependentSchemas,
      ...schema.dependencies,
    })) {
      // A key in both maps is rare enough to be left to the official tests.
      if (has(key)) demand(Array.isArray(part) ? part.every(has) : apply(part))
    }
    for (const key of keys) {
      if ('propertyNames' in schema) demand(matches(schema.propertyNames, key))
      const parts = Object.entries(schema.patternProperties ?? {})
        .filter(([source]) => new RegExp(source, 'u').test(key))
        .map(([, part]) => part)
      if (Object.hasOwn(schema.properties ?? {}, key)) parts.push(schema.properties[key])
      if (parts.length === 0 && 'additionalProperties' in schema) parts.push(schema.additionalProperties)
      for (const part of parts) visit(part, key)
    }
    if ('unevaluatedProperties' in schema)
      for (const key of keys) if (!seen.has(key)) visit(schema.unevaluatedProperties, key)
  }
  return isValid ? seen : undefined
}
