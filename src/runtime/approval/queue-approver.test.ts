import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Storage } from '../storage/storage.ts'
import { createQueueApprover } from './queue-approvers.ts'

const tool = defineEcho({ risk: 'safe_write', effects: { writes: ['text'] } })

describe.each(['memory', 'sqlite'] as const)('a call that waits in the queue of the %s storage', (kind) => {
  test('goes on with a yes, which is used up; the ledger says who and where', async () => {
    const { call, storage, records, runs } = open()
    const calling = call('test.echo', { text: 'a' })
    const question = await waitForQuestion(storage)
    expect(question).toMatchObject({
      tool: 'test.echo',
      summary: { caller: { name: 'tester' }, risk: 'safe_write', target: 'a' },
    })
    expect(await storage.approvals.details(question.id, Date.now())).toMatchObject({
      tool: 'test.echo',
      caller: { name: 'tester' },
      contract: { name: 'echo', risk: 'safe_write' },
      input: { text: 'a', times: 1 },
      effects: { writes: ['a'] },
      reason: 'The contract asks for approval (risk: safe_write).',
      foreseen: { places: [{ path: 'a' }], changes: [] },
    })
    expect(await storage.approvals.answer(question.id, { answer: 'yes', by: 'Ada' }, Date.now())).toMatchObject({
      taken: true,
      isAwaited: true,
    })
    const result = await calling
    expect(result.success).toBe(true)
    expect(result.callId).toBe(question.id)
    expect(runs).toHaveLength(1)
    expect((await records(result))[0]).toMatchObject({
      approval: { answer: 'yes', by: 'Ada', via: 'queue', id: question.id },
    })
    expect(await storage.approvals.use(question.id, question, Date.now())).toBeUndefined()
  })

  test('is refused with a no', async () => {
    const { call, storage, records, runs } = open()
    const calling = call('test.echo', { text: 'a' })
    const { id } = await waitForQuestion(storage)
    await storage.approvals.answer(id, { answer: 'no', by: 'Ada' }, Date.now())
    const result = await calling
    expect(codeOf(result)).toBe('approval_denied')
    expect((await records(result))[0]).toMatchObject({ approval: { answer: 'no', by: 'Ada', via: 'queue' } })
    expect(runs).toEqual([])
  })

  test('is refused when its time is over, and can be answered no more', async () => {
    const { call, storage, runs } = open(50)
    const result = await call('test.echo', { text: 'a' })
    expect(codeOf(result)).toBe('approval_timeout')
    const answered = await storage.approvals.answer(result.callId, { answer: 'yes', by: 'Ada' }, Date.now())
    expect(answered).toEqual({ taken: false, state: 'expired' })
    expect(runs).toEqual([])
  })

  test('takes its question back when it is cancelled', async () => {
    const controller = new AbortController()
    const { call, storage } = open()
    const calling = call('test.echo', { text: 'a' }, { signal: controller.signal })
    const { id } = await waitForQuestion(storage)
    controller.abort()
    expect(codeOf(await calling)).toBe('cancelled')
    await expect.poll(() => storage.approvals.look(id, Date.now())).toEqual({ state: 'expired' })
  })

  test('tells when it can be answered', async () => {
    const told: string[] = []
    const storage = openTestStorage(kind)
    const approver = createQueueApprover({
      approvals: storage.approvals,
      waitMs: 30_000,
      async onWaiting({ callId }) {
        told.push(callId)
        await storage.approvals.answer(callId, { answer: 'yes', by: 'Ada' }, Date.now())
      },
    })
    const { call } = openTestPipeline([tool], { storage, approver })
    const result = await call('test.echo', { text: 'a' })
    expect(result.success).toBe(true)
    expect(told).toEqual([result.callId])
  })

  test('does not run if the storage fails while it waits', async () => {
    const { call, storage, runs } = open()
    const calling = call('test.echo', { text: 'a' })
    await waitForQuestion(storage)
    await storage.close()
    expect((await calling).success).toBe(false)
    expect(runs).toEqual([])
  })

  function open(waitMs = 30_000) {
    const storage = openTestStorage(kind)
    const approver = createQueueApprover({ approvals: storage.approvals, waitMs })
    return openTestPipeline([tool], { storage, approver })
  }
})

async function waitForQuestion({ approvals }: Storage) {
  const pending = async () => (await approvals.questions(Date.now())).filter(({ state }) => state === 'pending')
  await expect.poll(pending, { timeout: 20_000 }).toHaveLength(1)
  return (await pending())[0]!
}

function codeOf(result: CallResult): string {
  return result.success ? 'success' : result.error.code
}
