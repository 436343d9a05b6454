import { expect, test } from 'vitest'
import { ReadCache } from './read-cache.ts'

const result = (text: string, more: object = {}) => ({ contents: [{ uri: 'a://b', text }], ttlMs: 60_000, ...more })

test('only what has a time is kept, and for its caller unless it is public', () => {
  const cache = new ReadCache()
  for (const ttlMs of [0, -1, Number.NaN, '60', undefined, null])
    cache.keep('a://b', 'ada', result('x', { ttlMs }) as never)
  cache.keep('a://b', 'ada', 'no object')
  expect(cache.find('a://b', 'ada')).toBeUndefined()
  cache.keep('a://b', 'ada', result('x'))
  expect(cache.find('a://b', 'ada')).toMatchObject({ contents: [{ text: 'x' }] })
  expect(cache.find('a://b', 'bob')).toBeUndefined()
  cache.keep('a://c', 'ada', result('y', { cacheScope: 'public' }))
  expect(cache.find('a://c', 'bob')).toMatchObject({ contents: [{ text: 'y' }] })
})

test('a time that the server makes too long is shortened', () => {
  const cache = new ReadCache()
  cache.keep('a://b', '', result('x', { ttlMs: Number.MAX_VALUE }))
  expect(cache.find('a://b', '')?.ttlMs).toBeLessThanOrEqual(3_600_000)
})

test('the oldest are dropped above a limit of number and of size, and what is too large is not kept', () => {
  const cache = new ReadCache()
  for (let index = 0; index < 250; index++) cache.keep(`a://${index}`, '', result('x'))
  expect(cache.find('a://0', '')).toBeUndefined()
  expect(cache.find('a://249', '')).toBeDefined()
  const large = 'x'.repeat(4_000_000)
  for (let index = 0; index < 6; index++) cache.keep(`large://${index}`, '', result(large))
  expect(cache.find('large://0', '')).toBeUndefined()
  expect(cache.find('large://5', '')).toBeDefined()
  cache.keep('huge://', '', result('x'.repeat(5_000_000)))
  expect(cache.find('huge://', '')).toBeUndefined()
})

test('a change forgets a resource for every caller', () => {
  const cache = new ReadCache()
  for (const owner of ['ada', 'bob']) cache.keep('a://b', owner, result(owner))
  cache.keep('a://c', 'ada', result('kept'))
  const { version } = cache
  cache.forget('a://b')
  expect(cache.version).toBeGreaterThan(version)
  expect([cache.find('a://b', 'ada'), cache.find('a://b', 'bob')]).toEqual([undefined, undefined])
  expect(cache.find('a://c', 'ada')).toBeDefined()
  cache.clear()
  expect(cache.find('a://c', 'ada')).toBeUndefined()
})
