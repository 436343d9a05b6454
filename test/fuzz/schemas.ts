import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { JsonSchema } from '../../src/contract/json.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import { guardSchema } from '../../src/contract/schema/guard-schema.ts'
import { jsonOf, mutate, mutations, schemaOf } from '../helpers/random-schemas.ts'
import { defineTarget } from './target.ts'

/** Schemas that are hard to match, to resolve or to distinguish. */
const hostile = fc.constantFrom<unknown>(
  { pattern: '^(a+)+$' },
  { pattern: '(a|aa)*b' },
  { pattern: '(?:x{1,1000}){1,1000}' },
  { pattern: '[' },
  { pattern: '\\p{L}+(?=a)(?!b)' },
  { pattern: '(?<=a)b\\1' },
  { $ref: '#' },
  { $ref: 'http://example.com/schema' },
  { $ref: '#/$defs/__proto__' },
  { $dynamicRef: '#a' },
  { $recursiveRef: '#' },
  { $id: 'a', $anchor: 'b', $ref: '#b' },
  { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: { $ref: '#/definitions/a' } } },
  { multipleOf: 1e-300 },
  { minLength: 1e308, maxLength: -1 },
  { enum: [] },
  { type: [] },
  { uniqueItems: true, items: { uniqueItems: true } },
  { format: 'regex' },
  { required: ['__proto__', 'constructor'] },
  { properties: { constructor: false, toString: { default: 1 } } },
  { contains: true, minContains: 2 ** 53 },
)

export const schemas = fc.oneof(
  schemaOf(3),
  fc.jsonValue({ maxDepth: 4 }),
  fc
    .tuple(schemaOf(2), schemaOf(1), mutations)
    .map(([schema, d, changes]) =>
      changes.reduce<unknown>((made, change) => mutate(made, change), { allOf: [schema], $defs: { d, e: true } }),
    ),
  fc.tuple(fc.array(hostile, { minLength: 1, maxLength: 3 }), schemaOf(1)).map(([parts, more]) => ({
    ...Object.assign({}, ...parts),
    allOf: [more, ...parts],
  })),
)

const values = fc.oneof(
  jsonOf(2),
  fc.jsonValue(),
  fc.nat(4000).map((length) => 'a'.repeat(length)),
)

/** A schema is refused with reasons, or compiles and validates any value. */
export const schemaTarget = defineTarget(() => ({
  inputs: fc.record({ schema: schemas, values: fc.array(values, { maxLength: 4 }) }),
  async check({ schema, values }) {
    const verdict = await guardSchema(schema)
    if (!verdict.admitted) return assert.ok(verdict.problems.length > 0, 'refused without a reason')
    const { validate } = await compileSchema(schema as JsonSchema)
    for (const value of values) {
      const problems = validate(structuredClone(value))
      assert.ok(problems.length <= 20)
      assert.ok(problems.every(({ message }) => message !== ''))
    }
  },
}))
