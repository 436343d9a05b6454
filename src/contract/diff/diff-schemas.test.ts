import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { diffSchemas } from './diff-schemas.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const closed = { type: 'object', additionalProperties: false }
const node = (leaf: object) => ({
  $defs: { node: { ...closed, properties: { next: { $ref: '#/$defs/node' }, leaf } } },
  properties: { x: { $ref: '#/$defs/node' } },
})

const rewritten: readonly [what: string, old: object | boolean, next: object | boolean][] = [
  ['keys in another order', { type: 'string', minLength: 1 }, { minLength: 1, type: 'string' }],
  ['names in another order', { required: ['a', 'b'] }, { required: ['b', 'a'] }],
  ['values in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
  ['a type alone or in a list', text, { type: ['string'] }],
  ['anything, in two ways', true, {}],
]

test.each(rewritten)('no change: %s', (_what, old, next) => {
  expect(diffSchemas(inProperty(old), inProperty(next), 'input')).toEqual([])
  expect(diffSchemas(inProperty(next), inProperty(old), 'output')).toEqual([])
})

test('inlining a reference makes no difference, even in recursive schemas', () => {
  const tree = (child: object) => ({
    ...closed,
    properties: { value: text, children: { type: 'array', items: child } },
  })
  const referred = { $defs: { tree: tree({ $ref: '#/$defs/tree' }) }, properties: { x: { $ref: '#/$defs/tree' } } }
  const unrolled = {
    $defs: { tree: tree({ $ref: '#/$defs/tree' }) },
    properties: { x: tree({ $ref: '#/$defs/tree' }) },
  }
  expect(diffSchemas(referred as JsonSchema, unrolled as JsonSchema, 'input')).toEqual([])
  expect(diffSchemas(unrolled as JsonSchema, referred as JsonSchema, 'output')).toEqual([])
})

test('a change in a recursive schema is reported once, at its location', () => {
  expect(diffSchemas(node(text) as JsonSchema, node({ ...text, minLength: 1 }) as JsonSchema, 'input')).toEqual([
    {
      pointer: '/input/$defs/node/properties/leaf/minLength',
      category: 'wire',
      breaking: true,
      message: 'minLength was added: 1. The tool accepts less than before.',
      after: '1',
    },
  ])
})

test('an assumption is discarded after a negative answer', () => {
  const holding = (leaf: object, x: object) => ({
    $defs: {
      a: { type: 'object', properties: { b: { $ref: '#/$defs/b' }, leaf } },
      b: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
    },
    properties: { x, y: { $ref: '#/$defs/b' } },
  })
  const old = holding(text, { $ref: '#/$defs/a' }) as JsonSchema
  // That b holds follows from a while a is looked at. But a does not hold, and x is saved by its other alternative.
  const next = holding({ ...text, minLength: 1 }, { anyOf: [{ $ref: '#/$defs/a' }, {}] }) as JsonSchema
  expect(diffSchemas(old, next, 'input')).toContainEqual(
    expect.objectContaining({ pointer: '/input/$defs/a/properties/leaf/minLength', breaking: true }),
  )
})

const equal: readonly [what: string, old: object, next: object, at?: string][] = [
  ['a list of constants', { enum: ['a', 'b'] }, { anyOf: [{ const: 'a' }, { const: 'b' }] }],
  ['types in anyOf', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }],
  ['anyOf in another order', { anyOf: [text, whole] }, { anyOf: [whole, text] }],
  ['anyOf and oneOf whose branches exclude each other', { anyOf: [text, whole] }, { oneOf: [text, whole] }],
  ['allOf and the same without it', { allOf: [text, { minLength: 1 }] }, { ...text, minLength: 1 }],
  ['an integer and a multiple of 1', whole, { type: 'number', multipleOf: 1 }],
  ['a bound on whole numbers', { ...whole, minimum: 1 }, { ...whole, exclusiveMinimum: 0 }],
  ['a keyword that cannot matter', whole, { ...whole, minLength: 5 }],
  [
    'what is there without being said',
    { type: 'object' },
    { type: 'object', additionalProperties: true, required: [] },
  ],
  ['boolean and its values', { type: 'boolean' }, { enum: [true, false] }],
  ['unevaluatedProperties that stands alone', closed, { type: 'object', unevaluatedProperties: false }],
  ['alternatives distinguished by a property', union('anyOf'), union('oneOf')],
]

test.each(equal)('the same values, written in another way: %s', (_what, old, next) => {
  for (const side of ['input', 'output'] as const) {
    for (const [from, to] of [
      [old, next],
      [next, old],
    ] as const) {
      expect(diffSchemas(inProperty(from), inProperty(to), side)).toEqual([
        {
          pointer: `/${side}/properties/x`,
          category: 'source',
          breaking: false,
          message: 'This is written differently but accepts the same values. Generated types may differ.',
        },
      ])
    }
  }
})

test('draft-07 and 2020-12 are compared by what they mean', () => {
  const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: [text], additionalItems: false } as const
  const next = { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [text], items: false }
  const [change, ...more] = diffSchemas(old as unknown as JsonSchema, next as JsonSchema, 'input')
  expect(more).toEqual([])
  expect(change).toMatchObject({ pointer: '/input/$schema', category: 'source', breaking: false })
  const tighter = { ...next, minItems: 1 } as JsonSchema
  expect(diffSchemas(old as unknown as JsonSchema, tighter, 'input')).toContainEqual(
    expect.objectContaining({ pointer: '/input/minItems', breaking: true }),
  )
})

