import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const found: [string, string[], string][] = [
  ['pth', ['path', 'encoding'], 'path'],
  ['encdoing', ['path', 'encoding'], 'encoding'],
  ['PATH', ['path'], 'path'],
  ['max_result', ['max_results', 'min_results'], 'max_results'],
  ['readfile', ['write_file', 'read_file'], 'read_file'],
  ['serach', ['search', 'sea'], 'search'],
  ['limti', ['timit', 'limit'], 'limit'],
]

test.each(found)('%s among %j is meant as %s', (word, choices, expected) => {
  expect(nearest(word, choices)).toBe(expected)
})

const lost: [string, string[]][] = [
  ['', ['a']],
  ['x', ['y']],
  ['ab', ['xy']],
  ['colour', ['path', 'encoding']],
  ['abcdef', ['fedcba']],
  ['path', []],
  ['a'.repeat(1_000_000), ['a'.repeat(1_000_000)]],
]

test.each(lost)('nothing is close to %.20s among %.40j', (word, choices) => {
  expect(nearest(word, choices)).toBeUndefined()
})
