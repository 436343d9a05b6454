import { expect, test } from 'vitest'
import { cleanContract, findingsInProperty } from '../../../test/data/clean-contract.ts'
import { lintContract } from '../lint-contract.ts'

test.each([
  ['maxLength on a number', { type: 'integer', maxLength: 5 }, ['/maxLength']],
  ['items on an object', { type: 'object', additionalProperties: false, items: {} }, ['/items']],
  ['properties on a text', { type: 'string', properties: {}, required: [] }, ['/properties', '/required']],
  ['minimum on a text', { type: ['string', 'null'], minimum: 1 }, ['/minimum']],
  ['format on a list', { type: 'array', format: 'date' }, ['/format']],
])('idle-keyword: %s does nothing', async (_, schema, pointers) => {
  expect(await findingsInProperty('idle-keyword', schema)).toEqual(pointers)
})

test('idle-keyword: a keyword beside its type, one of its types, or no type', async () => {
  expect(await findingsInProperty('idle-keyword', { type: 'string', maxLength: 5, format: 'uri' })).toEqual([])
  expect(await findingsInProperty('idle-keyword', { type: ['integer', 'string'], maxLength: 5, minimum: 1 })).toEqual(
    [],
  )
  expect(await findingsInProperty('idle-keyword', { maxLength: 5, minimum: 1 })).toEqual([])
})

test.each([
  ['requird', 'required'],
  ['maxlength', 'maxLength'],
  ['min_length', 'minLength'],
  ['propertys', 'properties'],
  ['additionalProprties', 'additionalProperties'],
  ['desciption', 'description'],
  ['enums', 'enum'],
])('mistyped-keyword: %s was meant to be %s', async (keyword, meant) => {
  const input = { type: 'object', properties: { x: { [keyword]: 1 } }, additionalProperties: false }
  const problems = await lintContract(cleanContract({ input, effects: {}, examples: [] }))
  const problem = problems.find(({ rule }) => rule === 'mistyped-keyword')
  expect(problem?.pointer).toBe(`/input/properties/x/${keyword}`)
  expect(problem?.fix).toContain(`Write ${meant},`)
})

test('mistyped-keyword: keywords of other schema languages are explained', async () => {
  for (const keyword of ['nullable', 'optional', 'example']) {
    expect(await findingsInProperty('mistyped-keyword', { type: 'string', [keyword]: true })).toEqual([`/${keyword}`])
  }
})

test('mistyped-keyword: custom annotations and properties of any name are allowed', async () => {
  expect(await findingsInProperty('mistyped-keyword', { 'x-requird': 1, markdown: true })).toEqual([])
  const named = { type: 'object', properties: { requird: {}, nullable: {} }, additionalProperties: false }
  expect(await findingsInProperty('mistyped-keyword', named)).toEqual([])
  expect(await findingsInProperty('mistyped-keyword', { default: { requird: 1 }, const: { requird: 1 } })).toEqual([])
})

test.each([
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
])('bounds-contradict: %s above %s leaves nothing', async (least, most) => {
  expect(await findingsInProperty('bounds-contradict', { [least]: 2, [most]: 1 })).toEqual([`/${least}`])
  expect(await findingsInProperty('bounds-contradict', { [least]: 2, [most]: 2 })).toEqual([])
})

test('bounds-contradict: an exclusive bound leaves out its own value', async () => {
  expect(await findingsInProperty('bounds-contradict', { exclusiveMinimum: 2, maximum: 2 })).toEqual([
    '/exclusiveMinimum',
  ])
  expect(await findingsInProperty('bounds-contradict', { minimum: 2, exclusiveMaximum: 2 })).toEqual(['/minimum'])
  expect(await findingsInProperty('bounds-contradict', { exclusiveMinimum: 1, exclusiveMaximum: 2 })).toEqual([])
})
