import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRightsOf } from './apply-config.ts'

const mayUse = (tools: string[], id: string) => toRightsOf({ me: { tools } })({ name: 'me' })!(id)

test.each<[pattern: string, matches: string[], others: string[]]>([
  ['learning.hello', ['learning.hello'], ['learning.hello2', 'xlearning.hello', 'learning', 'Learning.hello']],
  ['learning.*', ['learning.hello', 'learning.a.b', 'learning.'], ['learning', 'learning2.hello', 'x.learning.a']],
  ['*', ['learning.hello', ''], []],
  ['*.read_*', ['workspace.read_file', 'a.b.read_'], ['workspace.unread_file', 'read_file']],
  ['a*a', ['aa', 'aba', 'aaa'], ['a', 'ab', 'ba']],
  ['*ab*ab', ['abab', 'xabxab'], ['ab', 'aab']],
  ['a**b', ['ab', 'axb'], ['a', 'b']],
  ['a.b', ['a.b'], ['axb']],
])('%s lets a caller use what it says', (pattern, matches, others) => {
  expect(matches.filter((id) => !mayUse([pattern], id))).toEqual([])
  expect(others.filter((id) => mayUse([pattern], id))).toEqual([])
})

test('a star matches any characters, whatever the pattern', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 })
  const id = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 })
  fc.assert(
    fc.property(text, id, (pattern, id) => {
      const escaped = pattern.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')
      expect(mayUse([pattern], id)).toBe(new RegExp(`^${escaped}$`, 's').test(id))
    }),
  )
})

test('a pattern of many stars takes no time to speak of', () => {
  expect(mayUse([`${'a*'.repeat(10_000)}b`], 'a'.repeat(100_000))).toBe(false)
})

test('callers without an entry have the rights of *, or all of them if there is none', () => {
  const named = toRightsOf({ ci: { tools: ['a.b'] } })
  expect(named({ name: 'ci' })!('a.c')).toBe(false)
  expect(named({ name: 'other' })).toBeUndefined()
  expect(named({ name: 'constructor' })).toBeUndefined()
  const all = toRightsOf({ ci: { tools: ['a.b'] }, '*': { tools: ['a.c'] } })
  expect(all({ name: 'other' })!('a.c')).toBe(true)
  expect(all({ name: 'other' })!('a.b')).toBe(false)
  expect(all({ name: 'ci' })!('a.c')).toBe(false)
})

test('an entry that only says where to ask leaves the tools as they are', () => {
  const ask = { approval: { ask: 'queue' } } as const
  expect(toRightsOf({ ci: ask })({ name: 'ci' })).toBeUndefined()
  const others = toRightsOf({ ci: ask, '*': { tools: ['a.c'] } })
  expect(others({ name: 'ci' })!('a.c')).toBe(true)
  expect(others({ name: 'ci' })!('a.b')).toBe(false)
})

test('the same rights are the same function, since lists are kept by it', () => {
  const rights = toRightsOf({ one: { tools: ['a.b', 'c.*'] }, two: { tools: ['c.*', 'a.b'] }, '*': { tools: [] } })
  expect(rights({ name: 'one' })).toBe(rights({ name: 'two', session: 'x' }))
  expect(rights({ name: 'x' })).toBe(rights({ name: 'y' }))
  expect(rights({ name: 'x' })).not.toBe(rights({ name: 'one' }))
})
