import { randomUUID } from 'node:crypto'
import { type Approval, bindingParts, type LedgerRecord, type Storage } from '../storage.ts'
import { testCalls } from './calls.ts'
import { testConnections } from './connections.ts'
import { testEvidence } from './evidence.ts'
import { expect } from './expect.ts'
import { testProcesses } from './processes.ts'
import { testProof } from './proof.ts'
import { testQueue } from './queue.ts'
import { toIntent, toOutcome } from './records.ts'
import { testReplies } from './replies.ts'
import { testRuns } from './runs.ts'
import { testSessions } from './sessions.ts'
import { testSignIns } from './sign-ins.ts'
import { testState } from './state.ts'
import type { Describe } from './suite-parts.ts'
import { testTasks } from './tasks.ts'

export { runStorageJob } from './processes.ts'

/** The engine to test, and the test runner. */
export interface StorageSuite {
  /** Defines a test, such as `test` of `node:test` or Vitest. */
  readonly test: (name: string, run: () => Promise<void>) => unknown
  /** Opens a storage by name: an empty one for a new name, and the same state for a name that was opened before. */
  readonly open: (name: string) => Storage | Promise<Storage>
  /** URL of a module that exports the same `open`, for tests with several processes. Leave it out if the storage has one process. */
  readonly module?: string | URL
}

/**
 * Defines the tests that every storage engine must pass.
 * @example
 * import { test } from 'node:test'
 * import { testStorage } from 'toolpact/storage/suite'
 * import { open } from './engine.js'
 * testStorage({ test, open, module: import.meta.resolve('./engine.js') })
 */
