import { expect, test } from 'vitest'
import { scorePage, scorePages } from './score-pages.ts'

test('words count as often as they occur, in any case and order', () => {
  expect(scorePage({ expected: 'Rain rain go away', found: 'away, go. RAIN!' })).toMatchObject({
    precision: 1,
    recall: 0.75,
  })
  expect(scorePage({ expected: 'rain', found: 'rain rain' })).toMatchObject({ precision: 0.5, recall: 1 })
})

test('nothing is right only where nothing was expected', () => {
  expect(scorePage({ expected: '', found: '' }).f1).toBe(1)
  expect(scorePage({ expected: 'rain', found: '' }).f1).toBe(0)
  expect(scorePage({ expected: '', found: 'rain' }).f1).toBe(0)
})

test('the score of a set is the mean of its pages', () => {
  const pages = [
    { expected: 'rain', found: 'rain' },
    { expected: 'rain', found: 'sun' },
  ]
  expect(scorePages(pages)).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 })
})
