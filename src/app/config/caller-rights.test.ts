import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Caller } from '../../contract/tool.ts'
import { findCallerEntries, toNamedClaims, toRightsOf } from './caller-rights.ts'

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

test('the tools of groups and claims are united, and a name overrides them', () => {
  const callers = {
    'group:ops': { tools: ['a.*'] },
    'group:corp/dev': { tools: ['b.x'] },
    'claim:department=it': { tools: ['c.*'] },
    'group:asked': { approval: { ask: 'queue' } },
    ada: { tools: ['d.d'] },
  } as const
  const rights = toRightsOf(callers, { ops: ['bob', 'ada'] })
  const of = (caller: Caller) => ['a.x', 'b.x', 'c.x', 'd.d'].filter((id) => rights(caller)?.(id) ?? true)
  const issuer = 'https://id.example'
  expect(of({ name: 'cy', issuer, groups: ['ops'] })).toEqual(['a.x'])
  expect(of({ name: 'cy', issuer, groups: ['corp/dev', 'ops'], claims: ['department=it'] })).toEqual([
    'a.x',
    'b.x',
    'c.x',
  ])
  expect(of({ name: 'bob', issuer, groups: ['corp/dev'] })).toEqual(['a.x', 'b.x'])
  expect(of({ name: 'ada', issuer, groups: ['corp/dev'] })).toEqual(['d.d'])
  expect(of({ name: 'bob' })).toEqual(['a.x'])
  // Not by its name alone, not by a prefix, and not for whoever belongs to nothing.
  expect(of({ name: 'group:ops', issuer })).toEqual([])
  expect(of({ name: 'cy', issuer, groups: ['dev', 'op', 'ops2', 'asked'], claims: ['department=i'] })).toEqual([])
  expect(of({ name: 'cli' })).toEqual(['a.x', 'b.x', 'c.x', 'd.d'])
  const same = { name: 'x', issuer, groups: ['ops', 'corp/dev'] }
  expect(rights(same)).toBe(rights({ ...same, name: 'y', groups: ['corp/dev', 'ops'] }))
  const withAny = toRightsOf({ ...callers, '*': { tools: ['b.x'] } })
  expect(withAny({ name: 'cy', issuer })!('b.x')).toBe(true)
  expect(withAny({ name: 'cy', issuer, groups: ['ops'] })!('b.x')).toBe(false)
})

test('where a caller is asked follows its name, then its groups in the order of the config, then any caller', () => {
  const ask = (place: 'queue' | 'client' | 'both' | 'console') => ({ approval: { ask: place } })
  const callers = { '*': ask('client'), 'group:b': ask('queue'), 'group:a': ask('both'), ada: ask('console') }
  const first = (caller: Caller) => findCallerEntries({ callers }, caller)[0]?.approval?.ask
  expect(first({ name: 'ada', groups: ['a'] })).toBe('console')
  expect(first({ name: 'bob', groups: ['a', 'b'] })).toBe('queue')
  expect(first({ name: 'bob' })).toBe('client')
  expect(findCallerEntries({}, { name: 'bob' })).toEqual([])
})

test('the claims that the config names are known, as the same array until it changes', () => {
  const config = { callers: { 'claim:a=b=c': {}, 'claim:x/y=1': {}, ada: {} } }
  expect(toNamedClaims(config)).toEqual(['a=b=c', 'x/y=1'])
  expect(toNamedClaims(config)).toBe(toNamedClaims({ callers: config.callers }))
  expect(toNamedClaims({})).toBe(toNamedClaims({}))
})
