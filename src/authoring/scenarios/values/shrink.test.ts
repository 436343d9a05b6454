import { expect, test } from 'vitest'
import type { JsonValue } from '../../../contract/json.ts'
import { shrink } from './shrink.ts'

test('irrelevant parts are removed, relevant ones stay', async () => {
  const large: JsonValue = { path: 'some/where!', tags: ['x', 'y', 'bad', 'z'], count: 812, deep: { flag: true } }
  const fails = (value: JsonValue) => JSON.stringify(value).includes('bad') || JSON.stringify(value).includes('!')
  expect(await shrink(large, fails)).toEqual({ tags: ['bad'] })
})

test('numbers shrink towards zero, strings get short and simple', async () => {
  expect(await shrink({ n: 812.5 }, (value) => (value as { n: number }).n > 100)).toEqual({ n: 101 })
  expect(await shrink({ n: -812 }, (value) => (value as { n: number }).n < -5)).toEqual({ n: -6 })
  expect(await shrink('Hello, World', (value) => (value as string).length > 4)).toBe('aaaaa')
  expect(await shrink('one two', (value) => (value as string).includes(' t'))).toBe(' t')
  expect(await shrink(true, () => true)).toBe(false)
  expect(await shrink(null, () => true)).toBe(null)
})

test('it terminates if everything fails', async () => {
  let tries = 0
  const deep = Array.from({ length: 500 }, (_, index) => ({ index, text: 'x'.repeat(50) }))
  await shrink(deep, (value) => {
    tries++
    return Array.isArray(value) && value.length > 400
  })
  expect(tries).toBeLessThanOrEqual(300)
})
