import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { addGrants, type GrantMembers, removeGrants } from './change-grants.ts'

const toPath = (written: string) => resolve('/work', written.replace(/^~(?=\/|$)/, '/home/ada'))

test.each<[string, GrantMembers, GrantMembers, GrantMembers]>([
  ['a first folder', {}, { read: ['notes'] }, { read: ['notes'] }],
  ['a second folder', { read: ['notes'] }, { read: ['~/more'] }, { read: ['notes', '~/more'] }],
  ['the same folder, written differently', { read: ['./notes/'] }, { read: ['notes'] }, { read: ['./notes/'] }],
  ['a folder inside a readable one', { read: ['notes'] }, { read: ['notes/old'] }, { read: ['notes'] }],
  ['a folder around a readable one', { read: ['notes/old'] }, { read: ['notes'] }, { read: ['notes/old', 'notes'] }],
  ['write where it may read', { read: ['notes', 'b'] }, { write: ['notes'] }, { read: ['b'], write: ['notes'] }],
  ['write around what it may read', { read: ['notes/old'] }, { write: ['notes'] }, { read: [], write: ['notes'] }],
  ['read where it may write', { write: ['notes'] }, { read: ['notes/old'] }, { read: [] }],
  ['a first host', { network: 'none' }, { network: ['a.example'] }, { network: ['a.example'] }],
  ['the same host again', { network: ['a.example'] }, { network: ['a.example', 'b.example:5432'] }, { network: ['a.example', 'b.example:5432'] }], // biome-ignore format: one line
  ['a host where it may reach any', { network: 'any' }, { network: ['a.example'] }, { network: 'any' }],
  ['any host', { network: ['a.example'] }, { network: 'any' }, { network: 'any' }],
  ['no host', { network: ['a.example'] }, { network: 'none' }, { network: 'none' }],
  ['only whether it is confined', { read: ['a'] }, { isolation: 'required' }, { isolation: 'required' }],
])('grants %s', (_, entry, more, expected) => {
  expect(addGrants({ ...entry } as never, more, toPath)).toEqual(expected)
})

test.each<[string, GrantMembers, GrantMembers, GrantMembers]>([
  ['one folder of two', { read: ['a', 'b'] }, { read: ['a'] }, { read: ['b'] }],
  ['a folder, written differently', { write: ['~/notes'] }, { write: ['/home/ada/notes'] }, { write: [] }],
  ['one host of two', { network: ['a.example', 'b.example'] }, { network: ['a.example'] }, { network: ['b.example'] }],
  ['the last host', { network: ['a.example'] }, { network: ['a.example'] }, { network: 'none' }],
  ['all hosts', { network: ['a.example', 'b.example'] }, { network: 'any' }, { network: 'none' }],
  ['the whole network', { network: 'any' }, { network: 'any' }, { network: 'none' }],
])('takes back %s', (_, entry, less, expected) => {
  expect(removeGrants({ ...entry } as never, less, toPath)).toEqual(expected)
})

test.each<[GrantMembers, GrantMembers, string, string]>([
  [{ read: ['a'], write: ['c'] }, { read: ['b'] }, '--read b was not granted.', 'Granted are --read a, --write c.'],
  [{}, { write: ['b'] }, '--write b was not granted.', 'No folder was granted.'],
  [{ write: ['b'] }, { read: ['b'] }, 'It may read and write b.', 'To take that back: --write b'],
  [{ read: ['b'] }, { write: ['b'] }, 'It may only read b.', 'To take that back: --read b'],
  [{ network: 'any' }, { network: ['a.example'] }, 'It may connect to any host.', 'To take that back: --network any'],
  [{ network: ['b.example'] }, { network: ['a.example'] }, '--allow-host a.example was not granted.', 'Granted are b.example.'], // biome-ignore format: one line
  [{}, { network: ['a.example'] }, '--allow-host a.example was not granted.', 'No host was granted.'],
  [{ network: ['a.example'] }, { network: 'none' }, 'There is nothing to take back with --network none.', 'To take back all hosts: --network any'], // biome-ignore format: one line
])('of %o, does not take back %o', (entry, less, message, suggestion) => {
  expect(() => removeGrants({ ...entry } as never, less, toPath)).toThrow(
    expect.objectContaining({ message, suggestion }),
  )
})
