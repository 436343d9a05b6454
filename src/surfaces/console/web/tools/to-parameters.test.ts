import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../contract/json.ts'
import { toParameters } from './to-parameters.ts'

test('lists properties with those of inner objects, items and branches', () => {
  const schema: JsonObject = {
    type: 'object',
    required: ['path'],
    properties: {
      path: { type: 'string', description: 'Where', maxLength: 9 },
      mode: { enum: ['fast', 'exact'], default: 'fast' },
      edits: { type: 'array', items: { type: 'object', properties: { line: { type: ['integer', 'null'] } } } },
      target: { oneOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'string' } } }] },
    },
  }
  expect(
    toParameters(schema).map(({ path, type, isRequired, hints }) => [path, type, isRequired, hints.join()]),
  ).toEqual([
    ['path', 'string', true, 'at most 9 characters'],
    ['mode', '"fast" or "exact"', false, 'default "fast"'],
    ['edits', 'list of object', false, ''],
    ['edits[].line', 'number or null', false, ''],
    ['target', 'string or object', false, ''],
    ['target.id', 'string', false, ''],
  ])
})

test('a schema that contains itself ends', () => {
  const schema: JsonObject = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } }
  const rows = toParameters(schema)
  expect(rows.length).toBeGreaterThan(4)
  expect(rows.length).toBeLessThan(100)
})
