import type { Image } from '../../../contract/image.ts'
import { maxEntries, maxEntryCharacters, maxImageBytes, maxSessions } from '../sessions.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

const session = { id: 'a1', workspace: '/home/ada', title: 'it\'s "so" \u0000 🙂' }

/** Tests sessions. Part of `testStorage`. */
export function testSessions({ describe }: SuiteParts) {
  describe('sessions', (test) => {
    test('keep appended entries in order', async (openNew) => {
      const { sessions } = await openNew()
      await sessions.begin(session, 1)
      expect(await sessions.read('a1')).toEqual([])
      const entries = [
        { kind: 'one', text: '\u0000 \u2028 é' },
        { kind: 'two', text: '' },
        { kind: 'three', text: '3' },
      ]
      await Promise.all(entries.map((entry, index) => sessions.append('a1', entry, index + 2)))
      await sessions.setStatus('a1', 'failed', 9)
      expect(await sessions.read('a1')).toEqual(entries)
      expect(await sessions.list()).toEqual([{ ...session, status: 'failed', startedAt: 1, usedAt: 9, entries: 3 }])
    })

    test('are listed by last use, and found by a prefix of their id', async (openNew) => {
      const { sessions } = await openNew()
      for (const id of ['b1', 'a1', 'a12', 'a13']) await sessions.begin({ ...session, id, workspace: `/${id[0]}` }, 5)
      await sessions.append('a1', {}, 5)
      const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
      expect(idsOf(await sessions.list())).toEqual(['a1', 'a13', 'a12', 'b1'])
      expect(idsOf(await sessions.list({ limit: 1 }))).toEqual(['a1'])
      expect(idsOf(await sessions.list({ workspace: '/b' }))).toEqual(['b1'])
      expect(idsOf(await sessions.find('a'))).toEqual(['a1', 'a13', 'a12'])
      expect(idsOf(await sessions.find('a1'))).toEqual(['a1'])
      expect(await sessions.find('a%')).toEqual([])
    })

    test('have unique ids, and reject writes to an unknown session', async (openNew) => {
      const { sessions, notes } = await openNew()
      await sessions.begin(session, 1)
      const noted = notes.set('same commit', 1)
      await expect(sessions.begin(session, 2)).toRejectWith('exists_already')
      await noted
      expect(await notes.get('same commit')).toBe(1)
      await sessions.remove('a1')
      for (const used of [
        () => sessions.append('a1', {}, 1),
        () => sessions.setStatus('a1', 'idle', 1),
        () => sessions.read('a1'),
        () => sessions.remove('a1'),
        () => sessions.keepImage('a1', 1, { path: 'a', before: null }),
        () => sessions.lastImages('a1'),
        () => sessions.forgetImages('a1', 1),
      ])
        await expect(used()).toRejectWith('not_found')
    })

    test('are bounded', async (openNew) => {
      const { sessions } = await openNew()
      const ids = Array.from({ length: maxSessions + 1 }, (_, index) => `id-${index}`)
      await Promise.all(ids.map((id) => sessions.begin({ ...session, id }, 1)))
      expect(await sessions.list()).toHaveLength(maxSessions)
      expect(await sessions.find('id-0')).toEqual([])
      const large = { text: 'x'.repeat(maxEntryCharacters) }
      await expect(sessions.append('id-1', large, 2)).toRejectWith('too_large')
      expect(await sessions.read('id-1')).toEqual([])
      const all = Array.from({ length: maxEntries }, (_, index) => sessions.append('id-1', { index }, 3))
      await Promise.all(all)
      await expect(sessions.append('id-1', {}, 4)).toRejectWith('too_large')
      expect((await sessions.read('id-1')).at(-1)).toEqual({ index: maxEntries - 1 })
    })

    test('keep the first image of a path in a step, and its last state', async (openNew) => {
      const { sessions } = await openNew()
      await sessions.begin(session, 1)
      expect(await sessions.lastImages('a1')).toBeUndefined()
      const before = new Uint8Array([0, 255, 10])
      await sessions.keepImage('a1', 1, { path: 'other', before: null, after: 'directory' })
      await sessions.keepImage('a1', 2, { path: 'b', before: 'too_large' })
      await sessions.keepImage('a1', 2, { path: 'a', before })
      before[0] = 7
      await sessions.keepImage('a1', 2, { path: 'a', before: new Uint8Array([1]), after: 'digest' })
      expect(await sessions.lastImages('a1')).toEqual({
        step: 2,
        images: [
          { path: 'b', before: 'too_large' },
          { path: 'a', before: new Uint8Array([0, 255, 10]), after: 'digest' },
        ] satisfies Image[],
      })
      await sessions.forgetImages('a1', 2)
      expect(await sessions.lastImages('a1')).toMatchObject({ step: 1, images: [{ path: 'other', before: null }] })
      await sessions.forgetImages('a1', 1)
      expect(await sessions.lastImages('a1')).toBeUndefined()
    })

    test('drop the images of old steps beyond the limit, and store no image that exceeds it alone', async (openNew) => {
      const { sessions } = await openNew()
      await sessions.begin(session, 1)
      const half = new Uint8Array(maxImageBytes / 2)
      for (const step of [1, 2, 3]) await sessions.keepImage('a1', step, { path: 'a', before: half })
      await sessions.keepImage('a1', 3, { path: 'b', before: half })
      await sessions.keepImage('a1', 3, { path: 'c', before: new Uint8Array(1) })
      const { images } = (await sessions.lastImages('a1'))!
      expect(images.map(({ before }) => (before instanceof Uint8Array ? before.length : before))).toEqual([
        half.length,
        half.length,
        'too_large',
      ])
      await sessions.forgetImages('a1', 3)
      expect(await sessions.lastImages('a1')).toBeUndefined()
    })

    test('can be neither stored nor read once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      await expect(storage.sessions.begin(session, 1)).toRejectWith('closed')
      await expect(storage.sessions.list()).toRejectWith('closed')
    })
  })
}
