import { expect, test } from 'vitest'
import { findNext } from './find-next.ts'

test('moving stays within the list', () => {
  const ids = ['a', 'b', 'c']
  expect(findNext(ids, 'a', 1, 0)).toBe('b')
  expect(findNext(ids, 'c', 1, 2)).toBe('c')
  expect(findNext(ids, 'a', -1, 0)).toBe('a')
  expect(findNext(ids, null, 1, 0)).toBe('a')
  expect(findNext([], 'a', 1, 0)).toBe(null)
})

test('after a question was answered, the next is the one that took its place', () => {
  expect(findNext(['a', 'c'], 'b', 1, 1)).toBe('c')
  expect(findNext(['a', 'c'], 'b', -1, 1)).toBe('a')
  expect(findNext(['a', 'b'], 'c', 1, 2)).toBe('b')
})
