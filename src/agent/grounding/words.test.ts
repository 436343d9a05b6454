import { expect, test } from 'vitest'
import { isKin } from './words.ts'

test.each([
  ['rise', 'rise'],
  ['report', 'reported'],
  ['release', 'releases'],
  ['develop', 'development'],
])('%s and %s are forms of one word', (one, other) => {
  expect(isKin(one, other)).toBe(true)
  expect(isKin(other, one)).toBe(true)
})

test.each([
  ['internet', 'international'],
  ['car', 'cart'],
  ['form', 'formidable'],
  ['rise', 'fall'],
])('%s and %s are two words', (one, other) => {
  expect(isKin(one, other)).toBe(false)
  expect(isKin(other, one)).toBe(false)
})
