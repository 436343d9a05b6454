import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { compileSchema } from './compile-schema.ts'
import { inferSchema } from './infer-schema.ts'

test('properties of every sample are required, and unseen properties are refused', () => {
  const { schema, doubts } = inferSchema([
    { id: 1, name: 'a', tags: ['x'], owner: null },
    { id: 2, name: 'b', tags: [], owner: { login: 'c' }, size: 1 },
    { id: 3, name: 'b', tags: ['y', 'z'], owner: { login: 'c', bot: true }, size: 1.5 },
  ])
  expect(schema).toEqual({
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      owner: {
        type: ['object', 'null'],
        properties: { login: { type: 'string' }, bot: { type: 'boolean' } },
        required: ['login'],
        additionalProperties: false,
      },
      size: { type: 'number' },
    },
    required: ['id', 'name', 'tags', 'owner'],
    additionalProperties: false,
  })
  expect(doubts).toEqual([])
})

test('items of one list are distinguished by their properties', () => {
  const { schema } = inferSchema([{ rows: [{ a: 1 }, { a: 1, b: 'x' }, 5] }, { rows: [] }])
  expect(schema.properties).toEqual({
    rows: {
      type: 'array',
      items: {
        type: ['object', 'integer'],
        properties: { a: { type: 'integer' }, b: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
    },
  })
})

test('reports what the samples leave open', () => {
  expect(inferSchema([{ a: [], b: null }]).doubts).toEqual([
    'There is only one sample: any other property, or a missing one, will be refused. Add more samples.',
    '/a was always empty, so any item is allowed. Add a sample in which it is not.',
    '/b was always null, so nothing else is allowed. Add a sample in which it is not.',
  ])
})

test('an object with very many keys is a map', () => {
  const map = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`id-${index}`, { n: index }]))
  const { schema, doubts } = inferSchema([{ map }, { map: {} }])
  expect(schema.properties).toEqual({
    map: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { n: { type: 'integer' } },
        required: ['n'],
        additionalProperties: false,
      },
    },
  })
  expect(doubts).toEqual(['/map has 100 different keys, so any key is allowed.'])
})

test('deeply nested values are left open', () => {
  let value: JsonObject = { end: true }
  for (let depth = 0; depth < 40; depth++) value = { in: value }
  const { schema, doubts } = inferSchema([value, value])
  expect(JSON.stringify(schema).length).toBeLessThan(2000)
  expect(doubts).toEqual([`${'/in'.repeat(12)} is nested 12 levels deep: its content is left open.`])
})

test('all samples conform to the proposed schema', async () => {
  const key = fc.string({ minLength: 1, maxLength: 3 }).filter((name) => name !== '__proto__')
  const sample = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 4 }), async (samples) => {
      const clean = JSON.parse(JSON.stringify(samples)) as JsonObject[]
      const compiled = await compileSchema(inferSchema(clean).schema)
      for (const value of clean) expect(compiled.validate(value)).toEqual([])
    }),
    { numRuns: 40 },
  )
})
