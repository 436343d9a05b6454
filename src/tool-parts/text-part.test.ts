import { expect, test } from 'vitest'
import { takePart } from './text-part.ts'

const take = (text: string, maxLength: number, start = 0) => takePart(text, { start, maxLength })

test.each<[what: string, text: string, maxLength: number, part: string]>([
  ['a paragraph', 'one two\n\nthree\nfour', 12, 'one two\n\n'],
  ['a line', 'one two three\nfour five', 16, 'one two three\n'],
  ['a word', 'one two three four', 15, 'one two three '],
  ['the length, if a word is longer', 'abcdefghijkl', 5, 'abcde'],
  ['the length, if a paragraph would be too short', 'a\n\nbcdefghijkl', 10, 'a\n\nbcdefgh'],
  ['a whole character', 'ab🍵🍵', 3, 'ab'],
  ['a character with its marks', 'abe\u0301\u0302f', 3, 'ab'],
  ['a joined emoji', 'ab👩\u200d🚀', 4, 'ab'],
])('a part ends with %s', (_, text, maxLength, part) => {
  expect(take(text, maxLength)).toEqual({ text: part, nextStart: part.length })
})

test('the last part has no next one, and beyond the text is nothing', () => {
  expect(take('abc', 3)).toEqual({ text: 'abc' })
  expect(takePart('abc', { start: 1 })).toEqual({ text: 'bc' })
  expect(take('abc', 5, 3)).toBeUndefined()
  expect(take('', 5)).toBeUndefined()
})

test('marks without end do not stop the progress', () => {
  expect(take(`e${'\u0301'.repeat(50)}`, 10)).toEqual({ text: `e${'\u0301'.repeat(9)}`, nextStart: 10 })
})
