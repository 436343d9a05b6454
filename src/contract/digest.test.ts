import { expect, test } from 'vitest'
import { defineTool } from './define-tool.ts'
import { digest } from './digest.ts'
import type { JsonObject } from './json.ts'

test('a digest is SHA-256 over the canonical text', () => {
  // printf '{"a":1,"b":"x"}' | sha256sum
  expect(digest({ b: 'x', a: 1 })).toBe('sha256:ecf9e98ec0641e23113ff3ce8bdc78d0ddd249886517fd4a7f68cc83d4e65667')
})

test('the order of keys does not change a digest, a value does', () => {
  expect(digest({ a: 1, b: 'x' })).toBe(digest({ b: 'x', a: 1 }))
  expect(digest({ a: 1, b: 'x' })).not.toBe(digest({ a: 2, b: 'x' }))
})

test('a contract without transport and endpoint has the digest that it had before there were such fields', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false } as const
  const source = {
    name: 'a',
    description: 'Does nothing at all.',
    risk: 'read_only',
    input: schema,
    output: schema,
  } as const
  const known = { approval: 'never', effects: {}, errors: [], examples: [], limits: { inputBytes: 1_048_576, outputBytes: 1_048_576, timeoutMs: 60_000 }, status: 'active', title: 'A', version: '1.0.0' } // biome-ignore format: one line
  expect(digest(defineTool(source, () => ({})).contract)).toBe(digest({ ...source, ...known } as JsonObject))
  const reached = defineTool({ ...source, endpoint: 'notes' }, () => ({})).contract
  expect(digest(reached)).not.toBe(digest(defineTool(source, () => ({})).contract))
})

test('a value that changed after its digest was taken gets a new digest', () => {
  const value = { list: [1] }
  const before = digest(value)
  value.list.push(2)
  expect(digest(value)).not.toBe(before)
})

test('the digest of a shallowly frozen value is not cached', () => {
  const value = Object.freeze({ list: [1] })
  const before = digest(value)
  value.list.push(2)
  expect(digest(value)).not.toBe(before)
})

test('the digest of a deeply frozen value is cached', () => {
  const value = Object.freeze({ list: Object.freeze([1]) as number[] })
  expect(digest(value)).toBe(digest(value))
  expect(digest(value)).toBe(digest({ list: [1] }))
})
