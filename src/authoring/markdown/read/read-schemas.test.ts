import { expect, test } from 'vitest'
import { fromParameters } from './read-schemas.ts'

test('a table of parameters becomes a closed object', () => {
  const path = { type: 'string', description: 'Where', required: true }
  expect(fromParameters({ path, page: { type: 'integer', required: false, default: 1 } })?.schema).toEqual({
    type: 'object',
    properties: { path: { type: 'string', description: 'Where' }, page: { type: 'integer', default: 1 } },
    required: ['path'],
    additionalProperties: false,
  })
})

test('in a schema, required moves from a property to the list beside the properties', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', required: true }, b: {} }, required: ['b'] }
  expect(fromParameters(schema)).toEqual({
    schema: { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['b', 'a'] },
    isTable: false,
    at: '/properties/a',
  })
})

test.each([
  [{}],
  [{ type: 'object' }],
  [{ type: 'object', properties: { required: { type: 'boolean' } }, required: ['required'] }],
  [{ properties: { type: { type: 'string' } } }],
  [{ $ref: '#/$defs/a', $defs: { a: { type: 'object' } } }],
])('%j is a schema as it is', (schema) => {
  expect(fromParameters(schema)).toBeUndefined()
})
