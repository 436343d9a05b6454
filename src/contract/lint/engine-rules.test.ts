import { expect, test } from 'vitest'
import { findingsInProperty } from '../../../test/data/clean-contract.ts'

const object = { type: 'object', additionalProperties: false }

test('default-valid: a default matches its own schema', async () => {
  const at = (schema: object, rest = {}) => findingsInProperty('default-valid', schema, rest)
  expect(await at({ type: 'integer', default: '10' })).toEqual(['/default'])
  expect(await at({ type: 'string', maxLength: 3, default: 'long' })).toEqual(['/default'])
  expect(await at({ type: 'string', format: 'uri', default: 'not a uri' })).toEqual(['/default'])
  expect(await at({ ...object, properties: { a: { type: 'string' } }, required: ['a'], default: {} })).toEqual([
    '/default',
  ])
  expect(await at({ type: 'integer', default: 10 })).toEqual([])
  expect(await at({ type: ['string', 'null'], default: null })).toEqual([])
})

test('default-valid: references are followed, wherever they point', async () => {
  const $defs = { 'a/b~c %': { type: 'string', maxLength: 3 } }
  const reference = { $ref: '#/$defs/a~1b~0c%20%25' }
  const at = (schema: object) => findingsInProperty('default-valid', schema, { $defs })
  expect(await at({ ...reference, default: 'long' })).toEqual(['/default'])
  expect(await at({ ...reference, default: 'ok' })).toEqual([])
  const tree = { ...object, properties: { children: { type: 'array', items: { $ref: '#/properties/x' } } } }
  expect(await at({ ...tree, default: { children: [{ children: [{}] }] } })).toEqual([])
  expect(await at({ ...tree, default: { children: [{ children: [{ name: 1 }] }] } })).toEqual(['/default'])
})

test('default-valid: a property named like a keyword is not a keyword', async () => {
  const named = { ...object, properties: { default: { $ref: '#/$defs/text' }, const: { type: 'string' } } }
  const $defs = { text: { type: 'string' } }
  expect(await findingsInProperty('default-valid', { ...named, default: { default: 'a' } }, { $defs })).toEqual([])
  expect(await findingsInProperty('default-valid', { ...named, default: { default: 1 } }, { $defs })).toEqual([
    '/default',
  ])
})

test('oneof-overlap: a value that two branches take is refused', async () => {
  const at = (...oneOf: object[]) => findingsInProperty('oneof-overlap', { oneOf })
  expect(await at({ type: 'integer' }, { type: 'number' })).toEqual(['/oneOf'])
  expect(await at({ type: 'string' }, { const: 'all' })).toEqual(['/oneOf'])
  expect(await at({ ...object, properties: { a: {} } }, { ...object, properties: { b: {} } })).toEqual(['/oneOf'])
  expect(await at({ type: 'string' }, { type: 'null' })).toEqual([])
  expect(await at({ enum: ['a', 'b'] }, { enum: ['c'] })).toEqual([])
  const kind = (name: string) => ({ ...object, properties: { kind: { const: name } }, required: ['kind'] })
  expect(await at(kind('a'), kind('b'))).toEqual([])
})

test('oneof-overlap: what the schema around it refuses does not count', async () => {
  const branches = { oneOf: [{ minLength: 0 }, { minimum: 5, type: 'integer' }] }
  expect(
    await findingsInProperty('oneof-overlap', { ...branches, oneOf: [{ maxLength: 3 }, { minLength: 1 }] }),
  ).toEqual(['/oneOf'])
  expect(
    await findingsInProperty('oneof-overlap', {
      type: 'string',
      minLength: 5,
      oneOf: [{ maxLength: 7 }, { minLength: 8 }],
    }),
  ).toEqual([])
})
