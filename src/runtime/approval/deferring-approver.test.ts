import { describe, expect, test } from 'vitest'
import {
  defineEcho,
  openTestPipeline,
  openTestStorage,
  type TestOptions,
} from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import { queueLimits } from '../storage/storage.ts'
import { createDeferringApprover } from './queue-approvers.ts'

const tool = defineEcho({ risk: 'safe_write', effects: { writes: ['text'] } })
const input = { text: 'a' }

describe.each(['memory', 'sqlite'] as const)('a call that comes back later, with the %s storage', (kind) => {
  test('ends with an id, runs once with it after a yes, and never again', async () => {
    const { call, storage, runs } = open()
    const approvalId = idOf(await call('test.echo', input))
    expect(await storage.approvals.questions(Date.now())).toMatchObject([{ id: approvalId, state: 'pending' }])
    const details = { tool: 'test.echo', input: { text: 'a', times: 1 } }
    expect(await storage.approvals.details(approvalId, Date.now())).toMatchObject(details)
    expect(idOf(await call('test.echo', input, { approvalId }))).toBe(approvalId)
    expect(runs).toEqual([])
    await storage.approvals.answer(approvalId, { answer: 'yes', by: 'Ada' }, Date.now())
    expect(await call('test.echo', input, { approvalId })).toMatchObject({ success: true })
    expect(await call('test.echo', input, { approvalId })).toMatchObject({ error: { code: 'approval_denied' } })
    expect(runs).toHaveLength(1)
  })

  test('is refused after a no, and the one who said it is named', async () => {
    const { call, storage, runs } = open()
    const approvalId = idOf(await call('test.echo', input))
    await storage.approvals.answer(approvalId, { answer: 'no', by: 'Ada' }, Date.now())
    const result = await call('test.echo', input, { approvalId })
    expect(result).toMatchObject({ ran: false, error: { code: 'approval_denied' } })
    expect(result).toMatchObject({ error: { message: "'test.echo' was not approved (answered by: Ada)." } })
    expect(runs).toEqual([])
  })

  test('needs no id: the same call, made again, uses the answer once', async () => {
    const { call, storage, runs, records } = open()
    const id = idOf(await call('test.echo', input))
    await storage.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
    idOf(await call('test.echo', { text: 'b' }))
    idOf(await call('test.echo', input, { caller: { name: 'somebody else' } }))
    const again = await call('test.echo', { times: 1, ...input }, { caller: { name: 'tester', session: 'another' } })
    expect(again).toMatchObject({ success: true })
    expect((await records(again))[0]).toMatchObject({ approval: { answer: 'yes', by: 'Ada', via: 'queue', id } })
    expect(idOf(await call('test.echo', input))).not.toBe(id)
    expect(runs).toHaveLength(1)
  })

  test.each(['yes', 'no'] as const)(
    'records how long a person took for a %s, however late it is repeated',
    async (answer) => {
      const { call, storage, records } = open()
      const first = await call('test.echo', input)
      expect((await records(first))[0]).toMatchObject({ approval: { answer: 'later' } })
      const [question] = await storage.approvals.questions(Date.now())
      await storage.approvals.answer(idOf(first), { answer, by: 'Ada' }, question!.askedAt + 5000)
      const again = await call('test.echo', input)
      expect((await records(again))[0]).toMatchObject({ approval: { answer, waitedMs: 5000 } })
    },
  )

  test('is told of a no once, and asks again after that', async () => {
    const { call, storage } = open()
    const id = idOf(await call('test.echo', input))
    await storage.approvals.answer(id, { answer: 'no', by: 'Ada' }, Date.now())
    expect(await call('test.echo', input)).toMatchObject({ error: { code: 'approval_denied' } })
    expect(idOf(await call('test.echo', input))).not.toBe(id)
  })

  test('says what is waiting, the command that approves it, and to repeat the call', async () => {
    const { call } = open()
    const result = await call('test.echo', input)
    const id = idOf(result)
    expect(result).toMatchObject({
      error: {
        message: "'test.echo' (a) is waiting for a person's approval and has not run.",
        suggestion: `A person must run: toolpact approvals approve ${id.slice(0, 8)} (with --for-tool to allow later calls of the tool too). Then repeat the same call, unchanged: it runs without another question.`,
      },
    })
  })

  test('may not change its input', async () => {
    const { call, storage, runs } = open()
    const approvalId = idOf(await call('test.echo', input))
    await storage.approvals.answer(approvalId, { answer: 'yes', by: 'Ada' }, Date.now())
    const changed = await call('test.echo', { text: 'b' }, { approvalId })
    expect(changed).toMatchObject({ error: { code: 'approval_denied' } })
    expect(runs).toEqual([])
    expect(await call('test.echo', input, { approvalId })).toMatchObject({ success: true })
  })

  test('waits under one id however often it is made, and under another for another caller', async () => {
    const { call, waiting } = open()
    const first = idOf(await call('test.echo', input))
    expect(idOf(await call('test.echo', input))).toBe(first)
    expect(idOf(await call('test.echo', { text: 'b' }))).not.toBe(first)
    expect(idOf(await call('test.echo', input, { caller: { name: 'somebody else' } }))).not.toBe(first)
    expect(waiting).toHaveLength(3)
  })

  test('is refused where too many calls of its caller wait already, and is told what to do', async () => {
    const { call } = open()
    const { questions } = queueLimits.caller
    await Promise.all(Array.from({ length: questions }, async (_, index) => idOf(await call('test.echo', { text: `${index}` })))) // biome-ignore format: one line
    expect(await call('test.echo', input)).toMatchObject({
      ran: false,
      error: {
        code: 'approval_queue_full',
        status: 429,
        suggestion: expect.stringContaining('toolpact approvals deny --all-from tester'),
      },
    })
    idOf(await call('test.echo', input, { caller: { name: 'somebody else' } }))
  })

  test('asks again once nobody can answer any more', async () => {
    const { call } = open(0)
    const approvalId = idOf(await call('test.echo', input))
    expect(await call('test.echo', input, { approvalId })).toMatchObject({ error: { code: 'approval_denied' } })
    expect(idOf(await call('test.echo', input))).not.toBe(approvalId)
  })

  test('asks again if the rules have changed since the yes, and says why to the caller, the person and the ledger', async () => {
    let version = '1'
    const { call, storage, runs, records } = open(60_000, { policy: () => ({ version }) })
    const id = idOf(await call('test.echo', input))
    await storage.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
    version = '2'
    const why = 'An earlier yes to this call does not count: the rules or policy settings have changed since.'
    for (const more of [{}, { approvalId: id }]) {
      const again = await call('test.echo', input, more)
      expect(idOf(again)).not.toBe(id)
      if ('approvalId' in more) expect(again).toMatchObject({ error: { message: expect.stringContaining(why) } })
      const details = await storage.approvals.details(idOf(again), Date.now())
      expect(details).toMatchObject({ reason: expect.stringContaining(why) })
      expect((await records(again))[0]).toMatchObject({ kind: 'refusal', approval: { answer: 'later' } })
    }
    expect(runs).toEqual([])
    version = '1'
    expect(await call('test.echo', input)).toMatchObject({ success: true })
  })

  function open(keepMs = 60_000, more: TestOptions = {}) {
    const storage = openTestStorage(kind)
    const waiting: string[] = []
    const approver = createDeferringApprover({
      approvals: storage.approvals,
      keepMs,
      onWaiting: (_request, id) => waiting.push(id),
    })
    return { ...openTestPipeline([tool], { ...more, storage, approver }), waiting }
  }
})

function idOf(result: CallResult): string {
  expect(result).toMatchObject({ success: false, ran: false, error: { code: 'approval_required' } })
  return (!result.success && result.error.approvalId) || 'none'
}
