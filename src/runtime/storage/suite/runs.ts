import { type NewRun, type RunChange, type Runs, runLimits, type StoredRun } from '../runs.ts'
import type { Approvals } from '../storage.ts'
import { watchChanges } from './calls.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests runs of workflows. Part of `testStorage`; an engine without `runs` passes. */
export function testRuns({ describe }: SuiteParts) {
  describe('runs', (test) => {
    test('keep what they were started with, and are added once', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      const request = { input: { text: 'it\'s "so" \u0000 🙂' } }
      expect(await runs.add({ ...toRun('1'), request }, 10)).toBeUndefined()
      expect(await runs.find('1')).toEqual(toStored('1', 10))
      expect(await runs.texts('1')).toEqual({ request })
      expect(await runs.steps('1')).toEqual([])
      expect(await runs.find('2')).toBeUndefined()
      expect(await runs.texts('2')).toBeUndefined()
      await expect(runs.add(toRun('1'), 20)).toRejectWith('exists_already')
    })

    test('are changed by their owner in its epoch alone, all at once', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      await runs.add(toRun('1'), 0)
      const begun = { key: 'a', state: 'running', startedAt: 10, callId: 'c1' } as const
      expect(await runs.change('1', change({ steps: [begun], owner: 'other' }), 10)).toBe(false)
      expect(await runs.change('1', change({ steps: [begun], epoch: 2 }), 10)).toBe(false)
      expect(await runs.change('2', change({ steps: [begun] }), 10)).toBe(false)
      expect(await runs.steps('1')).toEqual([])
      expect(await runs.change('1', change({ steps: [begun] }), 10)).toBe(true)
      const done = { ...begun, state: 'done', endedAt: 20, value: { output: { text: '\u0000' } } } as const
      const next = { key: 'b/0', state: 'waiting', startedAt: 20, questionId: 'q', wakesAt: 90 } as const
      expect(await runs.change('1', change({ steps: [done, next], done: 1 }), 20)).toBe(true)
      expect(await runs.steps('1')).toEqual([done, next])
      expect(await runs.find('1')).toEqual({ ...toStored('1', 0), updatedAt: 20, done: 1 })
      expect(await runs.change('1', change({ reset: ['b/0'] }), 30)).toBe(true)
      expect(await runs.steps('1')).toEqual([done])
    })

    test('that ended have no owner, keep their result and change no more', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      await runs.add(toRun('1'), 0)
      const result = { output: { ok: true } }
      const end = { state: 'completed', result, now: 10, expiresAt: 500 } as const
      expect(await runs.change('1', change({ end, done: 2 }), 10)).toBe(true)
      const ended = { state: 'completed', owner: '', leaseUntil: 0, expiresAt: 500, updatedAt: 10, done: 2 }
      expect(await runs.find('1')).toEqual({ ...toStored('1', 0), ...ended })
      expect(await runs.texts('1')).toEqual({ request: { input: '1' }, result })
      expect(await runs.change('1', change({ end }), 20)).toBe(false)
      expect(await runs.cancel('1', {}, { now: 20, expiresAt: 900 })).toHaveProperty('state', 'completed')
      expect(await runs.find('1')).toHaveProperty('state', 'completed')
      await runs.add(toRun('2'), 499)
      expect(await runs.find('1')).toHaveProperty('state', 'completed')
      await runs.add(toRun('3'), 500)
      expect(await runs.find('1')).toBeUndefined()
      expect(await runs.texts('1')).toBeUndefined()
    })

    test('are taken over once, after the lease or from a dead owner, and the former owner is fenced off', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      await runs.add(toRun('1'), 0)
      const claim = { owner: 'next', until: 900, epoch: 1, state: 'running' } as const
      expect(await runs.claim('1', claim, 99)).toBeUndefined()
      await runs.renew({ owner: 'owner', until: 200 }, 50)
      await runs.renew({ owner: 'other', until: 900 }, 50)
      expect(await runs.claim('1', claim, 199)).toBeUndefined()
      expect(await runs.claim('1', { ...claim, epoch: 2 }, 200)).toBeUndefined()
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => runs.claim('1', { ...claim, owner: `${index}` }, 200)),
      )
      const [taken, ...more] = claims.filter((run) => run !== undefined)
      expect(more).toEqual([])
      expect(taken).toMatchObject({ state: 'running', epoch: 2, leaseUntil: 900 })
      expect(await runs.change('1', change({ done: 1 }), 210)).toBe(false)
      const dead = { owner: 'last', until: 999, epoch: 2, state: 'running', isOwnerDead: true } as const
      expect(await runs.claim('1', dead, 210)).toMatchObject({ owner: 'last', epoch: 3 })
      expect(await runs.change('1', { ...change({ done: 1 }), owner: taken!.owner, epoch: 2 }, 220)).toBe(false)
      expect(await runs.change('1', { ...change({ done: 1 }), owner: 'last', epoch: 3 }, 220)).toBe(true)
    })

    test('are ready when their time has come, and say when the next is due', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      await runs.add(toRun('1'), 0)
      await runs.add({ ...toRun('2'), workspace: '/elsewhere' }, 0)
      const running = { id: '1', state: 'running', owner: 'owner', epoch: 1 }
      expect(await runs.ready('/work', 99)).toEqual({ runs: [{ ...running, isDue: false }], waiting: 0 })
      expect(await runs.ready('/work', 100)).toEqual({ runs: [{ ...running, isDue: true }], waiting: 0 })
      await wait(runs, { key: 'pause', state: 'waiting', startedAt: 10, wakesAt: 300 })
      expect(await runs.ready('/work', 299)).toEqual({ runs: [], waiting: 1, nextAt: 300 })
      const due = [{ id: '1', state: 'waiting', owner: '', epoch: 1, isDue: true }]
      expect(await runs.ready('/work', 300)).toEqual({ runs: due, waiting: 1 })
      const claim = { owner: 'next', until: 900, epoch: 1, state: 'waiting' } as const
      expect(await runs.claim('1', { ...claim, state: 'failed' }, 300)).toBeUndefined()
      expect(await runs.claim('1', claim, 300)).toMatchObject({ state: 'running', epoch: 2, owner: 'next' })
      expect(await runs.claim('1', claim, 300)).toBeUndefined()
    })

    test('are ready when their question is answered, expired, withdrawn or absent, before or after they wait', async (openNew) => {
      const { runs, approvals } = await openNew()
      if (!runs) return
      await runs.add(toRun('1'), 0)
      for (const id of ['q1', 'q2', 'q3']) await ask(approvals, id)
      const isReady = async (now: number) => (await runs.ready('/work', now)).runs.some(({ state }) => state === 'waiting') // biome-ignore format: one line
      await wait(runs, { key: 'a', state: 'waiting', startedAt: 10, questionId: 'q1', wakesAt: 9000 })
      expect(await isReady(499)).toBe(false)
      expect(await isReady(500)).toBe(true)
      await approvals.answer('q1', { answer: 'no', by: 'Ada' }, 20)
      expect(await isReady(20)).toBe(true)
      await approvals.answer('q2', { answer: 'yes', by: 'Ada' }, 30)
      for (const [questionId, expected] of [['q2', true], ['q3', false], ['absent', true]] as const) {
        const { epoch } = (await runs.find('1'))!
        await runs.claim('1', { owner: 'owner', until: 900, epoch, state: 'waiting' }, 30)
        await wait(runs, { key: 'a', state: 'waiting', startedAt: 30, questionId }, epoch + 1)
        expect(await isReady(40)).toBe(expected)
      } // biome-ignore format: one line
      await approvals.withdraw('q3', 50)
      expect(await isReady(50)).toBe(true)
    })

    test('that are cancelled stay so, whatever their owner does', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      await runs.add(toRun('1'), 0)
      const error = { error: { code: 'cancelled' } }
      expect(await runs.cancel('1', error, { now: 10, expiresAt: 900 })).toMatchObject({ state: 'running', epoch: 1 })
      expect(await runs.find('1')).toMatchObject({ state: 'cancelled', epoch: 2, owner: '', updatedAt: 10 })
      expect(await runs.texts('1')).toHaveProperty('result', error)
      expect(await runs.change('1', change({ done: 1 }), 20)).toBe(false)
      expect(await runs.claim('1', { owner: 'next', until: 900, epoch: 2, state: 'running' }, 500)).toBeUndefined()
      expect(await runs.cancel('absent', {}, { now: 10, expiresAt: 900 })).toBeUndefined()
    })

    test('are listed newest first, in pages, by state, workflow, caller and workspace', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      for (const id of ['a', 'b', 'c', 'd']) await runs.add(toRun(id), id < 'c' ? 1 : 2)
      await runs.add({ ...toRun('e'), caller: 'eve', workflow: 'flows.other', workspace: '/elsewhere' }, 3)
      await runs.cancel('b', {}, { now: 4, expiresAt: 900 })
      const list = async (query: Omit<Parameters<Runs['list']>[0], 'limit'>, limit = 9) =>
        (await runs.list({ ...query, limit })).map(({ id }) => id)
      expect(await list({})).toEqual(['e', 'd', 'c', 'b', 'a'])
      expect(await list({}, 2)).toEqual(['e', 'd'])
      expect(await list({ after: (await runs.find('d'))! })).toEqual(['c', 'b', 'a'])
      expect(await list({ state: 'cancelled' })).toEqual(['b'])
      expect(await list({ workflow: 'flows.other' })).toEqual(['e'])
      expect(await list({ caller: 'ada', state: 'running' })).toEqual(['d', 'c', 'a'])
      expect(await list({ workspace: '/elsewhere' })).toEqual(['e'])
    })

    test('report changes', async (openNew) => {
      const { runs } = await openNew()
      if (!runs) return
      const changes = watchChanges(runs)
      await changes.after(() => runs.add(toRun('1'), 0))
      await changes.after(() => runs.change('1', change({ done: 1 }), 10))
      await changes.after(() => runs.cancel('1', {}, { now: 20, expiresAt: 900 }))
      changes.stop()
    })

    test('cannot be used once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      const { runs } = storage
      if (!runs) return
      const uses: ((runs: Runs) => Promise<unknown>)[] = [
        ({ add }) => add(toRun('1'), 0),
        ({ find }) => find('1'),
        ({ texts }) => texts('1'),
        ({ steps }) => steps('1'),
        ({ list }) => list({ limit: 1 }),
        ({ ready }) => ready('/work', 0),
        ({ claim }) => claim('1', { owner: 'owner', until: 1, epoch: 1, state: 'running' }, 0),
        ({ renew }) => renew({ owner: 'owner', until: 1 }, 0),
        ({ change: store }) => store('1', change({}), 0),
        ({ cancel }) => cancel('1', {}, { now: 0, expiresAt: 0 }),
      ]
      for (const use of uses) await expect(use(runs)).toRejectWith('closed')
      expect(runLimits.caller.open <= runLimits.total.runs).toBe(true)
    })
  })
}

