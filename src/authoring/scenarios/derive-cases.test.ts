import { expect, test } from 'vitest'
import type { JsonSchema, JsonValue } from '../../contract/json.ts'
import { deriveCases } from './derive-cases.ts'
import { openCheck } from './values/check.ts'

async function derive(schema: JsonSchema, ...bases: JsonValue[]) {
  const check = await openCheck(schema, { useDefaults: true, maxBytes: 1000 })
  const { cases, lacking } = deriveCases(bases, check)
  for (const { value, isValid, what } of cases) expect(check.isValid(value), what).toBe(isValid)
  return { cases, lacking, of: (rule: string) => cases.filter((one) => one.rule === rule) }
}

const schema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'kind'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    kind: { enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 3, exclusiveMaximum: 10, multipleOf: 3 },
    when: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2, uniqueItems: true },
  },
}
const base = { name: 'abc', kind: 'a', count: 3, when: '2024-02-29', tags: ['x'] }

test('each demand of a schema is broken on its own, once', async () => {
  const { of, lacking } = await derive(schema, base)
  expect(lacking).toEqual([])
  expect(of('missing-required').map(({ value }) => value)).toEqual([
    { ...base, name: undefined },
    { ...base, kind: undefined },
  ])
  expect(of('unknown-property').map(({ value }) => value)).toEqual([{ ...base, unexpected_property: true }])
  expect(of('wrong-type').map(({ value }) => value)).toContainEqual({ ...base, count: '7' })
  expect(of('wrong-type').map(({ value }) => value)).toContainEqual({ ...base, count: 1.5 })
  expect(of('enum-pattern-format').map(({ what, value }) => [what, value])).toEqual([
    ['/name: against pattern', { ...base, name: expect.not.stringMatching(/^[a-z]+$/) }],
    ['/kind: against enum', { ...base, kind: 'A' }],
    ['/when: against format', { ...base, when: 'not a date' }],
  ])
})

test('bounds are tried on both sides', async () => {
  const { of } = await derive(schema, base)
  const tried = (name: keyof typeof base) =>
    of('bounds')
      .map(({ value }) => (value as typeof base)[name])
      .filter((value) => value !== base[name])
  expect(tried('name')).toEqual(['a', 'ab', 'abbbc', 'abbc'])
  expect(tried('count')).toEqual([2, 10, 9, 4.5])
  expect(tried('tags')).toEqual([
    ['x', 'x1', 'x2'],
    ['x', 'x1'],
    ['x', 'x'],
  ])
})

test('what only a richer value has is broken there; what a default fills in is not missing', async () => {
  const { of } = await derive(schema, { name: 'ab', kind: 'b' }, base)
  expect(of('bounds').some(({ what }) => what.startsWith('/tags'))).toBe(true)
  const filled: JsonSchema = { type: 'object', required: ['a'], properties: { a: { type: 'string', default: 'x' } } }
  const { cases, lacking } = await derive(filled, { a: 'y' })
  expect(cases.filter(({ rule }) => rule === 'missing-required')).toEqual([])
  expect(lacking).toMatchObject([{ rule: 'missing-required', what: 'the whole: without "a"' }])
})

test('inner places are found through references, branches, items and names', async () => {
  const inner: JsonSchema = {
    type: 'object',
    properties: {
      list: { items: { $ref: '#/$defs/d' } },
      map: { additionalProperties: { allOf: [{ $ref: '#/$defs/d' }] } },
    },
    $defs: { d: { type: 'integer', maximum: 5 } },
  }
  const { of } = await derive(inner, { list: [1], map: { k: 2 } })
  expect(of('bounds').map(({ what, value }) => [what, value])).toEqual([
    ['/list/0: one beyond maximum', { list: [6], map: { k: 2 } }],
    ['/list/0: just within maximum', { list: [5], map: { k: 2 } }],
  ])
})

test('values that are too large are not made', async () => {
  const { lacking, cases } = await derive({ type: 'string', maxLength: 5000, minLength: 1 }, 'x')
  expect(lacking.map(({ what }) => what)).toEqual([
    'the whole: one beyond maxLength',
    'the whole: just within maxLength',
  ])
  expect(cases.map(({ value }) => value)).toContain('')
})
