import { expect, test } from 'vitest'
import { countSegments, scoreSegments } from './score-segments.ts'

const page = { with: ['the first piece', 'the second piece'], without: ['Read more', 'Cookies'] }

test('a piece is found whatever the white space in it', () => {
  const found = 'Here is the  first\npiece. And the second\u00a0piece.'
  expect(countSegments({ ...page, found })).toEqual({ truePositives: 2, falsePositives: 0, falseNegatives: 0 })
})

test('what should not be there counts against precision, what is missing against recall', () => {
  const found = 'the first piece. Read more'
  expect(countSegments({ ...page, found })).toEqual({ truePositives: 1, falsePositives: 1, falseNegatives: 1 })
  expect(scoreSegments([{ ...page, found }])).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 })
})

test('pieces are counted over all pages, so that a page with many weighs more', () => {
  const large = { with: ['one', 'two', 'three'], without: [], found: 'one two three' }
  expect(scoreSegments([large, { with: ['four'], without: [], found: '' }]).recall).toBe(0.75)
})

test('nothing found scores nothing', () => {
  expect(scoreSegments([{ ...page, found: '' }])).toEqual({ precision: 0, recall: 0, f1: 0 })
})
