// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { expect, test } from 'vitest'
import { findings, findingsInProperty } from '../../../test/data/clean-contract.ts'

const object = { type: 'object', additionalProperties: false }
const html = {
  type: 'object',
  additionalProperties: false,
  properties: { html: { type: 'string' }, raw: { type: 'boolean' } },
}

test('vacuous-if: an if that also holds when its property is absent', async () => {
  const output = {
    ...html,
    allOf: [{ if: { properties: { html: { type: 'string' } } }, then: { required: ['html'] } }],
  }
  expect(await findings('vacuous-if', { output })).toEqual(['/output/allOf/0/if/properties/html'])
})

test('vacuous-if: one property of two that is not needed', async () => {
  const schema = {
    ...html,
    if: { properties: { html: { minLength: 1 }, raw: { const: true } }, required: ['raw'] },
    then: { maxProperties: 1 },
  }
  expect(await findingsInProperty('vacuous-if', schema)).toEqual(['/if/properties/html'])
})

test.each([
  ['the if requires it', { if: { properties: { raw: { const: true } }, required: ['raw'] } }],
  ['all of the if require it', { if: { allOf: [{ properties: { raw: { const: true } } }, { required: ['raw'] }] } }],
  ['the object requires it', { required: ['raw'], if: { properties: { raw: { const: true } } } }],
  ['the if asks nothing of it', { if: { properties: { raw: true }, required: ['html'] } }],
  ['the if asks for its absence', { if: { properties: { raw: false } } }],
  ['the if names no property', { if: { required: ['raw'] } }],
])('vacuous-if: nothing to say when %s', async (_, parts) => {
  const schema = { ...html, ...parts, then: { required: ['html'] } }
  expect(await findingsInProperty('vacuous-if', schema)).toEqual([])
})

test('vacuous-if: what is required around a branch counts', async () => {
  const branch = { if: { properties: { raw: { const: true } } }, then: { required: ['html'] } }
  expect(await findingsInProperty('vacuous-if', { ...html, required: ['raw'], allOf: [branch] })).toEqual([])
  expect(await findingsInProperty('vacuous-if', { ...html, allOf: [{ required: ['raw'] }, branch] })).toEqual([])
  expect(await findingsInProperty('vacuous-if', { ...html, if: { required: ['raw'] }, then: branch })).toEqual([])
  expect(await findingsInProperty('vacuous-if', { ...html, if: { required: ['raw'] }, else: branch })).toEqual([
    '/else/if/properties/raw',
  ])
})

test('if-complete: an if has a consequence, and a consequence has an if', async () => {
  const needs = { required: ['html'] }
  expect(await findingsInProperty('if-complete', { ...html, if: needs })).toEqual(['/if'])
  expect(await findingsInProperty('if-complete', { ...html, then: needs, else: needs })).toEqual(['/then', '/else'])
  expect(await findingsInProperty('if-complete', { ...html, if: needs, else: { required: ['raw'] } })).toEqual([])
})

test('closed-beside-branches: a closed object refuses what only a branch declares', async () => {
  const at = (schema: object) => findingsInProperty('closed-beside-branches', schema)
  const branch = { properties: { extra: { type: 'string' } } }
  for (const parts of [{ allOf: [branch] }, { anyOf: [branch, {}] }, { if: { required: ['raw'] }, then: branch }]) {
    expect(await at({ ...html, ...parts })).toEqual(['/additionalProperties'])
  }
  const $defs = { base: branch }
  expect(await at({ ...html, $ref: '#/properties/x/$defs/base', $defs })).toEqual(['/additionalProperties'])
  expect(await at({ ...object, properties: { extra: {} }, allOf: [branch] })).toEqual([])
  expect(await at({ type: 'object', unevaluatedProperties: false, allOf: [branch] })).toEqual([])
  expect(await at({ ...html, allOf: [{ properties: { extra: false } }] })).toEqual([])
})
