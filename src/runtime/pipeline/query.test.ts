import { expect, test } from 'vitest'
import { startQuery } from './query.ts'

test('a query is taken once', () => {
  const query = startQuery()
  expect([query.take(), query.take(), query.take()]).toEqual([true, false, false])
})

test('queries have ids of their own, or the one given', () => {
  expect(startQuery().id).not.toBe(startQuery().id)
  expect(startQuery('q1').id).toBe('q1')
})
