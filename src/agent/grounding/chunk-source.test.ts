import { expect, test } from 'vitest'
import { chunkSource } from './chunk-source.ts'

function cut(text: string, most: number): string[] {
  return chunkSource({ text }, most).map(({ start, end }) => text.slice(start, end))
}

test('a short source is one part, and an empty one none', () => {
  expect(cut('One. Two.', 100)).toEqual(['One. Two.'])
  expect(cut(' \n ', 100)).toEqual([])
})

test('parts end between paragraphs, else lines, sentences, words, and only then anywhere', () => {
  expect(cut('Alpha one.\n\nBeta two.\n\nGamma.', 24)).toEqual(['Alpha one.\n\nBeta two.\n\n', 'Gamma.'])
  expect(cut('alpha one\nbeta two\ngamma', 20)).toEqual(['alpha one\nbeta two\n', 'gamma'])
  expect(cut('Alpha one. Beta two. Gamma three.', 22)).toEqual(['Alpha one. Beta two.', ' Gamma three.'])
  expect(cut('alpha beta gamma', 12)).toEqual(['alpha beta ', 'gamma'])
  expect(cut('x'.repeat(25), 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
})

test('nothing is lost, nothing comes twice, no character is cut', () => {
  for (const text of ['😀'.repeat(501), 'word '.repeat(999), `${'a'.repeat(700)}\n\n${'b. '.repeat(700)}`]) {
    const parts = cut(text, 501)
    expect(parts.join('')).toBe(text)
    expect(parts.every((part) => part.length <= 501 && part.isWellFormed())).toBe(true)
  }
})
