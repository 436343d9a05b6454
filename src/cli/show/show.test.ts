import { expect, test } from 'vitest'
import type { JsonSchema } from '../../contract/json.ts'
import { toSchemaRows } from './show.ts'

test('fields have type, limits and default', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['path'],
    properties: {
      path: { type: 'string', description: 'Where', minLength: 1, maxLength: 100, pattern: '^[a-z]+$' },
      count: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
      mode: { enum: ['fast', 'slow'], default: 'fast' },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      any: true,
      never: false,
    },
  }
  expect(toSchemaRows(schema)).toEqual([
    {
      name: 'path',
      type: 'string',
      required: true,
      notes: ['at least 1 characters', 'at most 100 characters', 'matches ^[a-z]+$'],
      description: 'Where',
    },
    {
      name: 'count',
      type: 'integer',
      required: false,
      notes: ['default 5', 'at least 1', 'at most 10'],
      description: '',
    },
    { name: 'mode', type: '"fast" | "slow"', required: false, notes: ['default "fast"'], description: '' },
    {
      name: 'tags',
      type: 'array of string',
      required: false,
      notes: ['at most 3 items', 'no item twice'],
      description: '',
    },
    { name: 'either', type: 'string | null', required: false, notes: [], description: '' },
    { name: 'any', type: 'any', required: false, notes: [], description: '' },
    { name: 'never', type: 'never', required: false, notes: [], description: '' },
  ])
})

test('nested fields and items follow their parent', () => {
  const schema: JsonSchema = {
    properties: {
      options: { type: 'object', required: ['depth'], properties: { depth: { type: 'integer' } } },
      files: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
    },
  }
  expect(toSchemaRows(schema).map(({ name, required }) => [name, required])).toEqual([
    ['options', false],
    ['options.depth', true],
    ['files', false],
    ['files[].path', false],
  ])
})

test('a recursive schema is cut off', () => {
  let schema: JsonSchema = { type: 'string' }
  for (let depth = 0; depth < 50; depth++) schema = { type: 'object', properties: { a: schema, b: schema } }
  expect(toSchemaRows(schema).length).toBeLessThanOrEqual(200)
})
