import { expect, test } from 'vitest'
import { valueAt } from '../../contract/schema/json-pointer.ts'
import { chunkSource, findPassage, toSourceText } from './source-text.ts'

const output = {
  title: 'Report',
  empty: ' ',
  tags: ['a', 'b'],
  nested: { 'a/b': { done: true, left: 0, error: null } },
  text: 'One.\n\nTwo.',
}

test('each field has its name, without array indices, and empty values are omitted', () => {
  expect(toSourceText(output).text).toBe(
    'title: Report\n\ntags: a\n\ntags: b\n\ndone: true\n\nleft: 0\n\nerror: null\n\ntext:\nOne.\n\nTwo.',
  )
})

test('a passage maps from the text to the value in the output', () => {
  const { text, passages } = toSourceText(output)
  for (const { pointer, valueStart, end } of passages)
    expect(text.slice(valueStart, end)).toBe(String(valueAt(output, pointer)))
  expect(passages.map(({ pointer }) => pointer)).toContain('/nested/a~1b/left')
})

test('a place between fields is in none', () => {
  const source = toSourceText(output)
  expect(findPassage(source, 0)?.pointer).toBe('/title')
  expect(findPassage(source, 13)).toBeUndefined()
  expect(findPassage(source, 15)?.pointer).toBe('/tags/0')
  expect(findPassage(source, source.text.length - 1)?.pointer).toBe('/text')
  expect(findPassage(source, source.text.length)).toBeUndefined()
})

test('output without text, and very deep output, are no trouble', () => {
  expect(toSourceText({})).toEqual({ text: '', passages: [] })
  const deep = JSON.parse(`${'{"a":'.repeat(2000)}"end"${'}'.repeat(2000)}`)
  expect(toSourceText(deep).text).toBe('a: end')
})

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
