import { expect, test } from 'vitest'
import type { Caller } from '../../contract/tool.ts'
import { toCaller, toRecordedCaller } from './to-caller.ts'

const issuer = 'https://id.example'

test('a caller is copied with what vouches for it, and cannot be changed', () => {
  const given: Caller = { name: 'ada', session: 's', via: 'jwt', issuer, subject: '7', groups: ['ops'], scopes: ['x'], claims: ['a=b'], lacks: { dangerous: 'y' } } // biome-ignore format: one line
  const copy = toCaller(given)
  expect(copy).toEqual(given)
  expect(copy).not.toBe(given)
  for (const part of [copy, copy.groups, copy.scopes, copy.claims, copy.lacks]) expect(Object.isFrozen(part)).toBe(true)
  expect(toCaller({ name: 'cli' })).toEqual({ name: 'cli' })
})

test('a copy is not copied again, and anything else is, frozen or not', () => {
  const copy = toCaller({ name: 'ada', session: 's' })
  expect(toCaller(copy)).toBe(copy)
  const frozen: Caller = Object.freeze({ name: 'ada', groups: ['ops'] })
  expect(toCaller(frozen)).not.toBe(frozen)
  expect(toCaller({ ...copy })).not.toBe(copy)
  expect(toRecordedCaller(copy)).toBe(toRecordedCaller(copy))
})

test.each<[string, unknown, Caller]>([
  ['none', undefined, { name: 'unknown' }],
  ['null', null, { name: 'unknown' }],
  ['a number as its name', { name: 7 }, { name: 'unknown' }],
  ['another way to authenticate', { name: 'a', via: 'magic' }, { name: 'a' }],
  ['groups that are no list', { name: 'a', groups: 'ops' }, { name: 'a', groups: [] }],
  [
    'groups of the wrong type',
    { name: 'a', groups: ['ops', 7, null, 'x\u202e', 'y'.repeat(600)] },
    { name: 'a', groups: ['ops'] },
  ],
  ['an issuer that is no text', { name: 'a', issuer: {}, subject: [] }, { name: 'a' }],
  [
    'a scope that it lacks and that is no text',
    { name: 'a', lacks: { dangerous: 7, other: 'x' } },
    { name: 'a', lacks: { dangerous: '' } },
  ],
])('of a caller with %s only what can be is kept', (_, given, expected) => {
  expect(toCaller(given as Caller)).toEqual(expected)
})

test('very many groups and long texts are bounded', () => {
  const groups = Array.from({ length: 10_000 }, (_, n) => `g${n}`)
  const caller = toCaller({ name: 'x'.repeat(9000), issuer: 'y'.repeat(9000), groups })
  expect([caller.name.length, caller.issuer!.length, caller.groups!.length]).toEqual([512, 512, 200])
  expect(toRecordedCaller(caller).groups).toHaveLength(50)
})

test('the ledger records who vouches for a caller, and neither scopes nor claims', () => {
  const caller = toCaller({ name: 'corp/ada', via: 'jwt', issuer, subject: 'ada', groups: [], scopes: ['x'], claims: ['a=b'], lacks: {} }) // biome-ignore format: one line
  expect(toRecordedCaller(caller)).toEqual({ name: 'corp/ada', via: 'jwt', issuer, subject: 'ada' })
  expect(toRecordedCaller({ name: 'ada', issuer, subject: 'ada' })).toEqual({ name: 'ada', issuer })
  expect(toRecordedCaller({ name: 'ada', session: 's' })).toEqual({ name: 'ada', session: 's' })
  expect(toRecordedCaller(toCaller({ name: 'ada', lacks: { dangerous: 'y' } }))).toEqual({ name: 'ada' })
})
