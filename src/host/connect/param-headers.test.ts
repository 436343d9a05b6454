import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { decodeHeader } from '../../surfaces/mcp/http-headers.ts'
import { encodeHeader, findParamHeaders, toParamHeaders } from './param-headers.ts'

function find(properties: JsonValue, more = {}) {
  return findParamHeaders({ type: 'object', properties, ...more })
}

const region = { type: 'string', 'x-mcp-header': 'Region' }

test('headers are found at properties, however deep, and their values read there', () => {
  const wanted = find({
    region,
    inner: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
  })
  expect(wanted).toEqual([
    { header: 'mcp-param-region', path: ['region'] },
    { header: 'mcp-param-on', path: ['inner', 'on'] },
  ])
  const headers = (input: { [name: string]: JsonValue }) => toParamHeaders(wanted as never, input)
  expect(headers({ region: 'eu', inner: { on: false } })).toEqual({ 'mcp-param-region': 'eu', 'mcp-param-on': 'false' })
  expect(headers({ region: null, inner: 'text' } as never)).toEqual({})
  expect(toParamHeaders([{ header: 'h', path: ['toString', 'name'] }], {})).toEqual({})
})

test.each<[string, ReturnType<typeof find>]>([
  ['no name', find({ a: { type: 'string', 'x-mcp-header': '' } })],
  ['no text', find({ a: { type: 'string', 'x-mcp-header': 1 } })],
  ['a break', find({ a: { type: 'string', 'x-mcp-header': 'a\r\nb' } })],
  ['a number', find({ a: { type: 'number', 'x-mcp-header': 'A' } })],
  ['several types', find({ a: { type: ['string', 'null'], 'x-mcp-header': 'A' } })],
  ['twice', find({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } })],
  ['in a list', find({ a: { type: 'array', items: region } })],
  ['in a choice', find({ a: { anyOf: [region] } })],
  ['in a definition', find({ a: { $ref: '#/$defs/a' } }, { $defs: { a: region } })],
  ['at the root', find({}, { 'x-mcp-header': 'A' })],
])('a header that is not allowed is a fault of the tool: %s', (_name, found) => {
  expect(found).toEqual(expect.any(String))
})

test('text that only looks like a header is not one', () => {
  expect(find({ 'x-mcp-header': { type: 'string' } })).toEqual([])
  expect(find({ a: { const: { 'x-mcp-header': 1 }, examples: [region], default: region } })).toEqual([])
  expect([findParamHeaders(undefined), findParamHeaders(true), findParamHeaders({ properties: [] })]).toEqual([
    [],
    [],
    [],
  ])
})

test('every text survives a header, and none can end it', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('=?base64?YQ==?=', ' a', 'a\r\nB: c')),
      (value) => {
        const header = encodeHeader(value)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        expect(header.trim()).toBe(header)
        expect(decodeHeader(header)).toBe(value.toWellFormed())
      },
    ),
  )
})
