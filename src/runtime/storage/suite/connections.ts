import type { Connections, NewConnection } from '../connections.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests connections to servers, if the storage has them. Part of `testStorage`. */
export function testConnections({ describe, isShared }: SuiteParts) {
  describe('connections', (test) => {
    const testIfAny = (name: string, run: (connections: Connections) => Promise<void>) =>
      test(name, async (openNew) => {
        const { connections } = await openNew()
        if (connections) await run(connections)
      })

    testIfAny('are found by owner and server, and by nobody else', async (connections) => {
      expect(await connections.save(ada)).toEqual(true)
      expect(await connections.save(grace)).toEqual(true)
      expect(await connections.find(ada)).toEqual({ ...ada, version: 1 })
      expect(await connections.find({ owner: 'Grace', server: 'mail' })).toEqual(undefined)
      expect(await connections.find({ owner: ada.owner, server: 'MAIL' })).toEqual(undefined)
    })

    testIfAny('are listed by owner, then server, and filtered by both', async (connections) => {
      const other = { ...ada, server: 'calendar' }
      for (const one of [grace, ada, other]) await connections.save(one)
      const toNames = async (query?: Parameters<Connections['list']>[0]) =>
        (await connections.list(query)).map(({ owner, server }) => `${owner}/${server}`)
      expect(await toNames()).toEqual([`${ada.owner}/calendar`, `${ada.owner}/mail`, 'Grace/notes'])
      expect(await toNames({ server: 'notes' })).toEqual(['Grace/notes'])
      expect(await toNames({ owner: ada.owner })).toEqual([`${ada.owner}/calendar`, `${ada.owner}/mail`])
      expect(await toNames({ owner: 'Grace', server: 'mail' })).toEqual([])
    })

    testIfAny('are replaced by a new one, which ends the lease and the fault', async (connections) => {
      await connections.save(ada)
      expect(await connections.lease(ada, { version: 1, holder: 'a', until: 1000 }, 0)).toEqual(true)
      await connections.replace(ada, { version: 1, sealed: 'second', renewedAt: 20, fault: 'ended' })
      expect(await connections.find(ada)).toEqual({
        ...ada,
        sealed: 'second',
        renewedAt: 20,
        fault: 'ended',
        version: 2,
      })
      await connections.save({ ...ada, sealed: 'third', connectedAt: 30 })
      expect(await connections.find(ada)).toEqual({ ...ada, sealed: 'third', connectedAt: 30, version: 3 })
      expect(await connections.lease(ada, { version: 3, holder: 'b', until: 1000 }, 0)).toEqual(true)
    })

    testIfAny('are leased to one of many, until the lease ends', async (connections) => {
      await connections.save(ada)
      const holders = Array.from({ length: 20 }, (_, index) => `holder ${index}`)
      const leased = await Promise.all(holders.map((holder) => connections.lease(ada, { version: 1, holder, until: 100 }, 0))) // biome-ignore format: one line
      expect(leased.filter((isLeased) => isLeased).length).toEqual(1)
      expect(await connections.lease(ada, { version: 1, holder: 'late', until: 200 }, 99)).toEqual(false)
      expect(await connections.lease(ada, { version: 1, holder: 'late', until: 200 }, 100)).toEqual(true)
      expect(await connections.lease(ada, { version: 2, holder: 'late', until: 300 }, 100)).toEqual(false)
      expect(await connections.lease(grace, { version: 1, holder: 'late', until: 300 }, 100)).toEqual(false)
    })

    testIfAny('are changed only at the version that was read', async (connections) => {
      await connections.save(ada)
      expect(await connections.replace(ada, { version: 2, sealed: 'x', renewedAt: 1 })).toEqual(false)
      expect(await connections.replace(grace, { version: 1, sealed: 'x', renewedAt: 1 })).toEqual(false)
      expect(await connections.replace(ada, { version: 1, sealed: 'x', renewedAt: 1 })).toEqual(true)
      expect(await connections.replace(ada, { version: 1, sealed: 'y', renewedAt: 2 })).toEqual(false)
      expect(await connections.find(ada)).toEqual({ ...ada, sealed: 'x', renewedAt: 1, version: 2 })
      expect(await connections.lease(ada, { version: 2, holder: 'a', until: 9 }, 0)).toEqual(true)
    })

    testIfAny('are removed once', async (connections) => {
      await connections.save(ada)
      expect(await connections.remove(ada)).toEqual(true)
      expect(await connections.remove(ada)).toEqual(false)
      expect(await connections.find(ada)).toEqual(undefined)
    })

    if (isShared)
      test('of one process are found, leased and renewed by another', async (openNew) => {
        const [one, other] = [await openNew('shared connections'), await openNew('shared connections')]
        if (!one.connections || !other.connections) return
        await one.connections.save(ada)
        const lease = { version: 1, until: 100 }
        const leased = await Promise.all([one.connections.lease(ada, { ...lease, holder: 'one' }, 0), other.connections.lease(ada, { ...lease, holder: 'other' }, 0)]) // biome-ignore format: one line
        expect(leased.filter((isLeased) => isLeased).length).toEqual(1)
        expect(await other.connections.replace(ada, { version: 1, sealed: 'x', renewedAt: 1 })).toEqual(true)
        expect((await one.connections.find(ada))?.sealed).toEqual('x')
      })

    test('cannot be used once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      if (!storage.connections) return
      await expect(storage.connections.find(ada)).toRejectWith('closed')
      await expect(storage.connections.save(ada)).toRejectWith('closed')
      await expect(storage.connections.list()).toRejectWith('closed')
    })
  })
}

const ada: NewConnection = {
  owner: "Ada O'Hara",
  server: 'mail',
  issuer: 'https://issuer.example',
  sealed: 'v1.sealed',
  connectedAt: 10,
}
const grace: NewConnection = { ...ada, owner: 'Grace', server: 'notes' }
