import { maxSignIns, type SignIns, type StoredSignIn } from '../sign-ins.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests links and sessions of the console, if the storage has them. Part of `testStorage`. */
export function testSignIns({ describe, isShared }: SuiteParts) {
  describe('sign-ins', (test) => {
    const testIfAny = (name: string, run: (signIns: SignIns) => Promise<void>) =>
      test(name, async (openNew) => {
        const { signIns } = await openNew()
        if (signIns) await run(signIns)
      })

    testIfAny('are found by their kind and hash until they expire', async (signIns) => {
      await signIns.add(link, 0)
      await signIns.add(session, 0)
      expect(await signIns.find(link, 999)).toEqual(link)
      expect(await signIns.find(session, 999)).toEqual(session)
      expect(await signIns.find({ kind: 'session', hash: link.hash }, 999)).toEqual(undefined)
      expect(await signIns.find({ kind: 'link', hash: 'unknown' }, 999)).toEqual(undefined)
      expect(await signIns.find(link, 1000)).toEqual(undefined)
      expect(await signIns.take(link, 1000)).toEqual(undefined)
    })

    testIfAny('are taken once, by one of many', async (signIns) => {
      await signIns.add(link, 0)
      await signIns.add(session, 0)
      const taken = await Promise.all(Array.from({ length: 20 }, () => signIns.take(link, 1)))
      expect(taken.filter((one) => one !== undefined)).toEqual([link])
      expect(await signIns.find(link, 1)).toEqual(undefined)
      expect(await signIns.find(session, 1)).toEqual(session)
    })

    testIfAny('are limited in number per kind: the oldest one ends', async (signIns) => {
      await signIns.add(session, 0)
      for (let count = 0; count <= maxSignIns; count++) await signIns.add({ ...link, hash: `link ${count}` }, 0)
      expect(await signIns.find({ kind: 'link', hash: 'link 0' }, 1)).toEqual(undefined)
      expect(await signIns.find({ kind: 'link', hash: 'link 1' }, 1)).toEqual({ ...link, hash: 'link 1' })
      expect(await signIns.find(session, 1)).toEqual(session)
    })

    testIfAny('that have expired do not end others', async (signIns) => {
      for (let count = 0; count < maxSignIns; count++) await signIns.add({ ...link, hash: `link ${count}` }, 0)
      const later = { ...link, hash: 'later', expiresAt: 3000 }
      await signIns.add(later, 1000)
      expect(await signIns.find(later, 2000)).toEqual(later)
    })

    testIfAny('are renewed until they end, and not brought back after that', async (signIns) => {
      await signIns.add(session, 0)
      const facts = { startedAt: 0, seenAt: 900, endsAt: 5000, browser: 'Firefox on Linux' }
      const later = { ...session, expiresAt: 2000, session: facts }
      expect(await signIns.renew(later, 999)).toBe(true)
      expect(await signIns.find(session, 1500)).toEqual(later)
      expect(await signIns.renew({ ...later, expiresAt: 3000 }, 2000)).toBe(false)
      expect(await signIns.find(session, 1500)).toEqual(later)
      await signIns.take(session, 1500)
      expect(await signIns.renew(later, 1500)).toBe(false)
      expect(await signIns.find(session, 1500)).toEqual(undefined)
    })

    testIfAny('are listed by kind in their order while they are valid', async (signIns) => {
      const of = (hash: string, expiresAt: number) => ({ ...session, hash, expiresAt })
      for (const one of [of('b', 1000), of('a', 3000), of('c', 2000)]) await signIns.add(one, 0)
      await signIns.add(link, 0)
      expect(await signIns.list('session', 1000)).toEqual([of('a', 3000), of('c', 2000)])
      expect(await signIns.list('link', 0)).toEqual([link])
      await signIns.take(of('a', 3000), 1000)
      expect(await signIns.list('session', 1000)).toEqual([of('c', 2000)])
    })

    if (isShared)
      test('of one process are found, listed and taken by another', async (openNew) => {
        const [one, other] = [await openNew('shared sign-ins'), await openNew('shared sign-ins')]
        if (!one.signIns || !other.signIns) return
        await one.signIns.add(link, 0)
        expect(await other.signIns.find(link, 1)).toEqual(link)
        const taken = await Promise.all([one.signIns.take(link, 1), other.signIns.take(link, 1)])
        expect(taken.filter((found) => found !== undefined)).toEqual([link])
        await one.signIns.add(session, 0)
        expect(await other.signIns.list('session', 1)).toEqual([session])
        await other.signIns.take(session, 1)
        expect(await one.signIns.find(session, 1)).toEqual(undefined)
      })

    test('cannot be added, found or taken once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      if (!storage.signIns) return
      await expect(storage.signIns.add(link, 0)).toRejectWith('closed')
      await expect(storage.signIns.find(link, 0)).toRejectWith('closed')
      await expect(storage.signIns.take(link, 0)).toRejectWith('closed')
      await expect(storage.signIns.renew(link, 0)).toRejectWith('closed')
      await expect(storage.signIns.list('link', 0)).toRejectWith('closed')
    })
  })
}

const link: StoredSignIn = {
  kind: 'link',
  hash: 'of a secret',
  person: "Ada \0 O'Hara",
  rights: ['view', 'approve'],
  expiresAt: 1000,
}
const session: StoredSignIn = {
  ...{ ...link, kind: 'session', hash: 'of another', person: 'Grace' },
  ...{ issuer: 'https://id.example', subject: '7 \0', groups: ['ops', "dev's"] },
}
