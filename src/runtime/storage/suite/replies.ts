import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests replies. Part of `testStorage`. */
export function testReplies({ describe }: SuiteParts) {
  describe('replies', (test) => {
    test('are returned to later claims of the key with the same input', async (openNew) => {
      const { replies } = await openNew()
      expect(await replies.claim('key', 'input', until)).toEqual({ state: 'claimed' })
      expect(await replies.claim('key', 'input', until)).toEqual({ state: 'in_flight' })
      const reply = { status: 200, body: '{"text":"it\'s \\u0000 🙂"}' }
      await replies.keep('key', reply)
      for (let repeat = 0; repeat < 3; repeat++)
        expect(await replies.claim('key', 'input', until)).toEqual({ state: 'kept', reply })
    })

    test('are not returned for another input, in flight or stored', async (openNew) => {
      const { replies } = await openNew()
      await replies.claim('key', 'input', until)
      expect(await replies.claim('key', 'another', until)).toEqual({ state: 'other_input' })
      await replies.keep('key', { status: 200 })
      expect(await replies.claim('key', 'another', until)).toEqual({ state: 'other_input' })
      expect(await replies.claim('key', 'input', until)).toEqual({ state: 'kept', reply: { status: 200 } })
      expect(await replies.claim('another key', 'another', until)).toEqual({ state: 'claimed' })
    })

    test('are claimed by one of many concurrent calls', async (openNew) => {
      const { replies } = await openNew()
      const claims = await Promise.all(Array.from({ length: 50 }, () => replies.claim('key', 'input', until)))
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
      expect(claims.filter(({ state }) => state === 'in_flight')).toHaveLength(49)
    })

    test('leave the key free for any input after a release', async (openNew) => {
      const { replies } = await openNew()
      await replies.claim('key', 'input', until)
      await replies.release('key')
      expect(await replies.claim('key', 'another', until)).toEqual({ state: 'claimed' })
    })

    test('stay if the key is released or stored again, and are not stored for an unclaimed key', async (openNew) => {
      const { replies } = await openNew()
      await replies.claim('key', 'input', until)
      await replies.keep('key', { status: 200 })
      await replies.release('key')
      await replies.keep('key', { status: 500 })
      expect(await replies.claim('key', 'input', until)).toEqual({ state: 'kept', reply: { status: 200 } })
      await replies.keep('free', { status: 200 })
      await replies.release('free')
      expect(await replies.claim('free', 'input', until)).toEqual({ state: 'claimed' })
    })

    test('expire, stored or not', async (openNew) => {
      const { replies } = await openNew()
      await replies.claim('kept', 'input', { now: 0, expiresAt: 1000 })
      await replies.keep('kept', { status: 200 })
      await replies.claim('running', 'input', { now: 0, expiresAt: 1000 })
      expect(await replies.claim('kept', 'input', { now: 999, expiresAt: 1999 })).toHaveProperty('state', 'kept')
      expect(await replies.claim('running', 'input', { now: 999, expiresAt: 1999 })).toEqual({ state: 'in_flight' })
      expect(await replies.claim('kept', 'input', { now: 1000, expiresAt: 2000 })).toEqual({ state: 'claimed' })
      expect(await replies.claim('running', 'another', { now: 1000, expiresAt: 2000 })).toEqual({ state: 'claimed' })
    })

    test('do not change with the object that was stored', async (openNew) => {
      const { replies } = await openNew()
      const reply = { list: [1] }
      await replies.claim('key', 'input', until)
      await replies.keep('key', reply)
      reply.list.push(2)
      expect(await replies.claim('key', 'input', until)).toEqual({ state: 'kept', reply: { list: [1] } })
    })

    test('cannot be claimed, stored or released once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      await expect(storage.replies.claim('key', 'input', until)).toRejectWith('closed')
      await expect(storage.replies.keep('key', {})).toRejectWith('closed')
      await expect(storage.replies.release('key')).toRejectWith('closed')
    })
  })
}

const until = { now: 0, expiresAt: 86_400_000 }
