import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from './json.ts'
import { opaqueOutput, toOpaqueOutput } from './opaque-output.ts'
import { compileSchema } from './schema/compile-schema.ts'

test('every kind of content is passed on as a block of MCP, and anything else is quoted as JSON', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
  const content: JsonValue[] = [
    { type: 'text', text: 'hel\u200blo', annotations: { priority: 1 } },
    { type: 'image', data: png, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'a' } },
    { type: 'resource_link', uri: 'file:///c', name: 'c', description: 'the readme', size: 3 },
    { type: 'hologram', depth: 3 },
    7,
  ]
  expect(toOpaqueOutput({ content })).toEqual({
    content: [
      { type: 'text', text: 'hello', annotations: { priority: 1 } },
      ...content.slice(1, 4),
      { type: 'text', text: '{"type":"hologram","depth":3}' },
      { type: 'text', text: '7' },
    ],
  })
})

test('structured content is quoted where there is no other, and missing content stays missing', () => {
  expect(toOpaqueOutput({ structuredContent: { a: [1] } })).toEqual({ content: [{ type: 'text', text: '{"a":[1]}' }] })
  expect(toOpaqueOutput({})).toEqual({ content: [] })
})

test('whatever a tool returns, the quote conforms to the fixed schema', async () => {
  const validator = await compileSchema(opaqueOutput)
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('text', 'image', 'resource', 'resource_link'))
  const block = fc.dictionary(
    fc.constantFrom(
      'type',
      'text',
      'data',
      'uri',
      'name',
      'mimeType',
      'resource',
      'title',
      'description',
      'size',
      'annotations',
      '_meta',
    ),
    value,
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(block, value)), (content) => {
      expect(validator.validate(toOpaqueOutput({ content } as JsonObject))).toEqual([])
    }),
  )
  const many = Array.from({ length: 2000 }, () => ({ type: 'resource_link', uri: 'x'.repeat(9000) }))
  expect(validator.validate(toOpaqueOutput({ content: many }))).toEqual([])
})
