import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readIncoming } from './read-incoming.ts'

function read(text: string) {
  return readIncoming(Buffer.from(text), 10_000)
}

test('results, errors, requests and notifications are distinguished', () => {
  expect(read('{"jsonrpc":"2.0","id":1,"result":null}')).toEqual([{ kind: 'result', id: 1, result: null }])
  expect(read('{"jsonrpc":"2.0","id":1,"result":{},"error":null}')).toEqual([{ kind: 'result', id: 1, result: {} }])
  const error = { code: -1, message: 'no' }
  expect(read(`{"jsonrpc":"2.0","id":null,"error":${JSON.stringify(error)}}`)).toEqual([
    { kind: 'error', id: undefined, error },
  ])
  expect(read('{"jsonrpc":"2.0","id":"a","method":"ping"}')).toEqual([
    { kind: 'request', id: 'a', method: 'ping', params: {} },
  ])
  expect(read('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":2,"result":1}]')).toEqual([
    { kind: 'notification', method: 'a', params: {} },
    { kind: 'result', id: 2, result: 1 },
  ])
})

test('an answer that other readers would see is broken, and belongs to its id unless that is in doubt', () => {
  for (const [text, id] of [
    ['{"jsonrpc":"2.0","id":3,"result":{"a":1,"a":2}}', 3],
    ['{"jsonrpc":"2.0","id":3,"result":{"__proto__":1}}', 3],
    ['{"jsonrpc":"2.0","id":3,"result":"\\ud800"}', 3],
    [`{"jsonrpc":"2.0","id":3,"result":${'['.repeat(200)}${']'.repeat(200)}}`, 3],
    ['{"jsonrpc":"2.0","id":3,"Result":1}', 3],
    ['{"id":3,"result":1}', 3],
    ['{"jsonrpc":"2.0","id":3,"id":4,"result":1}', undefined],
    ['{"jsonrpc":"2.0","id":3,"result":1,"result":2}', 3],
    ['{"jsonrpc":"2.0","id":1.5,"result":1}', undefined],
    ['{"jsonrpc":"2.0","id":3,"result":', undefined],
  ] as const) {
    const [incoming, ...others] = read(text)
    expect([incoming?.kind, (incoming as { id?: unknown }).id, others], text).toEqual(['broken', id, []])
  }
})

test('text that is not a message is noise', () => {
  for (const text of ['{}', '[]', '[1', 'null', '{"level":"info","id":1}', '{"a":1,"a":2}', 'jsonrpc', '{"method":"x"}', '{"jsonrpc":"2.0","method":"a","params":[1]}', '{"jsonrpc":"2.0","METHOD":"a","method":"b"}', '']) // biome-ignore format: one line
    expect(
      read(text).filter(({ kind }) => kind !== 'noise'),
      text,
    ).toEqual([])
})

test('no bytes make it throw', () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', '"jsonrpc"', ':', '"2.0"', ',', '"id"', '1', '"result"', '"error"', 'null', '\\', '"') // biome-ignore format: one line
  fc.assert(fc.property(fc.array(pieces), (parts) => void read(parts.join(''))))
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void readIncoming(bytes, 10_000)))
})
