import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

const [one, other] = [Uint8Array.from(randomBytes(32)), Uint8Array.from(randomBytes(32))]
const secret = { token: 'abc', text: 'ünïcode' }

test('a secret opens for its own context only', () => {
  const vault = createVault([one])
  const sealed = vault.seal(secret, 'ada mail')
  expect(sealed).not.toContain('abc')
  expect(vault.open(sealed, 'ada mail')).toEqual(secret)
  expect(vault.open(sealed, 'eve mail')).toBeUndefined()
})

test('equal secrets are sealed differently', () => {
  const vault = createVault([one])
  expect(vault.seal(secret, 'a')).not.toBe(vault.seal(secret, 'a'))
})

test('a key that was replaced still opens, and what it sealed is stale', () => {
  const before = createVault([one]).seal(secret, 'a')
  const rotated = createVault([other, one])
  expect(rotated.open(before, 'a')).toEqual(secret)
  expect(rotated.isStale(before)).toBe(true)
  expect(rotated.isStale(rotated.seal(secret, 'a'))).toBe(false)
  expect(createVault([other]).open(before, 'a')).toBeUndefined()
})

test('no change of a sealed text opens', () => {
  const vault = createVault([one])
  const sealed = vault.seal(secret, 'a')
  for (let place = 0; place < sealed.length; place++) {
    const changed = `${sealed.slice(0, place)}${sealed[place] === 'A' ? 'B' : 'A'}${sealed.slice(place + 1)}`
    const opened = vault.open(changed, 'a')
    // The last character of base64 has bits that mean nothing.
    if (opened !== undefined) expect(Buffer.from(changed.split('.').at(-1)!, 'base64url')).toEqual(Buffer.from(sealed.split('.').at(-1)!, 'base64url')) // biome-ignore format: one line
  }
  for (const text of [
    '',
    '.',
    'v1',
    'v1...',
    `v2${sealed.slice(2)}`,
    sealed.slice(0, -8),
    `${sealed}.more`.slice(0, 20),
  ])
    expect(vault.open(text, 'a')).toBeUndefined()
})
