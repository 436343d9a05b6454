import { expect, test } from 'vitest'
import { toSettings } from './option-values.ts'

test.each<[word: string, settings: object]>([
  ['web-fetch.robots=false', { 'web-fetch': { robots: false } }],
  ['notes.count=5', { notes: { count: 5 } }],
  ['notes.folder=my notes', { notes: { folder: 'my notes' } }],
  ['notes.folder="5"', { notes: { folder: '5' } }],
  ['notes.folder=', { notes: { folder: '' } }],
  ['notes.query=a=b', { notes: { query: 'a=b' } }],
  ['notes.list=["a","b"]', { notes: { list: ['a', 'b'] } }],
  ['notes.nothing=null', { notes: { nothing: null } }],
  ['web-fetch.search.url=http://127.0.0.1', { 'web-fetch': { search: { url: 'http://127.0.0.1' } } }],
])('%s', (word, settings) => {
  expect(toSettings([word])).toEqual(settings)
})

test('several settings come together, and the last one of a name counts', () => {
  expect(toSettings(['a.b.c=1', 'a.b.d=2', 'e.f=3', 'a.b.c=4'])).toEqual({ a: { b: { c: 4, d: 2 } }, e: { f: 3 } })
})

test('they come over settings that a program brings', () => {
  const base = { a: { b: { c: 1, d: 2 } } }
  expect(toSettings(['a.b.c=3'], base)).toEqual({ a: { b: { c: 3, d: 2 } } })
  expect(base).toEqual({ a: { b: { c: 1, d: 2 } } })
})

test.each(['rulesOnly', 'rulesOnly=true', 'notes=5', '.a=1', 'notes.=1', 'notes..a=1', '=1'])(
  '%s is no setting of a toolset',
  (word) => {
    expect(() => toSettings([word])).toThrow('is not of the form TOOLSET.KEY=VALUE')
  },
)

test('a value that is no object has no settings inside', () => {
  expect(() => toSettings(['a.b=1', 'a.b.c=2'])).toThrow("another --set has given 'b' a value")
  expect(() => toSettings(['a.__proto__.b=1'])).toThrow('cannot be a setting')
  expect(toSettings(['a.constructor.b=1'])).toEqual({ a: { constructor: { b: 1 } } })
})
