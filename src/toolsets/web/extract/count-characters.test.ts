import { expect, test } from 'vitest'
import { countCharacters, maxCounted } from './count-characters.ts'

test('words, signs and letters are counted', () => {
  expect(countCharacters('It is 12:30, and the "Größe" of Ärzte matters… Really? Home » News')).toEqual({
    words: 13,
    shortWords: 4,
    capitals: 6,
    digits: 4,
    commas: 1,
    stops: 2,
    marks: 1,
  })
})

test('a text without spaces is one word, an empty text has none', () => {
  expect(countCharacters('世界。')).toMatchObject({ words: 1, stops: 1 })
  expect(countCharacters('')).toMatchObject({ words: 0, capitals: 0 })
})

test('a period inside a word or a number does not end a sentence', () => {
  expect(countCharacters('node.js 1.5 e.g.').stops).toBe(1)
})

test('counting stops in a very long text', () => {
  expect(countCharacters('A '.repeat(maxCounted)).capitals).toBe(maxCounted / 2)
})