/** The run ends up waiting. */
async function wait(runs: Runs, step: NonNullable<RunChange['steps']>[number], epoch = 1) {
  const end = { state: 'waiting', now: 10, expiresAt: 0 } as const
  expect(await runs.change('1', change({ steps: [step], end, epoch }), 10)).toBe(true)
}

async function ask(approvals: Approvals, id: string) {
  const binding = { tool: 't', contractDigest: 'c', inputDigest: id, caller: 'ada', workspace: '/work', policyDigest: 'p', previewDigest: '' } // biome-ignore format: one line
  await approvals.request({ id, ...binding, askedAt: 0, expiresAt: 500, summary: {}, details: {} }, 0)
}

function change(more: Partial<RunChange>): RunChange {
  return { owner: 'owner', epoch: 1, durable: false, ...more }
}

function toRun(id: string): NewRun {
  const about = { workflow: 'flows.test', contractDigest: 'sha256:contract', caller: 'ada', workspace: '/work' }
  return { id, ...about, owner: 'owner', leaseUntil: 100, total: 2, request: { input: id } }
}

function toStored(id: string, now: number): StoredRun {
  const { request: _, ...run } = toRun(id)
  return { ...run, state: 'running', createdAt: now, updatedAt: now, expiresAt: 0, epoch: 1, done: 0 }
}
