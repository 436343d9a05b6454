import { expect, test } from 'vitest'
import { createNames } from './create-names.ts'

test('a name is read in lower case, the first time and again', () => {
  const html = 'div DIV Div dIv'
  const read = createNames(html)
  expect([0, 4, 8, 12].map((start) => read(start, start + 3))).toEqual(['div', 'div', 'div', 'div'])
})

test('non-ASCII letters are lower-cased correctly, the first time and again', () => {
  const words = ['ÄB', 'äb', 'ÄB', 'İ', 'i̇', 'İ', 'K', 'k', '@', '`', '[', '{']
  const html = words.join(' ')
  const read = createNames(html)
  let start = 0
  for (const word of words) {
    expect(read(start, start + word.length)).toBe(word.toLowerCase())
    start += word.length + 1
  }
})

test('thousands of names are told apart, though the cache holds few', () => {
  const words = Array.from({ length: 3000 }, (_, at) => `x${(at * 7919) % 3000}`)
  const html = words.join(' ')
  const read = createNames(html)
  for (let round = 0; round < 2; round++) {
    let start = 0
    for (const word of words) {
      if (read(start, start + word.length) !== word) expect.fail(`${word} was read as another name`)
      start += word.length + 1
    }
  }
})
