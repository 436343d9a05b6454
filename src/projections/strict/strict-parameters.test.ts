import { describe, expect, test } from 'vitest'
import { checkStrict } from '../../../test/helpers/check-strict.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { toStrictParameters } from './strict-parameters.ts'

/** The parameter `x`, required, after rewriting. */
function rewrite(x: JsonValue, more: JsonObject = {}): JsonValue {
  const rewritten = toStrictParameters(toInput(x, ['x'], more))
  if (!rewritten.strict) throw new Error(rewritten.obstacle.note)
  expect(checkStrict(rewritten.parameters)).toEqual([])
  return (rewritten.parameters.properties as JsonObject).x!
}

function toInput(x: JsonValue, required: string[], more: JsonObject = {}): JsonObject {
  return { type: 'object', properties: { x }, required, additionalProperties: false, ...more }
}

function lossesOf(x: JsonValue, required = ['x']) {
  const rewritten = toStrictParameters(toInput(x, required))
  return rewritten.strict ? rewritten.losses : rewritten.obstacle
}

describe('what strict mode takes stays', () => {
  test.each<JsonValue>([
    { type: 'string', description: 'A name', pattern: '^a', format: 'date' },
    { type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 },
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'string', const: 'a' },
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Perhaps' },
    { type: 'object', properties: {}, required: [], additionalProperties: false },
  ])('%j', (schema) => {
    expect(rewrite(schema)).toEqual(schema)
    expect(lossesOf(schema)).toEqual([])
  })
})

describe('optional properties become required and nullable', () => {
  test.each<[JsonValue, JsonValue]>([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [{ enum: ['a', 'b'] }, { type: ['string', 'null'], enum: ['a', 'b', null] }],
    [{ const: 1 }, { anyOf: [{ type: 'integer', const: 1 }, { type: 'null' }] }],
    [{ anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      { type: 'array', items: { type: 'string' }, description: 'Some' },
      { description: 'Some', anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    ],
  ])('%j', (schema, expected) => {
    const rewritten = toStrictParameters(toInput(schema, []))
    expect(rewritten).toEqual({
      strict: true,
      parameters: { type: 'object', properties: { x: expected }, required: ['x'], additionalProperties: false },
      losses: [],
    })
  })

  test('a nullable one stays as it is, and the ambiguity is noted', () => {
    expect(lossesOf({ type: ['string', 'null'] }, [])).toEqual([
      { pointer: '/input/properties/x', keyword: 'required', note: expect.stringContaining('null, which is kept') },
    ])
  })
})

describe('a constraint that strict mode does not know becomes words, with a note', () => {
  test.each<[JsonValue, JsonValue, string[]]>([
    [
      { type: 'string', description: 'A path', minLength: 1, maxLength: 9 },
      { type: 'string', description: 'A path. At least 1 character. At most 9 characters.' },
      ['minLength', 'maxLength'],
    ],
    [{ type: 'string', format: 'uri' }, { type: 'string', description: 'Format: uri.' }, ['format']],
    [{ type: 'integer', default: 3 }, { type: 'integer', description: 'Default: 3.' }, ['default']],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      { type: 'array', items: { type: 'string' }, description: 'No item twice.' },
      ['uniqueItems'],
    ],
    [
      { type: 'string', not: { const: 'a' } },
      { type: 'string', description: 'Does not match {"const":"a"}.' },
      ['not'],
    ],
    [{ type: 'string', 'x-ours': 1 }, { type: 'string' }, ['x-ours']],
    [
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      ['oneOf'],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      ['additionalProperties'],
    ],
  ])('%j', (schema, expected, keywords) => {
    expect(rewrite(schema)).toEqual(expected)
    expect(lossesOf(schema)).toEqual(
      keywords.map((keyword) => ({ pointer: '/input/properties/x', keyword, note: expect.any(String) })),
    )
  })

  test('a condition beside a shape', () => {
    const shape = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] }
    const condition = [{ required: ['a'] }, { required: ['b'] }]
    expect(rewrite({ ...shape, additionalProperties: false, anyOf: condition })).toEqual({
      ...shape,
      additionalProperties: false,
      description: 'Matches at least one of [{"required":["a"]},{"required":["b"]}].',
    })
  })
})

test('values of several types, objects among them, become a union in which each has its own keywords', () => {
  expect(
    rewrite({ type: ['object', 'string'], properties: { a: { type: 'null' } }, required: ['a'], pattern: 'b' }),
  ).toEqual({
    anyOf: [
      { type: 'object', properties: { a: { type: 'null' } }, required: ['a'], additionalProperties: false },
      { type: 'string', pattern: 'b' },
    ],
  })
})

test('references go to $defs by plain names, alone or in a union of their own', () => {
  const tree = {
    type: 'object',
    properties: { next: { $ref: '#/definitions/a~1tree' }, up: { $ref: '#' } },
    required: ['next'],
    additionalProperties: false,
  }
  const rewritten = toStrictParameters(
    toInput({ $ref: '#/definitions/a~1tree', description: 'The first' }, ['x'], { definitions: { 'a/tree': tree } }),
  )
  expect(rewritten).toMatchObject({
    strict: true,
    parameters: {
      properties: { x: { description: 'The first', anyOf: [{ $ref: '#/$defs/a_1tree' }] } },
      $defs: {
        a_1tree: {
          properties: { next: { $ref: '#/$defs/a_1tree' }, up: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
        },
      },
    },
  })
  expect(rewritten.strict && checkStrict(rewritten.parameters)).toEqual([])
})

describe('keywords that would change the shape make the tool not strict', () => {
  test.each<[JsonValue, string]>([
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'additionalProperties'],
    [{ type: 'object' }, 'additionalProperties'],
    [{ type: 'object', properties: {}, patternProperties: { a: true } }, 'patternProperties'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, 'prefixItems'],
    [{ type: 'array' }, ''],
    [{ type: 'string', if: { minLength: 1 }, else: { pattern: 'a' } }, 'if'],
    [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, 'allOf'],
    [true, ''],
    [{ description: 'Anything' }, 'type'],
    [{ type: 'object', properties: {}, required: ['a'], additionalProperties: false }, 'required'],
    [{ type: 'array', enum: [['a']], items: { type: 'string' } }, 'enum'],
    [{ const: { a: 1 } }, 'additionalProperties'],
    [{ type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ properties: { b: true } }] }, 'anyOf'],
    [{ $ref: '#', type: 'object' }, 'type'],
    [deep(6), ''],
    [{ type: 'integer', enum: Array.from({ length: 1001 }, (_, index) => index) }, ''],
  ])('%j', (schema, keyword) => {
    expect(lossesOf(schema)).toEqual({
      pointer: expect.stringMatching(/^\/input/),
      keyword,
      note: expect.stringMatching(/\.$/),
    })
  })

  test('so does a root that is a union', () => {
    const branch = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect(toStrictParameters({ anyOf: [branch, branch] })).toMatchObject({ strict: false })
  })
})

/** Objects inside one another, `levels` of them below the root. */
function deep(levels: number): JsonObject {
  if (levels === 0) return { type: 'string' }
  return { type: 'object', properties: { a: deep(levels - 1) }, required: ['a'], additionalProperties: false }
}
