import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../../../test/data/hostile-schemas.ts'
import { schemaOf } from '../../../../test/helpers/random-schemas.ts'
import type { JsonSchema } from '../../../contract/json.ts'
import { guardSchema } from '../../../contract/schema/guard-schema.ts'
import { openCheck, TooSlow } from './check.ts'
import { makeValue } from './make-value.ts'
import { createRandom } from './random.ts'

const options = { useDefaults: false, maxBytes: 100_000 }

async function make(schema: JsonSchema, size: 'small' | 'large' | 'any', seed = 'a seed') {
  return (await openCheck(schema, options)).make(createRandom(seed), size)
}

const person: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'born'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    born: { type: 'integer', minimum: 1900, exclusiveMaximum: 2000 },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2, uniqueItems: true },
    mail: { type: 'string', format: 'email' },
  },
}

test('a small value has what is required and no more, a large one has everything at its largest', async () => {
  expect(await make(person, 'small')).toEqual({ name: expect.stringMatching(/^..$/), born: 1900 })
  expect(await make(person, 'large')).toEqual({
    name: expect.stringMatching(/^.{5}$/),
    born: 1999,
    tags: [expect.any(String), expect.any(String)],
    mail: 'a@example.com',
  })
})

test('the same seed makes the same values, another seed makes others', async () => {
  const several = async (seed: string) => {
    const random = createRandom(seed)
    const check = await openCheck(person, options)
    return Array.from({ length: 5 }, () => check.make(random, 'any'))
  }
  expect(await several('1')).toEqual(await several('1'))
  expect(await several('1')).not.toEqual(await several('2'))
})

const hard: Record<string, JsonSchema> = {
  'a reference to itself': {
    $ref: '#/$defs/node',
    $defs: { node: { type: 'object', required: ['next'], properties: { next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/node' }] } } } }, // biome-ignore format: one line
  },
  'branches that exclude each other': {
    oneOf: [
      { type: 'integer', minimum: 5 },
      { type: 'integer', maximum: 3 },
    ],
  },
  conditions: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] } },
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['size'], properties: { size: { type: 'integer' } } },
    else: { required: ['name'] },
  },
  'names by pattern': { type: 'object', minProperties: 2, patternProperties: { '^x-[a-z]+$': { type: 'integer' } }, additionalProperties: false }, // biome-ignore format: one line
  'names as wanted': { type: 'object', minProperties: 3, propertyNames: { pattern: '^[a-f]{3}$' } },
  'what a property brings along': { type: 'object', required: ['a'], dependentRequired: { a: ['b'] }, dependentSchemas: { b: { required: ['c'], properties: { c: { const: 7 } } } } }, // biome-ignore format: one line
  'a tuple': { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false, minItems: 2 },
  'an old tuple': { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ const: 1 }], additionalItems: { type: 'null' }, minItems: 3 }, // biome-ignore format: one line
  'what must be in it': { type: 'array', contains: { const: 'x' }, minContains: 2, minItems: 3 },
  'small steps': { type: 'number', multipleOf: 0.01, exclusiveMinimum: 0.05, maximum: 0.1 },
  'a pattern of a length': { type: 'string', pattern: '^(?!.*//)[a-z0-9/]+$', minLength: 60, maxLength: 64 },
  'several demands': { allOf: [{ minLength: 3 }, { maxLength: 3 }, { type: 'string' }] },
}

test.each(Object.entries(hard))('%s: values of every size are found', async (_, schema) => {
  for (const size of ['small', 'large', 'any'] as const) expect(await make(schema, size), size).toBeDefined()
})

test('what no value satisfies, or only an enormous one, gives nothing', async () => {
  expect(await make({ allOf: [{ type: 'string' }, { type: 'integer' }] }, 'small')).toBeUndefined()
  expect(await make({ type: 'string', minLength: 100_000_000 }, 'small')).toBeUndefined()
  expect(await make({ type: 'array', minItems: 5000, items: { type: 'array', minItems: 5000 } }, 'any')).toBeUndefined()
  const endless = { type: 'object', required: ['more'], properties: { more: { $ref: '#' } } } as const
  expect(await make(endless, 'small')).toBeUndefined()
})

test('whatever schema is admitted, making values ends, and what is said to be valid is', async () => {
  await fc.assert(
    fc.asyncProperty(schemaOf(2), async (random) => {
      const schema = { ...(random as object), $defs: { d: { type: 'string' }, e: { items: { $ref: '#/$defs/e' } } } }
      if (!(await guardSchema(schema)).admitted) return
      const check = await openCheck(schema, options)
      for (const size of ['small', 'large', 'any'] as const) {
        const value = check.make(createRandom('x'), size)
        expect(value === undefined || check.isValid(value)).toBe(true)
      }
    }),
    { numRuns: 100 },
  )
})

test('hostile schemas do not hang', async () => {
  for (const [name, { schema }] of Object.entries(cases)) {
    if (!(await guardSchema(schema)).admitted) continue
    for (const size of ['small', 'large', 'any'] as const) {
      const random = createRandom(name)
      expect(() => makeValue(schema as JsonSchema, { random, size, maxBytes: 10_000 }), name).not.toThrow()
    }
  }
})

test('a check that has taken too long in all says so', async () => {
  const check = await openCheck({ type: 'string' }, { ...options, maxMs: -1 })
  expect(() => check.isValid('a')).toThrow(TooSlow)
})
