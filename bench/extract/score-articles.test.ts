import { expect, test } from 'vitest'
import { scoreArticle, scoreArticles } from './score-articles.ts'

test('an exact match scores one, whatever separates its words', () => {
  expect(scoreArticle({ expected: 'one two three, four five', found: 'one\n\ntwo three – four. five!' }).f1).toBe(1)
})

test('case counts', () => {
  expect(scoreArticle({ expected: 'one two three four', found: 'One two three four' }).f1).toBe(0)
})

test('precision falls with what is too much and recall with what is missing', () => {
  const tooMuch = scoreArticle({ expected: 'a b c d', found: 'a b c d e' })
  expect(tooMuch).toMatchObject({ precision: 0.5, recall: 1 })
  const missing = scoreArticle({ expected: 'a b c d e', found: 'a b c d' })
  expect(missing).toMatchObject({ precision: 1, recall: 0.5 })
})

test('words in a row that come twice count twice', () => {
  expect(scoreArticle({ expected: 'a a a a a', found: 'a a a a' }).recall).toBe(0.5)
})

test('a text of fewer than four words is one piece', () => {
  expect(scoreArticle({ expected: 'a b', found: 'a b' }).f1).toBe(1)
  expect(scoreArticle({ expected: 'a b', found: 'a' }).f1).toBe(0)
})

test('nothing found is right only where there is nothing', () => {
  expect(scoreArticle({ expected: 'a b c d', found: '' })).toEqual({ precision: 0, recall: 0, f1: 0 })
  expect(scoreArticle({ expected: '', found: '' }).f1).toBe(1)
})

test('letters of every script make words', () => {
  expect(scoreArticle({ expected: 'Über Москва 東京 naïve', found: 'Über Москва 東京 naïve' }).f1).toBe(1)
  expect(scoreArticle({ expected: 'Über Москва 東京 naïve', found: 'ber' }).f1).toBe(0)
})

test('F1 of a set is that of the averages', () => {
  const pages = [
    { expected: 'a b c d', found: 'a b c d' },
    { expected: 'a b c d', found: 'a b c d e' },
  ]
  expect(scoreArticles(pages)).toEqual({ precision: 0.75, recall: 1, f1: (2 * 0.75) / 1.75 })
})
