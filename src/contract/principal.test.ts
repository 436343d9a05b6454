import { expect, test } from 'vitest'
import { isNamed, isWho, toGroups, toPerson } from './principal.ts'

test('the groups of a caller are those of its token and those of the config', () => {
  const groups = { ops: ['ada'], dev: ['ada', 'bob'] }
  expect(toGroups(groups, { name: 'ada', groups: ['ops', 'x'] })).toEqual(['ops', 'x', 'dev'])
  expect(toGroups(groups, { name: 'cy', groups: ['x'] })).toEqual(['x'])
  expect(toGroups(undefined, { name: 'ada' })).toEqual([])
})

test("the operator's own callers are one person, and nobody else is", () => {
  for (const name of ['local', 'cli', 'library', 'stdio', 'agent']) expect(toPerson({ name })).toBe('local')
  for (const name of ['ada', 'public', 'Local', 'corp/cli']) expect(toPerson({ name })).toBe(name)
})

test.each<[string[], { name: string; groups?: string[] }, boolean]>([
  [['ada'], { name: 'ada' }, true],
  [['ada'], { name: 'bob' }, false],
  [['ada'], { name: 'corp/ada' }, false],
  [['bob', 'group:ops'], { name: 'ada', groups: ['ops'] }, true],
  [['group:ops'], { name: 'ada', groups: ['dev'] }, false],
  [['group:ops'], { name: 'group:ops' }, false],
  [['ops'], { name: 'ada', groups: ['ops'] }, false],
  [['local'], { name: 'stdio' }, true],
  [['cli'], { name: 'cli' }, true],
  [['cli'], { name: 'stdio' }, false],
  [[], { name: 'ada' }, false],
])('who %j names the caller %j: %s', (who, caller, expected) => {
  expect(isNamed(who, caller)).toBe(expected)
})

test.each([
  ['ada', true],
  ['group:ops', true],
  ['group:Domain Admins', true],
  ['', false],
  ['group:', false],
  ['*', false],
  ['a\u200bb', false],
  ['a\nb', false],
  ['x'.repeat(513), false],
  [7, false],
])('%j can be in who: %s', (entry, expected) => {
  expect(isWho(entry)).toBe(expected)
})