export function testStorage({ test, open, module }: StorageSuite): void {
  const describe: Describe = (group, define) =>
    define((name, run) =>
      test(`${group}: ${name}`, async () => {
        const opened: Storage[] = []
        const openNew = async (name: string = randomUUID()) => {
          const storage = await open(name)
          opened.push(storage)
          return storage
        }
        try {
          await run(openNew)
        } finally {
          for (const storage of opened) await storage.close()
        }
      }),
    )

  describe('ledger', (test) => {
    test('is empty and intact at first', async (openNew) => {
      const { ledger } = await openNew()
      expect(await ledger.read()).toEqual([])
      expect(await ledger.verify()).toEqual({ intact: true, entries: 0, head: '0'.repeat(64) })
    })

    test('returns appended records, numbered from one in the order of the appends', async (openNew) => {
      const { ledger } = await openNew()
      const records = Array.from({ length: 300 }, (_, index) => toIntent(`call ${index}`))
      await Promise.all(records.map((record, index) => ledger.append(record, { durable: index % 50 === 0 })))
      const entries = await ledger.read()
      expect(entries.map(({ record }) => record)).toEqual(records)
      expect(entries.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1))
      const verdict = await ledger.verify()
      expect(verdict).toEqual({ intact: true, entries: 300, head: entries.at(-1)?.hash })
    })

    test('keeps a record as it was when it was appended', async (openNew) => {
      const { ledger } = await openNew()
      const input = { name: 'Ada' }
      const appended = ledger.append(toIntent('1', { input }), { durable: false })
      input.name = 'Eve'
      await appended
      const [entry] = await ledger.read()
      expect(entry?.record).toHaveProperty('input', { name: 'Ada' })
      ;(entry?.record as { tool: string }).tool = 'changed.later'
      expect((await ledger.read())[0]?.record.tool).toBe('learning.hello')
      expect(await ledger.verify()).toHaveProperty('intact', true)
    })

    test('stores any text, such as quotes, NUL characters, emoji and line separators', async (openNew) => {
      const { ledger } = await openNew()
      const input = { text: 'it\'s "so" \u0000 \u2028 \n 🙂 é \\ \u007f', '🙂': [1e300, -0.1, null, true, {}] }
      await ledger.append(toIntent('1', { input }), { durable: false })
      expect((await ledger.read())[0]?.record).toEqual(toIntent('1', { input }))
      expect(await ledger.verify()).toHaveProperty('intact', true)
    })

    test('rejects a record that is not JSON, and stores the others', async (openNew) => {
      const { ledger } = await openNew()
      const appends = [toIntent('1'), toIntent('2', { input: 1n as never }), toIntent('3')].map((record) =>
        ledger.append(record, { durable: false }),
      )
      const settled = await Promise.allSettled(appends)
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((await ledger.read()).map(({ record }) => record.callId)).toEqual(['1', '3'])
      expect(await ledger.verify()).toHaveProperty('entries', 2)
    })

    test('finds entries by number, tool, call and time, and limits them from either end', async (openNew) => {
      const { ledger } = await openNew()
      const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
      for (let index = 1; index <= 20; index++) {
        const tool = index % 5 === 0 ? 'practitioner.hello' : 'learning.hello'
        // The clock stepped back once: entry 11 to 20 are as old as 6 to 15.
        const second = index > 10 ? index - 5 : index
        await ledger.append(toIntent(`call ${Math.ceil(index / 2)}`, { tool, at: at(second) }), { durable: false })
      }
      const find = async (query: Parameters<typeof ledger.read>[0]) => (await ledger.read(query)).map(({ seq }) => seq)
      expect(await find({ afterSeq: 17 })).toEqual([18, 19, 20])
      expect(await find({ afterSeq: 20 })).toEqual([])
      expect(await find({ tool: 'practitioner.hello' })).toEqual([5, 10, 15, 20])
      expect(await find({ tool: 'absent.hello' })).toEqual([])
      expect(await find({ callId: 'call 3' })).toEqual([5, 6])
      expect(await find({ since: new Date(at(10)) })).toEqual([10, 15, 16, 17, 18, 19, 20])
      expect(await find({ last: 3 })).toEqual([18, 19, 20])
      expect(await find({ last: 0 })).toEqual([])
      expect(await find({ first: 2 })).toEqual([1, 2])
      expect(await find({ first: 0 })).toEqual([])
      expect(await find({ afterSeq: 4, first: 3 })).toEqual([5, 6, 7])
      expect(await find({ last: 100 })).toHaveLength(20)
      expect(await find({ last: 2, tool: 'practitioner.hello', since: new Date(at(6)), afterSeq: 6 })).toEqual([15, 20])
      expect(await find({ tool: "x' OR 1=1 --" })).toEqual([])
    })

    test('verifies while it is being appended to', async (openNew) => {
      const { ledger } = await openNew()
      const appendMany = async () => {
        for (let index = 0; index < 2500; index++) {
          const appended = ledger.append(toOutcome(`${index}`), { durable: false })
          if (index % 20 === 0) await appended
        }
      }
      const appending = appendMany()
      for (let round = 0; round < 20; round++) expect(await ledger.verify()).toHaveProperty('intact', true)
      await appending
      await ledger.append(toOutcome('the last'), { durable: false })
      expect(await ledger.verify()).toMatchObject({ intact: true, entries: 2501 })
    })

    test('is closed after close, with pending appends stored or rejected, never lost', async (openNew) => {
      const storage = await openNew()
      const { ledger, counters, approvals } = storage
      const underWay = ledger.append(toIntent('1'), { durable: true })
      await storage.close()
      await underWay
      await expect(ledger.append(toIntent('2'), { durable: false })).toRejectWith('closed')
      await expect(ledger.read()).toRejectWith('closed')
      await expect(ledger.verify()).toRejectWith('closed')
      await expect(counters.take('key', { count: 1, windowMs: 1 }, 0)).toRejectWith('closed')
      await expect(approvals.use('1', approval, 0)).toRejectWith('closed')
      await expect(approvals.grant(approval)).toRejectWith('closed')
      await storage.close()
    })
  })

  describe('counters', (test) => {
    test('give exactly the limit within the window, and say when there is more', async (openNew) => {
      const { counters } = await openNew()
      const limit = { count: 3, windowMs: 1000 }
      const take = (now: number) => counters.take('key', limit, now)
      expect(await take(5000)).toEqual({ taken: true })
      expect(await take(5100)).toEqual({ taken: true })
      expect(await take(5100)).toEqual({ taken: true })
      expect(await take(5100)).toEqual({ taken: false, retryAfterMs: 900 })
      expect(await take(5999)).toEqual({ taken: false, retryAfterMs: 1 })
      expect(await take(6000)).toEqual({ taken: true })
      expect(await take(6000)).toEqual({ taken: false, retryAfterMs: 100 })
      expect(await take(6099)).toEqual({ taken: false, retryAfterMs: 1 })
      expect(await take(6100)).toEqual({ taken: true })
      expect(await take(6100)).toEqual({ taken: true })
      expect(await take(6100)).toEqual({ taken: false, retryAfterMs: 900 })
    })

    test('keep keys apart', async (openNew) => {
      const { counters } = await openNew()
      const limit = { count: 1, windowMs: 1000 }
      expect(await counters.take('a', limit, 0)).toEqual({ taken: true })
      expect(await counters.take('b', limit, 0)).toEqual({ taken: true })
      expect(await counters.take('a', limit, 0)).toEqual({ taken: false, retryAfterMs: 1000 })
    })

    test('admit exactly the limit of many at once', async (openNew) => {
      const { counters } = await openNew()
      const takes = Array.from({ length: 200 }, () => counters.take('key', { count: 37, windowMs: 1000 }, 1))
      expect((await Promise.all(takes)).filter(({ taken }) => taken)).toHaveLength(37)
    })

    test('allow the whole limit again after the window', async (openNew) => {
      const { counters } = await openNew()
      for (let use = 0; use < 20; use++) await counters.take('another key', { count: 20, windowMs: 100_000 }, 0)
      for (const now of [0, 1000, 2000]) {
        const takes = Array.from({ length: 31 }, () => counters.take('key', { count: 30, windowMs: 1000 }, now))
        expect((await Promise.all(takes)).filter(({ taken }) => taken)).toHaveLength(30)
      }
    })

    test('never lock out for longer than the window when the clock moves back', async (openNew) => {
      const { counters } = await openNew()
      const limit = { count: 2, windowMs: 1000 }
      await counters.take('key', limit, 900_000)
      await counters.take('key', limit, 900_500)
      expect(await counters.take('key', limit, 10_000)).toEqual({ taken: false, retryAfterMs: 1000 })
      expect(await counters.take('key', limit, 10_999)).toEqual({ taken: false, retryAfterMs: 1 })
      expect(await counters.take('key', limit, 11_000)).toEqual({ taken: true })
    })

    test('follow a limit that was lowered or raised', async (openNew) => {
      const { counters } = await openNew()
      const take = (count: number, now: number) => counters.take('key', { count, windowMs: 100 }, now)
      for (const now of [1, 2, 3, 4]) expect(await take(4, now)).toEqual({ taken: true })
      expect(await take(2, 5)).toEqual({ taken: false, retryAfterMs: 98 })
      expect(await take(5, 5)).toEqual({ taken: true })
      expect(await take(0, 500)).toEqual({ taken: false, retryAfterMs: 100 })
    })

    test('agree with a plain count of the uses in the window, at random times', async (openNew) => {
      const { counters } = await openNew()
      let seed = 1
      const random = (max: number) => {
        seed = (seed * 48_271) % 2_147_483_647
        return seed % max
      }
      for (let run = 0; run < 40; run++) {
        const count = 1 + random(5)
        const uses: number[] = []
        let now = 1_000_000
        for (let step = random(60); step > 0; step--) {
          now += random(41)
          const inSpan = uses.filter((use) => use > now - 100)
          const expected =
            inSpan.length < count ? { taken: true } : { taken: false, retryAfterMs: inSpan.at(-count)! + 100 - now }
          expect(await counters.take(`run ${run}`, { count, windowMs: 100 }, now)).toEqual(expected)
          if (expected.taken) uses.push(now)
        }
      }
    })
  })

  describe('approvals', (test) => {
    test('are used once, even by fifty concurrent calls', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.grant(approval)
      const uses = await Promise.all(Array.from({ length: 50 }, () => approvals.use('1', approval, 0)))
      expect(uses.filter((used) => used !== undefined)).toEqual([approval])
      expect(await approvals.use('1', approval, 0)).toBeUndefined()
    })

    test('apply to their own call only, and another attempt does not consume them', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.grant(approval)
      for (const part of bindingParts) {
        expect(await approvals.use('1', { ...approval, [part]: 'other' }, 0)).toBeUndefined()
      }
      expect(await approvals.use('2', approval, 0)).toBeUndefined()
      expect(await approvals.use('1', approval, 0)).toEqual(approval)
    })

    test('end when they expire', async (openNew) => {
      const { approvals } = await openNew()
      await approvals.grant(approval)
      await approvals.grant({ ...approval, id: '2' })
      expect(await approvals.use('1', approval, approval.expiresAt - 1)).toEqual(approval)
      expect(await approvals.use('2', approval, approval.expiresAt)).toBeUndefined()
      expect(await approvals.use('2', approval, approval.expiresAt - 1)).toBeUndefined()
    })

    test('need unique ids', async (openNew) => {
      const { approvals, ledger } = await openNew()
      await approvals.grant(approval)
      const appended = ledger.append(toIntent('1') as LedgerRecord, { durable: false })
      await expect(approvals.grant({ ...approval, by: 'somebody else' })).toRejectWith('exists_already')
      await appended
      expect(await approvals.use('1', approval, 0)).toEqual(approval)
    })
  })

  const parts = { describe, isShared: module !== undefined }
  testCalls(parts)
  testQueue(parts)
  testReplies(parts)
  testEvidence(parts)
  testProof(parts)
  testSessions(parts)
  testTasks(parts)
  testSignIns(parts)
  testConnections(parts)
  testRuns(parts)
  testState(parts)
  if (module !== undefined) testProcesses({ ...parts, module: `${module}` })

  describe('notes', (test) => {
    test('are absent until they are set, and then return the newest value', async (openNew) => {
      const { notes } = await openNew()
      expect(await notes.get('last')).toBeUndefined()
      await notes.set('last', { command: 'ls' })
      await notes.set('other', null)
      await notes.set('last', { command: 'pwd' })
      expect(await notes.get('last')).toEqual({ command: 'pwd' })
      expect(await notes.get('other')).toBeNull()
    })

    test('keep the first value of many that are set once', async (openNew) => {
      const { notes } = await openNew()
      const values = await Promise.all([1, 2, 3].map((value) => notes.setOnce('key', value)))
      expect(new Set(values).size).toBe(1)
      expect(await notes.get('key')).toBe(values[0])
      await notes.set('key', 'new')
      expect(await notes.setOnce('key', 'late')).toBe('new')
    })

    test('are replaced only if they are still what was read', async (openNew) => {
      const { notes } = await openNew()
      expect(await notes.replace('key', null, 'first')).toBe(false)
      await notes.set('key', { b: 1, a: ["it's", null] })
      const known = (await notes.get('key'))!
      expect(await notes.replace('key', { b: 2 }, 'wrong')).toBe(false)
      const all = await Promise.all([1, 2, 3].map((value) => notes.replace('key', known, value)))
      expect(all.filter((isDone) => isDone).length).toBe(1)
      expect(await notes.get('key')).toBe(all.indexOf(true) + 1)
    })

    test('do not change with the value that was set', async (openNew) => {
      const { notes } = await openNew()
      const value = { list: [1] }
      await notes.set('key', value)
      value.list.push(2)
      expect(await notes.get('key')).toEqual({ list: [1] })
    })
  })

  describe('uses of rules', (test) => {
    test('are counted, with the last one, until the rule is forgotten', async (openNew) => {
      const { ruleUses } = await openNew()
      expect(await ruleUses.read()).toEqual(new Map())
      await Promise.all(Array.from({ length: 20 }, (_, index) => ruleUses.count('a', index)))
      await ruleUses.count('b', 5)
      const ofA = ['a', { count: 20, lastUsedAt: 19 }] as const
      expect(await ruleUses.read()).toEqual(new Map([ofA, ['b', { count: 1, lastUsedAt: 5 }]]))
      await ruleUses.forget('b')
      await ruleUses.forget('absent')
      expect(await ruleUses.read()).toEqual(new Map([ofA]))
    })

    test('cannot be counted or read once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      await expect(storage.ruleUses.count('a', 1)).toRejectWith('closed')
      await expect(storage.ruleUses.read()).toRejectWith('closed')
    })
  })
}

const approval: Approval = {
  id: '1',
  tool: 'workspace.write_file',
  contractDigest: 'sha256:contract',
  inputDigest: 'sha256:input',
  caller: 'ada',
  workspace: '/work',
  policyDigest: 'sha256:policy',
  previewDigest: 'sha256:preview',
  by: 'Ada',
  expiresAt: 1000,
}
