import { once } from 'node:events'
import type { CallsQuery, FoundCall, Ledger, LedgerRecord } from '../storage.ts'
import { expect } from './expect.ts'
import { question } from './queue.ts'
import { toIntent, toOutcome, toRefusal, toStep } from './records.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests pages of calls, statistics and watching. Part of `testStorage`. */
export function testCalls({ describe }: SuiteParts) {
  describe('calls', (test) => {
    test('are found newest first, assembled from their entries, in pages', async (openNew) => {
      const { ledger } = await openNew()
      expect(await ledger.calls()).toEqual({ calls: [], before: null })
      expect((await ledger.head()).seq).toBe(0)
      await appendAll(ledger, [
        toIntent('1'),
        toIntent('2'),
        toOutcome('2'),
        toRefusal('3', { errorCode: 'denied' }),
        toOutcome('1', { success: false, errorCode: 'timeout' }),
        toIntent('4'),
      ])
      const [entry] = await ledger.read({ last: 1 })
      expect(await ledger.head()).toEqual({ seq: 6, hash: entry?.hash })
      const { calls } = await ledger.calls()
      expect(calls.map(({ callId, seq, state, errorCode }) => [callId, seq, state, errorCode])).toEqual([
        ['4', 6, 'interrupted', null],
        ['3', 4, 'refused', 'denied'],
        ['2', 2, 'succeeded', null],
        ['1', 1, 'failed', 'timeout'],
      ])
      expect(calls[3]).toMatchObject({ caller: { name: 'test' }, input: { name: 'Ada' }, durationMs: 12 })
      expect((await ledger.calls({ limit: 1 })).calls.map(({ callId }) => callId)).toEqual(['4'])
      expect((await findAll(ledger, { limit: 1 })).map(({ callId }) => callId)).toEqual(['4', '3', '2', '1'])
      expect((await ledger.calls({ before: 4 })).calls.map(({ callId }) => callId)).toEqual(['2', '1'])
    })

    test('are found by tool, caller, outcome, time and text of the input', async (openNew) => {
      const { ledger } = await openNew()
      const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
      const odd = 'a "quoted"\u0000\n%_ caller'
      await appendAll(ledger, [
        toIntent('1', { at: at(1), tool: 'web.fetch', input: { url: 'https://Example.ORG/ä"b' } }),
        toOutcome('1', { at: at(9), tool: 'web.fetch', success: false, errorCode: 'timeout' }),
        toIntent('2', { at: at(2), caller: { name: odd } }),
        toOutcome('2', { at: at(2) }),
        toRefusal('3', { at: at(3), caller: { name: 'codex' }, errorCode: 'timeout' }),
        toIntent('4', { at: at(4), caller: { name: 'codex', session: 's' } }),
      ])
      const find = async (query: CallsQuery) => (await findAll(ledger, query)).map(({ callId }) => callId)
      expect(await find({ tool: 'web.fetch' })).toEqual(['1'])
      expect(await find({ tool: 'web.fetc' })).toEqual([])
      expect(await find({ caller: 'codex' })).toEqual(['4', '3'])
      expect(await find({ caller: odd })).toEqual(['2'])
      expect(await find({ caller: 'quoted' })).toEqual([])
      expect(await find({ outcome: 'timeout' })).toEqual(['3', '1'])
      expect(await find({ outcome: 'refused' })).toEqual(['3'])
      expect(await find({ outcome: 'failed' })).toEqual(['1'])
      expect(await find({ outcome: 'succeeded' })).toEqual(['2'])
      expect(await find({ outcome: 'interrupted' })).toEqual(['4'])
      expect(await find({ since: new Date(at(2)), until: new Date(at(4)) })).toEqual(['3', '2'])
      expect(await find({ text: 'EXAMPLE.org/Ä\\"b' })).toEqual(['1'])
      expect(await find({ text: '"url":' })).toEqual(['1'])
      expect(await find({ text: 'learning.hello' })).toEqual([])
      expect(await find({ caller: 'codex', outcome: 'timeout', tool: 'learning.hello' })).toEqual(['3'])
    })

    test('include runs of the agent', async (openNew) => {
      const { ledger } = await openNew()
      await appendAll(ledger, [
        toStep('run', 'gate', { details: { caller: { name: 'ada' }, question: 'How many Files?' } }),
        toIntent('inner'),
        toStep('run', 'call', { passed: false }),
        toOutcome('inner'),
        toStep('run', 'end', { passed: false, details: { code: 'denied', durationMs: 30 } }),
      ])
      expect((await ledger.calls()).calls).toMatchObject([
        { seq: 2, callId: 'inner', state: 'succeeded' },
        { seq: 1, callId: 'run', state: 'refused', errorCode: 'denied', caller: { name: 'ada' }, durationMs: 30 },
      ])
      expect((await findAll(ledger, { text: 'files?' })).map(({ callId }) => callId)).toEqual(['run'])
      expect((await findAll(ledger, { outcome: 'denied' })).map(({ callId }) => callId)).toEqual(['run'])
    })
  })

  describe('statistics', (test) => {
    test('count calls per bucket by outcome, tool, refusal and violation, with durations', async (openNew) => {
      const { ledger } = await openNew()
      const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString()
      for (let index = 1; index <= 100; index++) {
        const minute = at(index <= 50 ? 0 : 20)
        await appendAll(ledger, [
          toIntent(`${index}`, { at: minute }),
          toOutcome(`${index}`, { at: minute, durationMs: index }),
        ])
      }
      await appendAll(ledger, [
        toIntent('slow', { at: at(1), tool: 'web.fetch', approval: { answer: 'yes', by: 'Ada', waitedMs: 60_000 } }),
        toOutcome('slow', { at: at(21), tool: 'web.fetch', success: false, errorCode: 'invalid_output', violation: 'invalid_output', durationMs: 60_200 }), // biome-ignore format: one line
        toRefusal('denied', { at: at(22), errorCode: 'denied', approval: { answer: 'no', by: 'Ada', waitedMs: 1000 } }),
        toRefusal('later', { at: at(22), errorCode: 'approval_required', approval: { answer: 'later', by: 'no one yet', id: 'later' } }), // biome-ignore format: one line
        toRefusal('unknown', { at: at(22), tool: 'made.up', contractDigest: null, errorCode: 'tool_not_found' }),
        toIntent('too late', { at: at(31) }),
        toOutcome('too late', { at: at(31) }),
      ])
      const bucketMs = 15 * 60_000
      const stats = await ledger.stats({ since: new Date(at(3)), until: new Date(at(30)), bucketMs })
      expect({ ...stats, tools: undefined, questions: undefined }).toEqual({
        times: [Date.parse(at(0)), Date.parse(at(15))],
        bucketMs,
        outcomes: { succeeded: [50, 50], failed: [0, 1], refused: [0, 3] },
        violations: [{ toolset: 'web', count: 1 }],
        refusals: [
          { code: 'approval_required', count: 1 },
          { code: 'denied', count: 1 },
          { code: 'tool_not_found', count: 1 },
        ],
      })
      expect(stats.questions.asked).toEqual([1, 2])
      for (const [index, ms] of [60_000, 1000].entries()) expectNear(stats.questions.waitMs[index], ms)
      expect(stats.tools.map(({ tool, calls }) => [tool, calls])).toEqual([
        ['learning.hello', 102],
        ['web.fetch', 1],
      ])
      const [hello, fetch] = stats.tools
      for (const [name, expected] of [
        ['p50', [25, 75]],
        ['p95', [48, 98]],
        ['p99', [50, 100]],
      ] as const)
        for (const [index, ms] of expected.entries()) expectNear(hello?.[name][index], ms)
      // Without the minute that a person took.
      expect(fetch?.p50[0]).toBeNull()
      expectNear(fetch?.p99[1], 200)
    })

    test('total the calls of each tool, and by caller', async (openNew) => {
      const { ledger } = await openNew()
      expect(await ledger.totals()).toEqual([])
      const names = ['ada', 'eve', 'ada']
      const begun = names.map((name, index) => toIntent(`${index}`, { caller: { name } }))
      await appendAll(ledger, [
        ...begun,
        toOutcome('0'),
        toOutcome('1', { success: false, errorCode: 'timeout' }),
        toRefusal('3', { tool: 'web.fetch', errorCode: 'denied' }),
        toRefusal('4', { tool: 'made.up', contractDigest: null, errorCode: 'tool_not_found' }),
      ])
      const hello = {
        tool: 'learning.hello',
        calls: 3,
        failed: 1,
        refused: 0,
        since: toIntent('').at,
        callers: [
          { caller: 'ada', calls: 2 },
          { caller: 'eve', calls: 1 },
        ],
      }
      expect((await ledger.totals()).map(({ tool, calls, refused }) => [tool, calls, refused])).toEqual([
        ['learning.hello', 3, 0],
        ['web.fetch', 1, 1],
      ])
      expect(await ledger.totals('learning.hello')).toEqual([hello])
      expect(await ledger.totals('absent.tool')).toEqual([])
    })
  })

  describe('watching', (test) => {
    test('reports appended entries, until it is stopped', async (openNew) => {
      const { ledger } = await openNew()
      const changes = watchChanges(ledger)
      for (const durable of [true, false]) await changes.after(() => ledger.append(toIntent(`${durable}`), { durable }))
      changes.stop()
      const before = changes.count()
      await ledger.append(toIntent('unseen'), { durable: true })
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(changes.count()).toBe(before)
    })

    test('reports questions that are asked, answered and withdrawn', async (openNew) => {
      const { approvals } = await openNew()
      const changes = watchChanges(approvals)
      for (const id of ['1', '2']) await changes.after(() => approvals.request({ ...question, id }, 10))
      await changes.after(() => approvals.answer('1', { answer: 'yes', by: 'Ada' }, 20))
      await changes.after(() => approvals.withdraw('2', 20))
      changes.stop()
    })
  })
}

