import { expect, test } from 'vitest'
import { defineTool } from '../../contract/define-tool.ts'
import type { JsonSchema } from '../../contract/json.ts'
import { toFlatRoot } from './flat-root.ts'

const text = { type: 'string' } as const
const output = { type: 'object', properties: {}, additionalProperties: false } as const

function flatten(input: JsonSchema) {
  const { contract } = defineTool(
    { name: 'probe', description: 'Probes.', risk: 'read_only', input, output },
    () => ({}),
  )
  const keywords: string[] = []
  const note = (_pointer: string, keyword: string) => keywords.push(keyword)
  return { ...toFlatRoot({ name: 'probe', description: 'Probes.', contract, note }), keywords }
}

test('a plain object is handed on', () => {
  const input = { type: 'object', properties: { a: text }, required: ['a'] } as const
  expect(flatten(input)).toEqual({ schema: input, description: 'Probes.', keywords: [] })
})

test('a root without a type is an object', () => {
  expect(flatten({ properties: { a: text } }).schema).toEqual({ type: 'object', properties: { a: text } })
})

test('branches contribute every property, and the required ones that all share', () => {
  const file = { properties: { kind: { const: 'file' }, path: text }, required: ['kind', 'path'] }
  const folder = { properties: { kind: { const: 'folder' }, path: text }, required: ['kind'] }
  const { schema, description, keywords } = flatten({
    type: 'object',
    properties: { force: { type: 'boolean' } },
    required: ['force'],
    oneOf: [file, folder],
  })
  expect(schema).toEqual({
    type: 'object',
    properties: {
      force: { type: 'boolean' },
      kind: { anyOf: [{ const: 'file' }, { const: 'folder' }] },
      path: text,
    },
    required: ['force', 'kind'],
  })
  expect(description).toBe(`Probes.\nThe arguments must match exactly one of: ${JSON.stringify([file, folder])}`)
  expect(keywords).toEqual(['oneOf'])
})

test('references and parts are merged, and their definitions stay', () => {
  const $defs = { base: { type: 'object', properties: { a: text }, required: ['a'] } } as const
  const part = { properties: { b: text, a: { maxLength: 3 } }, required: ['b'] }
  const { schema, keywords } = flatten({ $ref: '#/$defs/base', allOf: [part], $defs })
  expect(schema).toEqual({
    type: 'object',
    properties: { a: { allOf: [text, { maxLength: 3 }] }, b: text },
    required: ['a', 'b'],
    $defs,
  })
  expect(keywords).toEqual(['$ref', 'allOf'])
})

test('conditions become words', () => {
  const { schema, description } = flatten({ type: 'object', properties: { a: text }, not: { required: ['a'] } })
  expect(schema).toEqual({ type: 'object', properties: { a: text } })
  expect(description).toBe('Probes.\nThe arguments must not match: {"required":["a"]}')
})
