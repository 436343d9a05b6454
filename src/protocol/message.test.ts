import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessages } from './message.ts'

const read = (text: string) => readMessages(Buffer.from(text))

test('requests, notifications and responses are distinguished', () => {
  expect(read('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toEqual({
    kind: 'request',
    id: 1,
    method: 'ping',
    params: {},
  })
  expect(read('{"jsonrpc":"2.0","method":"n","params":{"a":1}}')).toEqual({
    kind: 'notification',
    method: 'n',
    params: { a: 1 },
  })
  expect(read('{"jsonrpc":"2.0","id":"a","result":null}')).toEqual({ kind: 'response', id: 'a', result: null })
  expect(read('{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"x"}}')).toEqual({ kind: 'response', id: 'a' })
})

test('text that is not JSON is a parse error, and JSON that is not a message an invalid request', () => {
  expect(read('{"jsonrpc"')).toMatchObject({ kind: 'invalid', code: -32700 })
  expect(read('')).toMatchObject({ kind: 'invalid', code: -32700 })
  expect(readMessages(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ kind: 'invalid', code: -32700 })
  for (const text of ['1', 'null', '"x"', '{}', '{"jsonrpc":"1.0","id":1,"method":"x"}', '{"jsonrpc":"2.0","id":1}'])
    expect(read(text), text).toMatchObject({ kind: 'invalid', code: -32600 })
})

test('an invalid message is answered under its id where it has one', () => {
  expect(read('{"jsonrpc":"2.0","id":7,"method":"x","params":[1]}')).toMatchObject({ kind: 'invalid', id: 7 })
  expect(read('{"jsonrpc":"2.0","id":7,"method":5}')).toMatchObject({ kind: 'invalid', id: 7 })
  expect(read('{"jsonrpc":"2.0","result":{}}')).not.toHaveProperty('id')
})

test('an id is a string or an integer', () => {
  for (const id of ['null', '1.5', 'true', '{}', '[1]', '1e300', JSON.stringify('x'.repeat(1001))])
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"x"}`), id).toMatchObject({ kind: 'invalid' })
})

test('keys that are there twice, or differ from ours in case alone, are refused', () => {
  expect(read('{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}')).toMatchObject({ kind: 'invalid', code: -32600 })
  expect(read('{"jsonrpc":"2.0","id":1,"method":"a","\\u006dethod":"b"}')).toMatchObject({ kind: 'invalid' })
  expect(read('{"jsonrpc":"2.0","id":1,"method":"a","Method":"b"}')).toMatchObject({
    kind: 'invalid',
    id: 1,
    message: 'There is no "Method". Write "method".',
  })
  expect(read('{"jsonrpc":"2.0","id":1,"method":"a","PARAMS":{}}')).toMatchObject({ kind: 'invalid' })
  expect(read('{"jsonrpc":"2.0","id":1,"method":"a","trace":1}')).toMatchObject({ kind: 'request' })
})

test('an array is read as a batch of bounded length', () => {
  expect(read('[{"jsonrpc":"2.0","id":1,"method":"a"},5]')).toMatchObject([{ kind: 'request' }, { kind: 'invalid' }])
  expect(read('[]')).toMatchObject({ kind: 'invalid' })
  expect(read(`[${Array(101).fill('{}')}]`)).toMatchObject({ kind: 'invalid' })
})

test('a message that is nested too deeply is refused, and an input at its limit is not', () => {
  const nested = (depth: number) =>
    read(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":${'['.repeat(depth)}${']'.repeat(depth)}}}`)
  expect(nested(64)).toMatchObject({ kind: 'request' })
  expect(nested(100)).toMatchObject({ kind: 'invalid' })
})

test('no bytes make the reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (bytes) => {
      const read = readMessages(bytes)
      for (const message of Array.isArray(read) ? read : [read])
        expect(['request', 'notification', 'response', 'invalid']).toContain(message.kind)
    }),
    { numRuns: 1000 },
  )
})
