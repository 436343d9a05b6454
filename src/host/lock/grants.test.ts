import { expect, test } from 'vitest'
import { diffIdentities } from './diff-identities.ts'
import { describeGrants, findWider, type GrantedEntry, type Grants, toGrants } from './grants.ts'
import { readLock, writeLock } from './read-lock.ts'
import { toIdentity } from './to-identity.ts'

test.each<[string, GrantedEntry, Grants | undefined]>([
  ['nothing was granted', {}, undefined],
  ['isolation is off', { isolation: 'off', read: ['a'] }, undefined],
  ['it is required', { isolation: 'required' }, { read: [], write: [], network: 'none' }],
  ['an empty list of hosts', { network: [] }, { read: [], write: [], network: 'none' }],
  ['a container', { container: 'node' }, { read: [], write: [], network: 'none' }],
  ['lists are sorted', { read: ['b', 'a'], write: ['d', 'c'], network: ['z', 'y'] }, { read: ['a', 'b'], write: ['c', 'd'], network: ['y', 'z'] }], // biome-ignore format: one line
])('the grants of an entry: %s', (_, entry, grants) => {
  expect(toGrants(entry)).toEqual(grants)
})

const none: Grants = { read: [], write: [], network: 'none' }

test.each<[Grants | undefined, string]>([
  [undefined, 'reads and writes what you can, talks to any host'],
  [none, 'reads nothing of yours, writes nothing, talks to no host'],
  [
    { ...none, read: ['~/notes'], network: ['api.notion.com'] },
    'reads ~/notes, writes nothing, talks to api.notion.com',
  ],
  [{ ...none, write: ['a', 'b'], network: 'any' }, 'reads only what it writes, writes a, b, talks to any host'],
  [{ ...none, read: ['a\u001b[31m'] }, 'reads a\\x1b[31m, writes nothing, talks to no host'],
])('grants in words: %j', (grants, words) => {
  expect(describeGrants(grants)).toBe(words)
})

test.each<[string, Grants | undefined, Grants | undefined, string[]]>([
  ['the same', none, none, []],
  ['confined since', undefined, none, []],
  ['confined no longer', none, undefined, ['it is no longer confined']],
  ['a folder to read', none, { ...none, read: ['a'] }, ['reads a']],
  ['a folder to write that it could read', { ...none, read: ['a'] }, { ...none, write: ['a'] }, ['writes a']],
  ['a folder to read that it could write', { ...none, write: ['a'] }, { ...none, read: ['a'] }, []],
  ['a host', { ...none, network: ['a.b'] }, { ...none, network: ['a.b', 'c.d'] }, ['talks to c.d']],
  ['any host', { ...none, network: ['a.b'] }, { ...none, network: 'any' }, ['talks to any host']],
  ['fewer hosts', { ...none, network: 'any' }, { ...none, network: ['a.b'] }, []],
])('what grants allow in addition: %s', (_, old, next, wider) => {
  expect(findWider(old, next)).toEqual(wider)
})

test('more grants are a change to review, fewer are a note, and the lock keeps them', () => {
  const [narrow, wide] = [{ read: ['~/notes'] }, { read: ['~/notes'], network: ['api.notion.com'] }].map((entry) =>
    toIdentity({ command: 'x', ...entry }),
  )
  expect(diffIdentities(narrow!, narrow!)).toEqual([])
  expect(diffIdentities(narrow!, wide!)).toMatchObject([
    {
      weight: 'replaced',
      message:
        'The server may do more than was accepted: talks to api.notion.com. Accepted was that it reads ~/notes, writes nothing, talks to no host.',
    },
  ])
  expect(diffIdentities(wide!, narrow!)).toMatchObject([{ weight: 'note' }])
  expect(diffIdentities(toIdentity({ command: 'x' }), wide!)).toMatchObject([{ weight: 'note' }])
  const lock = { lockVersion: 1, servers: { notion: { identity: wide!, tools: {} } } } as const
  expect(readLock(Buffer.from(writeLock(lock)))).toEqual(lock)
  const forged = writeLock(lock).replace('"api.notion.com"', '7')
  expect(() => readLock(Buffer.from(forged))).toThrow("has no valid 'read', 'write' and 'network'")
})
