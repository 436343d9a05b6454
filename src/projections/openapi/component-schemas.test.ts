import { expect, test } from 'vitest'
import { toComponentSchemas } from './component-schemas.ts'

test('a schema without references is one component, with what the contract says and nothing that OpenAPI would misread', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.com/input',
    $comment: 'For authors.',
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: ['string', 'null'], description: 'A name', default: null, maxLength: 5 },
      id: { type: 'string', readOnly: true, discriminator: 'x', nullable: 'yes', xml: 5 },
    },
  } as const
  expect(toComponentSchemas('search.web.Input', schema)).toEqual({
    'search.web.Input': {
      type: 'object',
      additionalProperties: false,
      properties: {
        name: { type: ['string', 'null'], description: 'A name', default: null, maxLength: 5 },
        id: { type: 'string' },
      },
    },
  })
})

test('each referenced schema becomes a component, and references point to it', () => {
  const schema = {
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/tree', description: 'The root' },
      again: { $ref: '#' },
      a: { type: 'string' },
      b: { $ref: '#/properties/a' },
      c: { not: { $ref: '#/$defs/tree/properties/leaves' } },
    },
    $defs: {
      tree: {
        type: 'object',
        properties: {
          left: { $ref: '#/$defs/tree' },
          leaves: { type: 'array', items: { $ref: '#/%24defs/odd%20~1name' } },
        },
      },
      'odd /name': { type: 'integer' },
      unused: { type: 'null' },
    },
  } as const
  const at = (key: string) => ({ $ref: `#/components/schemas/${key}` })
  expect(toComponentSchemas('t.Input', schema)).toEqual({
    't.Input': {
      type: 'object',
      properties: {
        tree: { ...at('t.Input-tree'), description: 'The root' },
        again: at('t.Input'),
        a: at('t.Input-properties_a'),
        b: at('t.Input-properties_a'),
        c: { not: at('t.Input-tree_properties_leaves') },
      },
    },
    't.Input-tree': {
      type: 'object',
      properties: { left: at('t.Input-tree'), leaves: at('t.Input-tree_properties_leaves') },
    },
    't.Input-properties_a': { type: 'string' },
    't.Input-tree_properties_leaves': { type: 'array', items: at('t.Input-odd__name') },
    't.Input-odd__name': { type: 'integer' },
  })
})

test('definitions whose names look alike stay apart', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/x y' }, b: { $ref: '#/$defs/x.y' }, c: { $ref: '#/$defs/x_y-2' } },
    $defs: { 'x y': { const: 1 }, 'x.y': { const: 2 }, 'x_y-2': { const: 3 } },
  } as const
  const { 't.Input': _, ...definitions } = toComponentSchemas('t.Input', schema)!
  expect(Object.values(definitions)).toEqual([{ const: 1 }, { const: 2 }, { const: 3 }])
})

test('data and property names that look like references stay as they are', () => {
  const schema = {
    type: 'object',
    properties: { $ref: { type: 'string' }, value: { enum: [{ $ref: '#/$defs/x' }] }, same: { const: { $defs: {} } } },
    examples: [{ $ref: '#' }],
    default: { $schema: 'x' },
  } as const
  expect(toComponentSchemas('t.Input', schema)).toEqual({ 't.Input': schema })
})

test('draft-07 is written as 2020-12', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      pair: { type: 'array', items: [{ type: 'string' }, { $ref: '#/definitions/n' }], additionalItems: false },
      n: { $ref: '#/definitions/n', maximum: 1 },
    },
    dependencies: { pair: ['n'], n: { required: ['pair'] } },
    definitions: { n: { type: 'number' } },
  } as const
  const n = { $ref: '#/components/schemas/t.Input-n' }
  expect(toComponentSchemas('t.Input', schema)).toEqual({
    't.Input': {
      type: 'object',
      properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, n], items: false }, n },
      dependentRequired: { pair: ['n'] },
      dependentSchemas: { n: { required: ['pair'] } },
    },
    't.Input-n': { type: 'number' },
  })
})

test('a schema that is not valid has no components', () => {
  for (const schema of [
    { $ref: '#/$defs/absent' },
    { $ref: 'https://example.com/other.json' },
    { properties: { a: { type: 'strng' } } },
    { $schema: 'http://json-schema.org/draft-04/schema#' },
  ])
    expect(toComponentSchemas('t.Input', schema as never), JSON.stringify(schema)).toBeUndefined()
})
