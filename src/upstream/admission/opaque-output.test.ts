import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { opaqueOutput } from '../../contract/opaque-output.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { toOpaqueOutput } from './opaque-output.ts'

test('every kind of content is quoted', () => {
  const content: JsonValue[] = [
    { type: 'text', text: 'hello', annotations: { priority: 1 } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'a' } },
    { type: 'resource', resource: { uri: 'file:///b', blob: 'CCCC' } },
    { type: 'resource_link', uri: 'file:///c', name: 'c', size: 3 },
    { type: 'hologram', depth: 3 },
    7,
  ]
  expect(toOpaqueOutput({ content })).toEqual({
    content: [
      { type: 'text', text: 'hello' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
      { type: 'resource', uri: 'file:///a', mimeType: 'text/plain', text: 'a' },
      { type: 'resource', uri: 'file:///b', data: 'CCCC' },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
      { type: 'json', text: '{"type":"hologram","depth":3}' },
      { type: 'json', text: '7' },
    ],
  })
})

test('structured content stands in where there is no other, and no content is none', () => {
  expect(toOpaqueOutput({ structuredContent: { a: [1] } })).toEqual({ content: [{ type: 'json', text: '{"a":[1]}' }] })
  expect(toOpaqueOutput({})).toEqual({ content: [] })
})

test('whatever a tool returns, the quote conforms to the fixed schema', async () => {
  const validator = await compileSchema(opaqueOutput)
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('text', 'image', 'resource', 'resource_link'))
  const block = fc.dictionary(fc.constantFrom('type', 'text', 'data', 'uri', 'name', 'mimeType', 'resource'), value)
  fc.assert(
    fc.property(fc.array(fc.oneof(block, value)), (content) => {
      expect(validator.validate(toOpaqueOutput({ content } as JsonObject))).toEqual([])
    }),
  )
  const many = Array.from({ length: 2000 }, () => ({ type: 'resource_link', uri: 'x'.repeat(9000) }))
  expect(validator.validate(toOpaqueOutput({ content: many }))).toEqual([])
})