/** Counts changes, and waits for the one that follows an action. */
export function watchChanges({ watch }: Pick<Ledger, 'watch'>) {
  const changes = new EventTarget()
  let count = 0
  const stop = watch(() => {
    count += 1
    changes.dispatchEvent(new Event('changed'))
  })
  return {
    stop,
    count: () => count,
    async after(act: () => Promise<unknown>) {
      const changed = once(changes, 'changed', { signal: AbortSignal.timeout(10_000) })
      await act()
      await changed
    },
  }
}

async function appendAll(ledger: Ledger, records: readonly LedgerRecord[]) {
  await Promise.all(records.map((record) => ledger.append(record, { durable: false })))
}

/** Follows the pages to the end. */
export async function findAll(ledger: Ledger, query: CallsQuery): Promise<FoundCall[]> {
  const found: FoundCall[] = []
  for (let before: number | null | undefined = query.before; before !== null; ) {
    const page = await ledger.calls({ ...query, ...(before !== undefined && { before }) })
    expect(page.before !== null && before !== undefined && page.before >= before).toBe(false)
    found.push(...page.calls)
    before = page.before
  }
  return found
}

function expectNear(value: number | null | undefined, expected: number) {
  expect(typeof value === 'number' && Math.abs(value / expected - 1) <= 0.06, `${value} is not near ${expected}`).toBe(
    true,
  )
}
