import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundJson } from './bound-json.ts'

const limits = { maxBytes: 10_000, maxDepth: 20 }

test('copies plain JSON and counts the bytes of its text', () => {
  const value = { a: [1, -2.5, 1e21, true, false, null], 'b"\n': 'é€😀', c: {}, d: [], e: [[]], f: 999, g: 1000 }
  const result = boundJson(value, limits)
  expect(result).toEqual({ ok: true, value, bytes: Buffer.byteLength(JSON.stringify(value)) })
})

test('agrees with JSON.stringify on every JSON value', () => {
  const wellFormed = fc
    .jsonValue({ stringUnit: 'binary' })
    .filter((value) => !JSON.stringify(value).includes('__proto__'))
  const check = fc.property(wellFormed, (value) => {
    const result = boundJson(value, { maxBytes: 1_000_000, maxDepth: 100 })
    const text = JSON.stringify(value)
    expect(result).toEqual({ ok: true, value: JSON.parse(text), bytes: Buffer.byteLength(text) })
  })
  fc.assert(check, { seed: 7, numRuns: 1000 })
})

test('returns a copy that later changes to the original do not affect', () => {
  const value = { list: [{ deep: 1 }] }
  const result = boundJson(value, limits)
  value.list[0]!.deep = 2
  value.list.push({ deep: 3 })
  expect(result).toMatchObject({ value: { list: [{ deep: 1 }] } })
})

test('drops a property whose value is undefined, as JSON.stringify does', () => {
  expect(boundJson({ a: undefined, b: 1 }, limits)).toEqual({ ok: true, value: { b: 1 }, bytes: 7 })
})

test('gives plain objects for objects without a prototype', () => {
  const bare = Object.assign(Object.create(null), { a: 1 })
  const result = boundJson(bare, limits)
  expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype)
})

test('turns minus zero into zero, as JSON text would', () => {
  const result = boundJson([-0], limits)
  expect(result.ok && Object.is((result.value as number[])[0], 0)).toBe(true)
})

const trap = new Proxy({}, { ownKeys: () => { throw new Error('secret') } }) // biome-ignore format: one line says it
const getter = Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })
const getterInArray = Object.defineProperty([1], 0, { get: () => 1 })
const notJson: [string, unknown, string][] = [
  ['undefined', undefined, ''],
  ['undefined in a list', { a: [undefined] }, '/a/0'],
  ['a hole in a list', new Array(2), '/0'],
  ['a function', { a: () => 1 }, '/a'],
  ['a symbol', [Symbol('s')], '/0'],
  ['a BigInt', { a: { b: 1n } }, '/a/b'],
  ['NaN', [Number.NaN], '/0'],
  ['Infinity', { 'x/y~z': Number.POSITIVE_INFINITY }, '/x~1y~0z'],
  ['a date', { when: new Date(0) }, '/when'],
  ['a map', new Map(), ''],
  ['a boxed string', [Object('x')], '/0'],
  ['an array of a subclass', new (class extends Array {})(), ''],
  ['a getter', getter, '/a'],
  ['a getter in a list', getterInArray, '/0'],
  ['a lone surrogate', { a: 'x\ud800' }, '/a'],
  ['a lone surrogate in a key', { '\udc00': 1 }, '/\udc00'],
  ['the key __proto__', JSON.parse('{"a":{"__proto__":{"admin":true}}}'), '/a/__proto__'],
  ['a proxy that throws', { a: trap }, '/a'],
]

test.each(notJson)('refuses %s and says where', (_, value, pointer) => {
  const result = boundJson(value, limits)
  expect(result).toMatchObject({ ok: false, reason: 'not_json', pointer })
  expect(!result.ok && result.message).toMatch(/Send plain JSON\.$/)
  expect(JSON.stringify(result)).not.toContain('secret')
})

test('reports a cycle as a cycle, not as too deep', () => {
  const value: Record<string, unknown> = { a: {} }
  value.a = [value]
  expect(boundJson(value, limits)).toMatchObject({
    reason: 'not_json',
    message: expect.stringContaining('contains itself'),
  })
})

test('allows exactly the depth of the limit', () => {
  const nest = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
  expect(boundJson(nest(20), limits).ok).toBe(true)
  expect(boundJson(nest(21), limits)).toMatchObject({ reason: 'too_deep', pointer: '/0'.repeat(20) })
  expect(boundJson(nest(100_000), limits)).toMatchObject({ reason: 'too_deep' })
})

test('allows exactly the bytes of the limit', () => {
  expect(boundJson('é'.repeat(4), { maxBytes: 10, maxDepth: 1 })).toMatchObject({ ok: true, bytes: 10 })
  expect(boundJson('é'.repeat(4), { maxBytes: 9, maxDepth: 1 })).toMatchObject({ reason: 'too_large' })
})

test('stops early on shared objects that expand to many', () => {
  let laughs: unknown = 'ha'
  for (let level = 0; level < 30; level++) laughs = [laughs, laughs, laughs, laughs]
  expect(boundJson(laughs, { maxBytes: 100_000, maxDepth: 64 })).toMatchObject({ reason: 'too_large' })
  expect(boundJson(new Array(4e9), limits)).toMatchObject({ ok: false })
})
