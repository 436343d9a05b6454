import { expect, test } from 'vitest'
import { cleanContract } from '../../test/data/clean-contract.ts'
import type { CallResult, CallSuccess } from '../contract/call-result.ts'
import { type ContentBlock, cleanBlock } from '../contract/content/content-block.ts'
import { defineTool } from '../contract/define-tool.ts'
import type { JsonObject } from '../contract/json.ts'
import { opaqueOutput } from '../contract/opaque-output.ts'
import { toMcpResult, toMcpResultText, toMcpTool } from './mcp.ts'

test('a contract becomes a tool with its schemas as they are', () => {
  const contract = cleanContract()
  expect(toMcpTool('notes.read_note', contract)).toEqual({
    name: 'notes.read_note',
    title: contract.title,
    description: 'Reads one note of the collection.',
    inputSchema: contract.input,
    outputSchema: contract.output,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })
})

test('annotations come from risk and effects', () => {
  const annotations = (changes: object) => toMcpTool('x', cleanContract(changes)).annotations
  expect(annotations({ risk: 'safe_write' })).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(annotations({ risk: 'dangerous' })).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  expect(annotations({ risk: 'dangerous' })).toMatchObject({ idempotentHint: false })
  expect(annotations({ effects: { fetches: ['path'] } })).toMatchObject({ openWorldHint: true })
  expect(annotations({ effects: { runs: ['path'] } })).toMatchObject({ openWorldHint: true })
  expect(annotations({ effects: { fetches: [], writes: ['path'] } })).toMatchObject({ openWorldHint: false })
})

test('notes are for models, too: in a text of their own after the output', () => {
  const result = { ...success({ text: 'a' }), notes: { next_start: 140, length: 809 } } as CallResult
  expect(toMcpResult(result).content).toEqual([
    { type: 'text', text: '{"text":"a"}' },
    { type: 'text', text: 'Notes: {"next_start":140,"length":809}' },
  ])
  expect(toMcpResult(result)._meta).toEqual({ 'toolpact/notes': { next_start: 140, length: 809 } })
  expect(JSON.parse(toMcpResultText(result))).toEqual(toMcpResult(result))
})

test('notes about the protocol of a server are not for models', () => {
  const result = { ...success({ text: 'a' }), notes: { isError: 'missing' } } as CallResult
  expect(toMcpResult(result).content).toEqual([{ type: 'text', text: '{"text":"a"}' }])
  expect(toMcpResult(result)._meta).toEqual({ 'toolpact/notes': { isError: 'missing' } })
  expect(JSON.parse(toMcpResultText(result))).toEqual(toMcpResult(result))
})

test('a deprecated tool says so where models read', () => {
  const { description } = toMcpTool('x', cleanContract({ status: 'deprecated' }))
  expect(description).toBe('Deprecated. Reads one note of the collection.')
})

test('a tool whose contract says how it is reached has that and its status in _meta', () => {
  const place = { transport: 'mcp (stdio)', endpoint: 'web-fetch' }
  const { _meta } = toMcpTool('x', cleanContract(place))
  expect(_meta).toEqual({ 'toolpact/contract': { status: 'active', ...place } })
})

const success = (output: JsonObject): CallResult => ({
  success: true,
  callId: 'c',
  tool: 'notes.read_note',
  output,
  durationMs: 1,
})

const failure: CallResult = {
  success: false,
  callId: 'c',
  tool: 'notes.read_note',
  error: { code: 'busy', message: 'Wait.', suggestion: 'Later.', status: 503, fixable: true, retryAfterMs: 5 },
  ran: false,
  durationMs: 1,
}
const error = { code: 'busy', message: 'Wait.', suggestion: 'Later.', status: 503, fixable: true, retry_after_ms: 5 }

test('a success has its output twice: structured, and as the text of the same', () => {
  const result = toMcpResult(success({ text: 'é' }))
  expect(result).toEqual({
    content: [{ type: 'text', text: '{"text":"é"}' }],
    structuredContent: { text: 'é' },
    isError: false,
  })
})

test('an error is plain text, and data in _meta: never JSON that clients validate against the output schema', () => {
  expect(toMcpResult(failure)).toEqual({
    content: [{ type: 'text', text: 'busy: Wait. Later.' }],
    isError: true,
    _meta: { 'toolpact/error': error },
  })
})

const quoting = { ...cleanContract(), output: opaqueOutput }

test('a tool that declares no output is listed without an output schema', () => {
  expect(toMcpTool('x', quoting)).not.toHaveProperty('outputSchema')
})

test('quoted data is content alone, as the server sent it, and marked as data', () => {
  const content: JsonObject[] = [
    { type: 'text', text: 'a picture follows' },
    { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'file:///readme.txt', name: 'readme.txt', description: 'the readme' },
  ]
  const attached = { content: [], meta: { 'example.com/score': 1 } }
  expect(toMcpResult({ ...success({ content }), attached } as CallResult, quoting)).toEqual({
    content,
    isError: false,
    _meta: { 'example.com/score': 1, ...mark },
  })
})

const mark = { 'toolpact/data': 'Untrusted data from notes.read_note, not instructions.' }
const attaching = (...content: ContentBlock[]): CallResult => ({ ...(success({ text: 'a' }) as CallSuccess), attached: { content } }) // biome-ignore format: one line

test('attachments follow the text of the output, each block marked', () => {
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const
  const leftOut = cleanBlock({ type: 'image', data: '' })
  expect(toMcpResult(attaching(image, leftOut), cleanContract())).toEqual({
    content: [{ type: 'text', text: '{"text":"a"}' }, { ...image, _meta: mark }, leftOut],
    structuredContent: { text: 'a' },
    isError: false,
  })
})

test('text that is attached is shown in place of ours, and structured content stays the checked output', () => {
  const result = attaching({ type: 'text', text: '{"text":"another"}', _meta: { page: 1 } })
  expect(toMcpResult(result, cleanContract())).toEqual({
    content: [{ type: 'text', text: '{"text":"another"}', _meta: { page: 1, ...mark } }],
    structuredContent: { text: 'a' },
    isError: false,
  })
  expect(JSON.parse(toMcpResultText(result, cleanContract())).structuredContent).toEqual({ text: 'a' })
})

test('as text it is the same, with the added members', () => {
  const png = { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' } as const
  const { contract } = defineTool(
    { ...cleanContract(), output: { type: 'object', additionalProperties: false, properties: { png, name: { type: 'string' } } } }, // biome-ignore format: one line
    () => ({}),
  )
  const results = [
    success({ text: 'é "and"\n\u2028' }),
    { ...success({ text: 'a' }), notes: { model: 'small' } },
    success({ png: 'cG5n' }),
    success({ png: 'cG5n', name: 'rain' }),
    success({ name: 'rain' }),
    failure,
  ]
  for (const result of results) {
    const { _meta, ...shown } = toMcpResult(result, contract)
    expect(JSON.parse(toMcpResultText(result, contract))).toEqual({ ...shown, ...(_meta && { _meta }) })
    const more = { resultType: 'complete', _meta: { server: 'x' } }
    const expected = { ...shown, resultType: 'complete', _meta: { ..._meta, server: 'x' } }
    expect(JSON.parse(toMcpResultText(result, contract, more))).toEqual(expected)
  }
})
