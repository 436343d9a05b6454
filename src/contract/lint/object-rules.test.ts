import { expect, test } from 'vitest'
import { cleanContract, findings, findingsInProperty } from '../../../test/data/clean-contract.ts'
import { lintContract } from '../lint-contract.ts'

const object = { type: 'object', properties: {}, additionalProperties: false }

test('root-object: the root is an object', async () => {
  expect(await findings('root-object', { output: { type: 'array', items: { type: 'string' } } })).toEqual([
    '/output/type',
  ])
  expect(await findings('root-object', { input: { ...object, type: ['object', 'null'] } })).toEqual(['/input/type'])
  expect(await findings('root-object', { input: object })).toEqual([])
})

test('root-object: bare properties are recognised for what they are', async () => {
  const input = { path: { type: 'string', description: 'Relative path', required: true } }
  const problems = await lintContract(cleanContract({ input }))
  expect(problems.find(({ rule }) => rule === 'root-object')?.fix).toContain('under properties')
})

test('root-closed: the root refuses what it does not declare', async () => {
  expect(await findings('root-closed', { input: { type: 'object' } })).toEqual(['/input/additionalProperties'])
  expect(await findings('root-closed', { output: { type: 'object', additionalProperties: true } })).toEqual([
    '/output/additionalProperties',
  ])
  expect(await findings('root-closed', { output: object })).toEqual([])
  expect(await findings('root-closed', { output: { type: 'object', unevaluatedProperties: false } })).toEqual([])
})

test('object-explicit: every object says what else it may have', async () => {
  const at = (schema: object) => findingsInProperty('object-explicit', schema)
  expect(await at({ type: 'object' })).toEqual(['/additionalProperties'])
  expect(await at({ properties: { a: { type: 'string' } } })).toEqual(['/additionalProperties'])
  expect(await at({ type: ['object', 'null'] })).toEqual(['/additionalProperties'])
  expect(await at({ type: 'array', items: { type: 'object' } })).toEqual(['/items/additionalProperties'])
  expect(await at({ anyOf: [{ type: 'object' }, { type: 'null' }] })).toEqual(['/anyOf/0/additionalProperties'])
  expect(await at({ $ref: '#/properties/x/$defs/a', $defs: { a: { type: 'object' } } })).toEqual([
    '/$defs/a/additionalProperties',
  ])
  for (const additionalProperties of [true, false, { type: 'string' }]) {
    expect(await at({ type: 'object', additionalProperties })).toEqual([])
  }
})

test('object-explicit: a branch that only refines an object need not say it again', async () => {
  const refined = {
    ...object,
    properties: { a: { type: 'string' } },
    anyOf: [{ type: 'object', properties: { a: { const: 'x' } } }, { required: ['a'] }],
    if: { type: 'object', required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { a: { minLength: 1 } } },
  }
  expect(await findingsInProperty('object-explicit', refined)).toEqual([])
})

test('required-declared: what is required is declared', async () => {
  const at = (schema: object) => findingsInProperty('required-declared', schema)
  expect(await at({ ...object, required: ['a'] })).toEqual(['/required/0'])
  expect(await at({ ...object, properties: { a: {} }, required: ['a', 'b'] })).toEqual(['/required/1'])
  expect(await at({ ...object, properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] })).toEqual([
    '/anyOf/1/required/0',
  ])
  expect(
    await at({ ...object, properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ).toEqual([])
  expect(await at({ type: 'object', required: ['a'], allOf: [{ properties: { a: {} } }] })).toEqual([])
  expect(
    await at({
      required: ['a'],
      $ref: '#/properties/x/$defs/base',
      $defs: { base: { ...object, properties: { a: {} } } },
    }),
  ).toEqual([])
})

test('required-list: required is a list beside properties, not a mark inside one', async () => {
  expect(await findingsInProperty('required-list', { type: 'string', required: true })).toEqual(['/required'])
  expect(await findingsInProperty('required-list', { type: 'string', required: false })).toEqual(['/required'])
  expect(await findingsInProperty('required-list', { type: 'string' }, { required: ['x'] })).toEqual([])
  const input = { ...object, properties: { x: { type: 'string', required: true } } }
  const problems = await lintContract(cleanContract({ input, effects: {}, examples: [] }))
  // Said once, by the rule that knows the mistake.
  expect(problems.filter(({ pointer }) => pointer === '/input/properties/x/required')).toHaveLength(1)
})

test('default-not-required: what has a default may be left out', async () => {
  const schema = { type: 'string', default: 'a' }
  expect(await findingsInProperty('default-not-required', schema, { required: ['x'] })).toEqual(['/default'])
  expect(await findingsInProperty('default-not-required', schema)).toEqual([])
  expect(await findingsInProperty('default-not-required', { type: 'string' }, { required: ['x'] })).toEqual([])
})

test('property-described: every property says what it means', async () => {
  expect(await findingsInProperty('property-described', { type: 'string' })).toEqual(['/description'])
  expect(await findingsInProperty('property-described', { type: 'string', description: ' ' })).toEqual(['/description'])
  expect(await findingsInProperty('property-described', { type: 'string', description: 'A name' })).toEqual([])
  const described = { description: 'A name', type: 'string' }
  expect(await findingsInProperty('property-described', { $ref: '#/$defs/a' }, { $defs: { a: described } })).toEqual([])
  const nested = { ...object, description: 'Both', properties: { a: { type: 'string' }, b: described } }
  expect(await findingsInProperty('property-described', nested)).toEqual(['/properties/a/description'])
  const refined = { oneOf: [{ properties: { x: { minLength: 1 } } }, { properties: { x: { maxLength: 0 } } }] }
  expect(await findingsInProperty('property-described', described, refined)).toEqual([])
})
