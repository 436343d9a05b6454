import { expect, test } from 'vitest'
import type { ContractSource } from '../contract/contract.ts'
import { defineTool } from '../contract/define-tool.ts'
import type { JsonObject } from '../contract/json.ts'
import { toMcpContent } from './mcp-content.ts'

const base64 = { type: 'string', contentEncoding: 'base64' } as const

test('an output is shown as JSON text', () => {
  expect(show({ name: { type: 'string' } }, { name: 'Ada' })).toEqual([{ type: 'text', text: '{"name":"Ada"}' }])
})

test('images and audio become separate blocks, and the text omits them', () => {
  const properties = {
    title: { type: 'string' },
    picture: { ...base64, contentMediaType: 'image/png' },
    sound: { ...base64, contentMediaType: 'audio/wav' },
  } as const
  expect(show(properties, { title: 'Rain', picture: 'cG5n', sound: 'd2F2' })).toEqual([
    { type: 'text', text: '{"title":"Rain"}' },
    { type: 'image', data: 'cG5n', mimeType: 'image/png' },
    { type: 'audio', data: 'd2F2', mimeType: 'audio/wav' },
  ])
})

test('other media are embedded under a name of their own', () => {
  const properties = { 'the page': { ...base64, contentMediaType: 'application/pdf' } }
  expect(show(properties, { 'the page': 'cGRm' })).toEqual([
    {
      type: 'resource',
      resource: { uri: 'toolpact:///calls/call-1/the%20page', mimeType: 'application/pdf', blob: 'cGRm' },
    },
  ])
})

test('plain text, unknown types and missing values stay in the text', () => {
  const properties = {
    page: { type: 'string', contentMediaType: 'text/html' },
    bytes: base64,
    picture: { ...base64, contentMediaType: 'image/png' },
  } as const
  const output = { page: '<p>', bytes: 'AA==' }
  expect(show(properties, output)).toEqual([{ type: 'text', text: JSON.stringify(output) }])
})

test('images and audio in a list of typed blocks become separate blocks', () => {
  const block = {
    type: 'object',
    properties: { type: { type: 'string' }, text: { type: 'string' }, data: base64, mimeType: { type: 'string' } },
  } as const
  const content: JsonObject[] = [
    { type: 'text', text: 'A picture:' },
    { type: 'image', data: 'cG5n', mimeType: 'image/png' },
    { type: 'image', data: 'not base64!', mimeType: 'image/png' },
    { type: 'resource', data: 'cGRm', mimeType: 'application/pdf' },
  ]
  const [text, ...media] = show({ content: { type: 'array', items: block } }, { content })
  expect(media).toEqual([{ type: 'image', data: 'cG5n', mimeType: 'image/png' }])
  expect(JSON.parse((text as { text: string }).text)).toEqual({
    content: [content[0], { type: 'image', mimeType: 'image/png' }, ...content.slice(2)],
  })
})

function show(properties: NonNullable<ContractSource['output']['properties']>, output: JsonObject) {
  const source = { name: 'show', description: 'Shows.', risk: 'read_only', input: { type: 'object' } } as const
  const { contract } = defineTool({ ...source, output: { type: 'object', properties } } as ContractSource, () => ({}))
  const result = { success: true, callId: 'call-1', tool: 'test.show', output, durationMs: 1 } as const
  return toMcpContent(result, contract)
}
