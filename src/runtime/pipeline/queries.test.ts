import { expect, test } from 'vitest'
import { publicCaller } from '../../contract/public-access.ts'
import { createQueries, startQuery } from './queries.ts'

const ada = { name: 'ada' }

test('an id names the same query to the same caller, in whichever session', () => {
  const queries = createQueries()
  expect(queries.find('q', ada)).toBe(queries.find('q', { name: 'ada', session: 's' }))
  expect(queries.find('q', ada).id).toBe('q')
  expect(queries.find('q', ada)).not.toBe(queries.find('p', ada))
})

test('callers have queries of their own, whatever they call themselves and them', () => {
  const queries = createQueries()
  const all = [
    ['q', 'ada'],
    ['q', 'eve'],
    ['ada', 'q'],
    ['a","q', 'b'],
    ['q', 'b","a'],
    ['q"', 'b'],
  ].map(([id, name]) => queries.find(id!, { name: name! }))
  expect(new Set(all).size).toBe(all.length)
})

test('a query expires without use, and using it keeps it', () => {
  let at = 0
  const queries = createQueries({ keepMs: 100, now: () => at })
  const query = queries.find('q', ada)
  const other = queries.find('other', ada)
  at = 99
  expect(queries.find('q', ada)).toBe(query)
  at = 198
  expect(queries.find('q', ada)).toBe(query)
  expect(queries.find('other', ada)).not.toBe(other)
  at = 298
  expect(queries.find('q', ada)).not.toBe(query)
})

test('where there are too many, the one that was not named for longest makes room', () => {
  const queries = createQueries({ max: 2 })
  const [first, second] = [queries.find('1', ada), queries.find('2', ada)]
  expect(queries.find('1', ada)).toBe(first)
  const third = queries.find('3', ada)
  expect(queries.find('1', ada)).toBe(first)
  expect(queries.find('3', ada)).toBe(third)
  expect(queries.find('2', ada)).not.toBe(second)
})

test('queries of requests without a token make no room for themselves among those of others', () => {
  const queries = createQueries({ max: 2 })
  const own = queries.find('1', ada)
  for (const id of ['1', '2', '3', '4']) queries.find(id, publicCaller)
  expect(queries.find('1', ada)).toBe(own)
})

test('a query is taken once', () => {
  const query = startQuery()
  expect([query.take(), query.take(), query.take()]).toEqual([true, false, false])
})

test('queries have ids of their own, or the one given', () => {
  expect(startQuery().id).not.toBe(startQuery().id)
  expect(startQuery('q1').id).toBe('q1')
})
