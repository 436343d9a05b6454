import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { closeInput } from './close-input.ts'

const draft07 = 'http://json-schema.org/draft-07/schema#'

test('a root that says nothing, or takes anything, is closed; one that is closed or describes the rest stays so', () => {
  const open = { type: 'object', properties: { a: {} } }
  const closed = { schema: { ...open, additionalProperties: false }, root: 'closed here' }
  expect(closeInput(open)).toEqual(closed)
  expect(open).not.toHaveProperty('additionalProperties')
  for (const rest of [true, {}]) expect(closeInput({ ...open, additionalProperties: rest })).toEqual(closed)
  expect(closeInput({ ...open, additionalProperties: { type: 'string' } })).toMatchObject({ root: 'open' })
  for (const key of ['additionalProperties', 'unevaluatedProperties'])
    expect(closeInput({ ...open, [key]: false })).toMatchObject({ root: 'closed', schema: { [key]: false } })
})

test('a branch that takes anything does not open the root', async () => {
  const { schema, root } = closeInput({
    type: 'object',
    properties: { a: {} },
    allOf: [{ additionalProperties: true }],
  })
  expect(root).toBe('closed here')
  expect((await compileSchema(schema)).validate({ b: 1 })).not.toEqual([])
})

const cases: [what: string, schema: JsonObject][] = [
  ['a branch', { type: 'object', anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
  [
    'all of several',
    {
      type: 'object',
      allOf: [{ properties: { a: {} } }, { $ref: '#/$defs/b' }],
      $defs: { b: { properties: { b: {} } } },
    },
  ],
  [
    'a condition',
    {
      type: 'object',
      if: { required: ['a'] },
      ['then' as string]: { properties: { a: {} } },
      else: { properties: { b: {} } },
    },
  ],
  ['a reference', { type: 'object', $ref: '#/$defs/all', $defs: { all: { properties: { a: {}, b: {} } } } }],
  [
    'a reference of draft-07',
    {
      $schema: draft07,
      type: 'object',
      $ref: '#/definitions/all',
      definitions: { all: { properties: { a: {}, b: {} } } },
    },
  ],
  ['a pattern in a branch', { type: 'object', allOf: [{ patternProperties: { '^[ab]$': { type: 'integer' } } }] }],
]

test.each(cases)('what only %s declares stays allowed, and nothing else', async (_, schema) => {
  const closed = closeInput(schema)
  expect(closed.root).toBe('closed here')
  const validator = await compileSchema(closed.schema)
  expect(validator.validate({ a: 1 })).toEqual([])
  expect(validator.validate({ b: 1 })).toEqual([])
  expect(validator.validate({ c: 1 })).not.toEqual([])
})

test('`not` declares nothing', async () => {
  const { schema } = closeInput({ type: 'object', not: { properties: { a: { const: 1 } }, required: ['a'] } })
  expect((await compileSchema(schema)).validate({ a: 2 })).not.toEqual([])
})

test('a root that only draft-07 would leave open is closed: it does not know unevaluatedProperties', () => {
  const schema = { $schema: draft07, type: 'object', unevaluatedProperties: false }
  expect(closeInput(schema)).toMatchObject({ root: 'closed here', schema: { additionalProperties: false } })
})
