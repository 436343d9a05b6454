import { expect, test } from 'vitest'
import { isSame, scoreMetadata } from './score-metadata.ts'

test('titles are the same whatever their case, quotes and dashes', () => {
  expect(isSame('title', '“Yes” – she said', '"Yes" - She said')).toBe(true)
  expect(isSame('title', 'Yes', 'Yes | The Site')).toBe(false)
})

test('names are the same however they are joined, in their order', () => {
  expect(isSame('author', 'Ada Lovelace und Alan Turing', 'Ada Lovelace, Alan Turing')).toBe(true)
  expect(isSame('author', 'By ADA LOVELACE', 'Ada Lovelace')).toBe(true)
  expect(isSame('author', 'Ada Lovelace', 'Ada')).toBe(false)
})

test('dates are the same if their day is, as it is written', () => {
  expect(isSame('date', '2022-11-01', '2022-11-01T23:30:00-05:00')).toBe(true)
  expect(isSame('date', '2022-11-1', '2022-11-01')).toBe(true)
  expect(isSame('date', '2022-11-01', '2022-11-02')).toBe(false)
  expect(isSame('date', '2022-11-01', 'Tue, 01 Nov 2022 12:00:00 GMT')).toBe(true)
})

test('what was not found is not right', () => {
  for (const found of [null, undefined, '', ' ']) expect(isSame('date', '2022-11-01', found)).toBe(false)
})

test('shares count pages that have one, inventions pages known to have none, and other pages neither', () => {
  const none = { title: '', author: '', date: '' }
  const pages = [
    { expected: { ...none, author: 'Ada' }, found: { author: 'Ada' } },
    { expected: { ...none, author: 'Ada' }, found: { author: 'admin' } },
    { expected: none, found: { author: 'Ada' } },
    { expected: none, found: { author: null } },
    { expected: undefined, found: { author: 'Ada' } },
  ]
  expect(scoreMetadata(pages, 'author')).toEqual({ right: 0.5, invented: 990 / 5 })
  expect(scoreMetadata(pages, 'date')).toEqual({ right: 0, invented: 0 })
})
