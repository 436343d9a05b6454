import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { chooseOutput } from './choose-output.ts'
import { createToReason } from './reasons.ts'

const context = { settings: {}, toReason: createToReason('rows', 'list') }

test.each([
  ['a list', { type: 'array', items: { type: 'integer' } }, [1], ['1']],
  [
    'a recursive type',
    {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } },
      $ref: '#/$defs/node',
    },
    { next: {} },
    { next: { other: 1 } },
  ],
  ['itself', { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' } }] }, [[1], 2], [['x']]],
  [
    'draft-07',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://x.example/',
      $ref: '#/definitions/a',
      definitions: { a: { type: 'integer' } },
    },
    1,
    'x',
  ],
  ['a const that looks like a reference', { const: { $ref: '#/x' } }, { $ref: '#/x' }, { $ref: '#/y' }],
])('an output of %s is wrapped, and means the same', async (_, schema, good, bad) => {
  const chosen = await chooseOutput('list', schema as JsonValue, context)
  if ('reasons' in chosen) throw new Error(JSON.stringify(chosen.reasons))
  expect(chosen).toMatchObject({ form: 'wrapped', completed: [{ code: 'output_wrapped' }] })
  const validator = await compileSchema(chosen.schema)
  expect(validator.validate({ result: good })).toEqual([])
  if (bad !== undefined) expect(validator.validate({ result: bad })).not.toEqual([])
  expect(validator.validate({})).not.toEqual([])
})

test('an output that is an object is taken as it is', async () => {
  const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }
  expect(await chooseOutput('list', schema, context)).toEqual({ schema, form: 'structured', completed: [] })
})

test('an output that allows nothing is taken at its word', async () => {
  expect(await chooseOutput('list', false, context)).toMatchObject({ form: 'wrapped' })
})

test.each([
  [true],
  [{}],
  [{ type: 'object' }],
  [{ type: 'object', additionalProperties: true }],
  [{ type: 'object', properties: {}, required: [], additionalProperties: {} }],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Result', type: 'object', minProperties: 0 }],
])('an output schema that allows any object counts as none: %j', async (schema) => {
  expect(await chooseOutput('list', schema as JsonValue, context)).toMatchObject({
    reasons: [{ code: 'no_output_schema', message: expect.stringContaining('allows any object') }],
  })
  const settings = { withoutOutputSchema: 'opaque' } as const
  expect(await chooseOutput('list', schema as JsonValue, { ...context, settings })).toMatchObject({
    form: 'opaque',
    completed: [{ code: 'output_unspecific' }],
  })
})

test.each([
  [{ type: 'object', additionalProperties: false }],
  [{ type: 'object', properties: { a: {} } }],
  [{ type: 'object', required: ['a'] }],
  [{ type: 'object', additionalProperties: { type: 'string' } }],
  [{ type: 'object', minProperties: 1 }],
  [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
])('an output schema that promises something is a contract: %j', async (schema) => {
  expect(await chooseOutput('list', schema as JsonValue, context)).toEqual({
    schema,
    form: 'structured',
    completed: [],
  })
})
