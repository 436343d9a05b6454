import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../contract/json.ts'
import { describeField } from './describe-field.ts'
import {
  canShow,
  findBranch,
  moveItem,
  problemsAt,
  setProperty,
  stillApplying,
  toItem,
  toNumber,
  toStart,
} from './form-value.ts'

const start = (schema: JsonObject) => toStart(schema, schema)

test('a form starts with required defaults, constants and the objects around them, and nothing else', () => {
  const schema: JsonObject = {
    type: 'object',
    required: ['kind', 'limit', 'where', 'name'],
    properties: {
      kind: { const: 'search' },
      limit: { type: 'integer', default: 20 },
      page: { type: 'integer', default: 1 },
      name: { type: 'string' },
      where: { type: 'object', required: ['depth'], properties: { depth: { default: 0 }, path: { type: 'string' } } },
    },
  }
  expect(start(schema)).toEqual({ kind: 'search', limit: 20, where: { depth: 0 } })
})

test('an array starts with the items it needs, a choice with its first form', () => {
  expect(start({ type: 'array', minItems: 2, items: { type: 'string' } })).toEqual(['', ''])
  expect(start({ oneOf: [{ type: 'object', required: ['t'], properties: { t: { const: 1 } } }, {}] })).toEqual({ t: 1 })
})

test('a schema that requires itself ends', () => {
  const schema: JsonObject = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } }
  expect(JSON.stringify(start(schema)).length).toBeLessThan(200)
})

test('a new item is given even if it is empty', () => {
  expect(toItem({ type: 'string' }, true)).toBe('')
  expect(toItem({ type: 'integer' }, true)).toBeNull()
  expect(toItem({ type: 'object' }, true)).toEqual({})
})

test.each([
  ['', undefined],
  [' 42 ', 42],
  ['-1.50', -1.5],
  ['1e3', 1000],
  ['1.', 1],
  ['12a', '12a'],
  ['0x10', '0x10'],
  ['Infinity', 'Infinity'],
  ['12345678901234567890', '12345678901234567890'],
])('reads %j as the number %j', (text, value) => {
  expect(toNumber(text)).toBe(value)
})

test('properties are set in place, and removed', () => {
  expect(Object.entries(setProperty({ a: 1, b: 2 }, 'a', 3))).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  expect(setProperty({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  expect(setProperty(undefined, 'a', 1)).toEqual({ a: 1 })
})

test('items move', () => {
  expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moveItem(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
})

test('what a control cannot show is left to JSON', () => {
  const shows = (schema: JsonObject, value: JsonValue) => canShow(describeField(schema, schema), value)
  expect(shows({ type: 'string' }, 1)).toBe(false)
  expect(shows({ type: 'integer' }, '12a')).toBe(true)
  expect(shows({ type: 'integer' }, {})).toBe(false)
  expect(shows({ type: 'object' }, [])).toBe(false)
  expect(shows({ type: 'array' }, {})).toBe(false)
  expect(shows({ enum: ['a'] }, 'b')).toBe(false)
  expect(shows({ enum: [{ a: 1 }] }, { a: 1 })).toBe(true)
  expect(shows({ type: ['string', 'null'] }, null)).toBe(true)
})

const schemas: JsonObject[] = [
  { type: 'object', required: ['kind'], properties: { kind: { const: 'file' }, path: { type: 'string' } } },
  { type: 'object', required: ['kind'], properties: { kind: { const: 'page' }, url: { type: 'string' } } },
  { type: 'object', required: ['query'], properties: { query: { type: 'string' } }, additionalProperties: false },
  { type: 'string' },
  { type: 'integer' },
]
const shapes = schemas.map((schema, index) => ({ label: String(index), schema }))

test.each([
  [{ kind: 'page', url: 'x' }, 1],
  [{ kind: 'file' }, 0],
  [{ query: 'x' }, 2],
  ['x', 3],
  [7, 4],
  [true, -1],
  [[], -1],
  [undefined, 0],
] as [JsonValue | undefined, number][])('the value %j was meant for branch %i', (value, branch) => {
  expect(findBranch(shapes, value, true)).toBe(branch)
})

test('a problem is shown until its part changes', () => {
  const seen = { a: 'x', list: [{ b: 1 }, { b: 2 }] }
  const problems = ['/a', '/missing', '/list/1/b', ''].map((pointer) => ({ pointer, message: 'm' }))
  const now = (value: JsonValue) => stillApplying(problems, seen, value).map((problem) => problem.pointer)
  expect(now(seen)).toEqual(['/a', '/missing', '/list/1/b', ''])
  expect(now({ ...seen, a: 'y' })).toEqual(['/missing', '/list/1/b'])
  expect(now({ ...seen, missing: 1 })).toEqual(['/a', '/list/1/b'])
})

test('a field without inner fields shows the problems below it', () => {
  const problems = [{ pointer: '/a/b', message: 'm' }, { pointer: '/ab', message: 'm' }] // biome-ignore format: one line
  expect(problemsAt(problems, '/a', false)).toEqual([])
  expect(problemsAt(problems, '/a', true)).toEqual([problems[0]])
})
