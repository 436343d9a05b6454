import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../contract/json.ts'
import { describeField } from './describe-field.ts'

const control = (schema: JsonObject, root: JsonObject = schema) => {
  const field = describeField(schema, root)
  return field.kind === 'choice' ? ['choice', ...field.branches.map((branch) => branch.label)] : field.kind
}

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'number' }, 'number'],
  [{ type: 'boolean' }, 'options'],
  [{ enum: ['a', 1, null] }, 'options'],
  [{ const: 'a' }, 'options'],
  [{ type: 'object' }, 'object'],
  [{ properties: { a: {} } }, 'object'],
  [{ items: { type: 'string' } }, 'array'],
  [{}, 'json'],
  [{ type: ['string', 'integer'] }, ['choice', 'string', 'integer']],
  [{ oneOf: [{ type: 'string', title: 'By name' }, { type: 'integer' }] }, ['choice', 'By name', 'integer']],
  [{ $ref: 'https://example.com/other' }, 'json'],
  [{ $ref: '#/nowhere' }, 'json'],
  [{ $ref: '#' }, 'json'],
  [{ allOf: [{ type: 'string' }, { type: 'object' }] }, 'json'],
] as [JsonObject, unknown][])('shows %j as %j', (schema, kind) => {
  expect(control(schema)).toEqual(kind)
})

test('a boolean schema is typed as JSON', () => {
  expect(describeField(true, true).kind).toBe('json')
})

test('null beside one other form makes it nullable, however it is written', () => {
  const schemas: JsonObject[] = [
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { type: ['null', 'string'], maxLength: 3 },
  ]
  for (const schema of schemas) expect(describeField(schema, schema)).toMatchObject({ kind: 'text', isNullable: true })
  const schema: JsonObject = { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }
  expect(describeField(schema, schema)).toMatchObject({ kind: 'choice', isNullable: true })
  expect(describeField({ type: 'string' }, true).isNullable).toBe(false)
})

test('a branch of a choice also has what the schema says besides', () => {
  const schema: JsonObject = {
    type: 'object',
    required: ['kind'],
    properties: { id: { type: 'string' } },
    oneOf: [
      { properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['path'] },
      { properties: { kind: { const: 'page' }, url: { type: 'string' } } },
    ],
  }
  const field = describeField(schema, schema)
  if (field.kind !== 'choice') throw new Error(field.kind)
  expect(field.branches.map((branch) => branch.label)).toEqual(['kind: file', 'kind: page'])
  const first = describeField(field.branches[0]!.schema, schema)
  if (first.kind !== 'object') throw new Error(first.kind)
  expect(first.properties.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['id', false],
    ['kind', true],
    ['path', true],
  ])
})

test('branches with equal labels are numbered', () => {
  const schema: JsonObject = {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'string', maxLength: 9 },
    ],
  }
  expect(control(schema)).toEqual(['choice', '1: string', '2: string'])
})

test('branches that only say what is required are no choice', () => {
  expect(control({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] })).toBe('object')
})

test('follows local references with escapes, keeps what stands beside them, and joins allOf', () => {
  const root: JsonObject = {
    $defs: { 'a/b': { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] } },
    allOf: [{ $ref: '#/$defs/a~1b' }, { properties: { y: { type: 'integer' } }, required: ['y'] }],
    description: 'Both',
  }
  const field = describeField(root, root)
  expect(field.description).toBe('Both')
  if (field.kind !== 'object') throw new Error(field.kind)
  expect(field.properties.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['x', true],
    ['y', true],
  ])
})

test('a schema that contains itself is described one level at a time', () => {
  const root: JsonObject = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
  }
  const field = describeField(root, root)
  if (field.kind !== 'object') throw new Error(field.kind)
  const children = describeField(field.properties[1]!.schema, root)
  if (children.kind !== 'array') throw new Error(children.kind)
  expect(describeField(children.itemAt(0), root)).toMatchObject({ kind: 'object' })
})

test('items of a tuple have schemas of their own', () => {
  const root: JsonObject = { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } }
  const field = describeField(root, root)
  if (field.kind !== 'array') throw new Error(field.kind)
  expect([0, 1, 7].map((index) => describeField(field.itemAt(index), root).kind)).toEqual(['text', 'number', 'number'])
})

test.each([
  [{ minimum: 1, maximum: 100 }, ['1 to 100']],
  [{ exclusiveMinimum: 0 }, ['more than 0']],
  [{ minLength: 1 }, ['at least 1 character']],
  [{ minLength: 0, maxLength: 64 }, ['at most 64 characters']],
  [{ minItems: 2, maxItems: 2, uniqueItems: true }, ['exactly 2 items', 'all different']],
  [{ maxProperties: 3 }, ['at most 3 entries']],
  [{ format: 'date' }, ['date, such as 2026-01-31']],
  [{ format: 'constructor' }, ['constructor']],
  [{ pattern: '^a$' }, ['matches ^a$']],
] as [JsonObject, string[]][])('says in words what %j asks for', (schema, hints) => {
  expect(describeField(schema, schema).hints).toEqual(hints)
})