test('annotations are words and never break', () => {
  const old = { ...text, description: 'A name', title: 'Name', examples: ['Ada'] }
  const next = { ...text, description: 'A first name', $comment: 'Why not.' }
  const found = diffSchemas(inProperty(old), inProperty(next), 'input')
  expect(found.map(({ category, breaking }) => ({ category, breaking }))).toEqual(
    found.map(() => ({ category: 'words', breaking: false })),
  )
  expect(found.map(({ message }) => message)).toEqual([
    'The title was removed: "Name".',
    'The description changed from "A name" to "A first name".',
    'The examples were removed: ["Ada"].',
    'The $comment was added: "Why not.".',
  ])
})

test('a description beside a reference counts, and else that of what it refers to', () => {
  const refer = (own: object, target: object) =>
    ({
      type: 'object',
      $defs: { t: { ...text, ...target } },
      properties: { x: { $ref: '#/$defs/t', ...own } },
    }) as JsonSchema
  expect(
    diffSchemas(refer({ description: 'A' }, { description: 'B' }), inProperty({ ...text, description: 'A' }), 'input'),
  ).toEqual([])
  expect(
    diffSchemas(refer({}, { description: 'B' }), inProperty({ ...text, description: 'A' }), 'input'),
  ).toMatchObject([{ category: 'words', pointer: '/input/properties/x/description' }])
})

test.each([
  ['changed', { default: 1 }, { default: 2 }, true],
  ['removed', { default: 1 }, {}, true],
  ['added', {}, { default: 1 }, false],
])('a default that is %s is seen on the wire', (_what, old, next, breaking) => {
  const [found, ...more] = diffSchemas(inProperty({ ...whole, ...old }), inProperty({ ...whole, ...next }), 'input')
  expect(more).toEqual([])
  expect(found).toMatchObject({ pointer: '/input/properties/x/default', category: 'wire', breaking })
  expect(diffSchemas(inProperty({ ...whole, ...old }), inProperty({ ...whole, ...next }), 'output')).toMatchObject([
    { category: 'source', breaking: false },
  ])
})

test('a default in a branch sets nothing, and one behind allOf does', () => {
  const inBranch = (value: number) =>
    inProperty({ anyOf: [{ ...closed, properties: { a: { default: value } } }, text] })
  expect(diffSchemas(inBranch(1), inBranch(2), 'input')).toMatchObject([{ category: 'source', breaking: false }])
  const behind = (value: number) => ({ allOf: [{ properties: { a: { default: value } } }] }) as JsonSchema
  const plain = { properties: { a: { default: 2 } } } as JsonSchema
  expect(diffSchemas(behind(1), plain, 'input')).toContainEqual(
    expect.objectContaining({ pointer: '/input/properties/a/default', category: 'wire', breaking: true }),
  )
})

test('a schema that is not valid is compared as text', () => {
  const broken = { type: 'strng' } as unknown as JsonSchema
  expect(diffSchemas(broken, { type: 'strng' } as unknown as JsonSchema, 'input')).toEqual([])
  expect(diffSchemas(broken, { type: 'string' }, 'input')).toMatchObject([
    {
      pointer: '/input',
      category: 'wire',
      breaking: true,
      message: expect.stringContaining('the old schema is not valid'),
    },
  ])
})

test('exponential schemas are abandoned early and count as breaking', () => {
  const branches = (extra: object) => {
    const $defs: Record<string, object> = { d0: { ...text, ...extra } }
    for (let level = 1; level < 12; level++) {
      const part = (name: string) => ({ required: [name], properties: { [name]: { $ref: `#/$defs/d${level - 1}` } } })
      $defs[`d${level}`] = { anyOf: [part('a'), part('b'), part('c')], not: { required: ['d'] } }
    }
    return { $defs, properties: { x: { $ref: '#/$defs/d11' } } } as JsonSchema
  }
  expect(diffSchemas(branches({}), branches({}), 'input')).toEqual([])
  expect(diffSchemas(branches({}), branches({ minLength: 1 }), 'input').some(({ breaking }) => breaking)).toBe(true)
})

function inProperty(schema: object | boolean): JsonSchema {
  return { type: 'object', properties: { x: schema as JsonSchema } }
}

function union(keyword: string): object {
  const branch = (kind: string) => ({ type: 'object', required: ['kind'], properties: { kind: { const: kind } } })
  return { [keyword]: [branch('file'), branch('url')] }
}

test.each([
  [undefined, false, 'Other properties are no longer allowed.'],
  [false, true, 'Other properties are now allowed.'],
  [{ type: 'integer' }, false, 'Other properties are no longer allowed.'],
  [{ type: 'integer' }, true, 'additionalProperties changed from {"type":"integer"} to true.'],
  [true, { type: 'integer' }, 'additionalProperties changed from true to {"type":"integer"}.'],
])('a change of other properties from %j to %j is described', (before, after, sentence) => {
  const toSchema = (others: unknown) =>
    ({ type: 'object', ...(others !== undefined && { additionalProperties: others }) }) as JsonSchema
  const [found] = diffSchemas(toSchema(before), toSchema(after), 'input')
  expect(found?.message).toContain(sentence)
})
