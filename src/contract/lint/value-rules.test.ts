import { expect, test } from 'vitest'
import { findingsInProperty } from '../../../test/data/clean-contract.ts'

test('enum-type: the values of an enum, and a const, are of the type', async () => {
  expect(await findingsInProperty('enum-type', { type: 'string', enum: ['a', 1, null] })).toEqual([
    '/enum/1',
    '/enum/2',
  ])
  expect(await findingsInProperty('enum-type', { type: 'integer', const: 1.5 })).toEqual(['/const'])
  expect(await findingsInProperty('enum-type', { type: 'object', const: [], additionalProperties: false })).toEqual([
    '/const',
  ])
  expect(await findingsInProperty('enum-type', { type: ['string', 'null'], enum: ['a', null] })).toEqual([])
  expect(await findingsInProperty('enum-type', { type: 'number', enum: [1, 1.5] })).toEqual([])
  expect(await findingsInProperty('enum-type', { type: 'array', const: [] })).toEqual([])
  expect(await findingsInProperty('enum-type', { enum: ['a', 1] })).toEqual([])
})

test('enum-duplicate: values are unique', async () => {
  const twice = [{ a: 1, b: 2 }, 'x', { b: 2, a: 1 }]
  expect(await findingsInProperty('enum-duplicate', { enum: twice })).toEqual(['/enum/2'])
  expect(await findingsInProperty('enum-duplicate', { enum: ['a', 'b'], const: 'a' })).toEqual(['/const'])
  expect(await findingsInProperty('enum-duplicate', { enum: ['a', 'b'], const: 'c' })).toEqual(['/const'])
  expect(await findingsInProperty('enum-duplicate', { enum: ['a', 'A', 1, '1'] })).toEqual([])
})

test('default-in-enum: a default is one of the values', async () => {
  expect(await findingsInProperty('default-in-enum', { enum: ['a', 'b'], default: 'c' })).toEqual(['/default'])
  expect(await findingsInProperty('default-in-enum', { enum: ['a', { x: 1 }], default: { x: 1 } })).toEqual([])
  expect(await findingsInProperty('default-in-enum', { default: 'c' })).toEqual([])
})

test('default-in-branch: no default inside a branch, nor where one leads', async () => {
  const at = (schema: object, rest = {}) => findingsInProperty('default-in-branch', schema, rest)
  const object = { type: 'object', properties: { a: { type: 'integer', default: 1 } }, additionalProperties: false }
  expect(await at({ anyOf: [object, { type: 'null' }] })).toEqual(['/anyOf/0/properties/a/default'])
  const $defs = { first: { $ref: '#/$defs/second' }, second: object, other: object }
  expect(await at({ oneOf: [{ $ref: '#/$defs/first' }, { type: 'null' }] }, { $defs })).toEqual([
    '/input/$defs/second/properties/a/default',
  ])
  expect(await at(object)).toEqual([])
  expect(await at({ ...object, allOf: [{}] })).toEqual([])
  expect(await at({ $ref: '#/$defs/second' }, { $defs })).toEqual([])
})

test('pattern-anchored: a pattern says where it begins and ends', async () => {
  for (const pattern of ['[a-z]+', '\\d', '^a|b$', '^[|]x|(a|b)$']) {
    expect(await findingsInProperty('pattern-anchored', { type: 'string', pattern })).toEqual(['/pattern'])
  }
  for (const pattern of ['^[a-z]+$', '^https://', '\\.md$', '^(?:a|b)$', '^[|]$', '^a\\|b$', '(^|/)a']) {
    expect(await findingsInProperty('pattern-anchored', { type: 'string', pattern })).toEqual([])
  }
})

test('format-known: an unknown format is reported', async () => {
  expect(await findingsInProperty('format-known', { type: 'string', format: 'datetime' })).toEqual(['/format'])
  expect(await findingsInProperty('format-known', { type: 'string', format: 'date-time' })).toEqual([])
})
