import { type NewTask, type Tasks, taskLimits } from '../tasks.ts'
import { watchChanges } from './calls.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests tasks. Part of `testStorage`; an engine without `tasks` passes. */
export function testTasks({ describe }: SuiteParts) {
  describe('tasks', (test) => {
    test('are found by their caller alone, and keep what was stored', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      const inputRequests = { 'approval-1': { method: 'elicitation/create', params: { message: "it's \u0000 🙂" } } }
      expect(await tasks.add({ ...waiting('1'), inputRequests }, 10)).toBeUndefined()
      const kept = { ...toKept(waiting('1')), state: 'waiting', createdAt: 10, updatedAt: 10, inputRequests }
      expect(await tasks.find('1', 'ada', 20)).toEqual(kept)
      expect(await tasks.find('1', 'eve', 20)).toBeUndefined()
      expect(await tasks.find('2', 'ada', 20)).toBeUndefined()
      await expect(tasks.add(waiting('1'), 20)).toRejectWith('exists_already')
    })

    test('run for the owner of the lease, who alone may change them', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add(running('1'), 0)
      expect(await tasks.change('1', 'other', { inputRequests: {} }, 10)).toBe(false)
      expect(await tasks.change('1', 'owner', { inputRequests: { key: 1 } }, 10)).toBe(true)
      expect(await tasks.find('1', 'ada', 10)).toMatchObject({
        state: 'running',
        inputRequests: { key: 1 },
        updatedAt: 10,
      })
      const result = { content: ['it\'s \u0000 "so"'] }
      const end = { state: 'completed', result, isError: true, expiresAt: 900 } as const
      expect(await tasks.change('1', 'owner', end, 20)).toBe(true)
      expect(await tasks.find('1', 'ada', 20)).toEqual({
        ...toKept(running('1')),
        ...{ state: 'completed', result, isError: true, expiresAt: 900, createdAt: 0, updatedAt: 20 },
      })
      expect(await tasks.change('1', 'owner', { ...end, state: 'failed' }, 30)).toBe(false)
    })

    test('are interrupted for good once their lease is over', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add(running('1'), 0)
      await tasks.add(running('2'), 0)
      await tasks.renew({ owner: 'owner', until: 200 }, 50)
      await tasks.renew({ owner: 'other', until: 900 }, 60)
      expect(await tasks.find('1', 'ada', 199)).toHaveProperty('state', 'running')
      expect(await tasks.find('1', 'ada', 200)).toMatchObject({ state: 'interrupted', updatedAt: 200 })
      await tasks.renew({ owner: 'owner', until: 900 }, 300)
      expect(await tasks.change('1', 'owner', { state: 'completed', expiresAt: 900 }, 310)).toBe(false)
      expect(await tasks.claim('2', lease, 310)).toBeUndefined()
      expect((await tasks.list('ada', { limit: 9 }, 310)).map(({ state }) => state)).toEqual([
        'interrupted',
        'interrupted',
      ])
    })

    test('that wait are claimed once, with their request', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add(waiting('1'), 0)
      await tasks.add({ ...waiting('2'), workspace: '/elsewhere' }, 1)
      expect(await tasks.waiting('/work', 10)).toEqual([
        { id: '1', caller: 'ada', tool: 'test.note', questionId: 'question of 1' },
      ])
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => tasks.claim('1', { owner: `${index}`, until: 100 }, 10)),
      )
      const claimed = claims.filter((task) => task !== undefined)
      expect(claimed).toHaveLength(1)
      expect(claimed[0]).toMatchObject({ id: '1', state: 'running', request: { name: 'note 1' } })
      expect(claimed[0]?.questionId).toBeUndefined()
      expect(await tasks.waiting('/work', 10)).toEqual([])
    })

    test('that follow a run of a workflow keep it when they are claimed, and after their owner ended', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add({ ...waiting('1'), questionId: 'run:7' }, 0)
      expect(await tasks.claim('1', { owner: 'owner', until: 100 }, 10)).toMatchObject({ questionId: 'run:7' })
      expect(await tasks.find('1', 'ada', 200)).toMatchObject({ state: 'interrupted', questionId: 'run:7' })
    })

    test('may wait again while they run, for another question', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add(running('1'), 0)
      const wait = { state: 'waiting', questionId: 'q2', inputRequests: undefined, expiresAt: 5000 } as const
      expect(await tasks.change('1', 'owner', wait, 10)).toBe(true)
      expect(await tasks.find('1', 'ada', 4999)).toMatchObject({ state: 'waiting', questionId: 'q2', expiresAt: 5000 })
      expect(await tasks.change('1', 'owner', wait, 20)).toBe(false)
      expect(await tasks.claim('1', lease, 30)).toMatchObject({ request: { name: 'note 1' } })
    })

    test('take each answer once, and only to what was asked', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add({ ...running('1'), inputRequests: { a: 1, b: 2 } }, 0)
      expect(await tasks.answer('1', 'eve', { a: 'x' }, 10)).toBeUndefined()
      expect(await tasks.answer('1', 'ada', { other: 'x' }, 10)).toEqual([])
      expect(await tasks.answer('1', 'ada', { a: 'x', other: 'y' }, 10)).toEqual(['a'])
      expect(await tasks.answer('1', 'ada', { a: 'again' }, 10)).toEqual([])
      expect(await tasks.find('1', 'ada', 10)).toMatchObject({ inputRequests: { b: 2 }, inputResponses: { a: 'x' } })
      expect(await tasks.answer('1', 'ada', { b: 'z' }, 10)).toEqual(['b'])
      const answered = await tasks.find('1', 'ada', 10)
      expect(answered).toHaveProperty('inputResponses', { a: 'x', b: 'z' })
      expect(answered?.inputRequests).toBeUndefined()
      await tasks.change('1', 'owner', { inputRequests: { b: 2, c: 3 } }, 20)
      expect(await tasks.find('1', 'ada', 20)).toHaveProperty('inputRequests', { c: 3 })
      expect(await tasks.answer('1', 'ada', { b: 'again' }, 20)).toEqual([])
    })

    test('that were cancelled stay so, whatever their owner reports', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add(running('1'), 0)
      await tasks.add(waiting('2'), 0)
      expect(await tasks.cancel('1', 'eve', 10)).toBeUndefined()
      expect(await tasks.cancel('1', 'ada', 10)).toHaveProperty('state', 'running')
      expect(await tasks.cancel('2', 'ada', 10)).toMatchObject({ state: 'waiting', questionId: 'question of 2' })
      expect(await tasks.cancel('2', 'ada', 20)).toHaveProperty('state', 'cancelled')
      expect(await tasks.change('1', 'owner', { state: 'completed', result: {}, expiresAt: 900 }, 20)).toBe(false)
      expect(await tasks.claim('2', lease, 20)).toBeUndefined()
      expect(await tasks.answer('1', 'ada', { key: 1 }, 20)).toEqual([])
      expect(await tasks.find('1', 'ada', 20)).toMatchObject({ state: 'cancelled', updatedAt: 10 })
    })

    test('are listed newest first, in pages, and without results', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      for (const id of ['a', 'b', 'c', 'd', 'e']) await tasks.add(running(id), id < 'c' ? 1 : 2)
      await tasks.add({ ...running('f'), caller: 'eve' }, 3)
      await tasks.change('e', 'owner', { state: 'completed', result: { text: '' }, isError: true, expiresAt: 900 }, 4)
      const first = await tasks.list('ada', { limit: 3 }, 10)
      expect(first.map(({ id }) => id)).toEqual(['e', 'd', 'c'])
      expect(first[0]).toMatchObject({ state: 'completed', isError: true })
      expect(first[0]?.result).toBeUndefined()
      const rest = await tasks.list('ada', { limit: 3, after: first[2]! }, 10)
      expect(rest.map(({ id }) => id)).toEqual(['b', 'a'])
    })

    test('expire, except while they run', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      await tasks.add({ ...running('1'), expiresAt: 50 }, 0)
      await tasks.add({ ...waiting('2'), expiresAt: 50 }, 0)
      expect(await tasks.find('2', 'ada', 49)).toHaveProperty('state', 'waiting')
      for (const now of [50, 51]) {
        expect(await tasks.find('1', 'ada', now)).toHaveProperty('state', 'running')
        expect(await tasks.find('2', 'ada', now)).toBeUndefined()
        expect(await tasks.waiting('/work', now)).toEqual([])
        expect(await tasks.claim('2', lease, now)).toBeUndefined()
        expect(await tasks.cancel('2', 'ada', now)).toBeUndefined()
      }
      expect((await tasks.list('ada', { limit: 9 }, 60)).map(({ id }) => id)).toEqual(['1'])
    })

    test('are limited per caller, where ended ones make room', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      const { open } = taskLimits.caller
      for (let index = 0; index < open; index++) expect(await tasks.add(waiting(`${index}`), index)).toBeUndefined()
      const limit = { scope: 'caller', unit: 'open', max: open }
      expect(await tasks.add(running('more'), 500)).toEqual(limit)
      expect(await tasks.add({ ...waiting('of eve'), caller: 'eve' }, 500)).toBeUndefined()
      await tasks.cancel('7', 'ada', 500)
      expect(await tasks.add(waiting('more'), 500)).toBeUndefined()
      expect(await tasks.add(waiting('and more'), 500)).toEqual(limit)
      expect(await tasks.find('7', 'ada', 500)).toHaveProperty('state', 'cancelled')
    })

    test('are limited in bytes, where the oldest results make room', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      const { bytes } = taskLimits.caller
      const text = 'x'.repeat(bytes / 2)
      for (const id of ['1', '2']) {
        await tasks.add(running(id), Number(id))
        await tasks.change(id, 'owner', { state: 'completed', result: { text }, expiresAt: 900 }, 10)
      }
      expect(await tasks.find('1', 'ada', 20)).toBeUndefined()
      expect((await tasks.find('2', 'ada', 20))?.result).toEqual({ text })
      expect(await tasks.add({ ...running('3'), request: { text } }, 30)).toBeUndefined()
      expect(await tasks.find('2', 'ada', 30)).toBeUndefined()
      expect(await tasks.add({ ...running('4'), request: { text } }, 30)).toHaveProperty('unit', 'bytes')
    })

    test('report changes, but not renewed leases', async (openNew) => {
      const { tasks } = await openNew()
      if (!tasks) return
      const changes = watchChanges(tasks)
      await changes.after(() => tasks.add({ ...running('1'), inputRequests: { key: 1 } }, 0))
      await changes.after(() => tasks.answer('1', 'ada', { key: 2 }, 10))
      await changes.after(() => tasks.cancel('1', 'ada', 10))
      changes.stop()
    })

    test('cannot be used once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      const { tasks } = storage
      if (!tasks) return
      const uses: ((tasks: Tasks) => Promise<unknown>)[] = [
        ({ add }) => add(running('1'), 0),
        ({ find }) => find('1', 'ada', 0),
        ({ list }) => list('ada', { limit: 1 }, 0),
        ({ waiting }) => waiting('/work', 0),
        ({ claim }) => claim('1', lease, 0),
        ({ renew }) => renew(lease, 0),
        ({ change }) => change('1', 'owner', { inputRequests: {} }, 0),
        ({ answer }) => answer('1', 'ada', {}, 0),
        ({ cancel }) => cancel('1', 'ada', 0),
      ]
      for (const use of uses) await expect(use(tasks)).toRejectWith('closed')
    })
  })
}

const lease = { owner: 'owner', until: 1000 }

export function waiting(id: string): NewTask {
  const request = { name: `note ${id}` }
  return {
    id,
    caller: 'ada',
    workspace: '/work',
    tool: 'test.note',
    expiresAt: 600,
    questionId: `question of ${id}`,
    request,
  }
}

function running(id: string): NewTask {
  const { questionId: _, ...task } = waiting(id)
  return { ...task, lease: { owner: 'owner', until: 100 } }
}

function toKept({ request: _, lease: _lease, ...task }: NewTask) {
  return task
}
