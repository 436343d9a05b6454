import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Approvals } from '../storage/storage.ts'
import { createWaitingApprover, type WaitOptions } from './queue-approvers.ts'

const tool = defineEcho({ risk: 'safe_write' })
const input = { text: 'a' }

describe.each(['memory', 'sqlite'] as const)('a call that waits a while, with the %s storage', (kind) => {
  test('runs as soon as a person approves it', async () => {
    const { call, approvals, runs } = open({ waitMs: 30_000 })
    const calling = call('test.echo', input)
    const { id } = await waitForQuestion(approvals)
    expect(await approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())).toMatchObject({ isAwaited: true })
    expect(await calling).toMatchObject({ success: true })
    expect(runs).toHaveLength(1)
    expect(await approvals.look(id, Date.now())).toMatchObject({ isUsed: true })
  })

  test('ends before its client does; a later yes runs nothing until the same call is made again', async () => {
    const { call, approvals, runs } = open({ waitMs: 20 })
    const id = idOf(await call('test.echo', input))
    expect(await approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())).toMatchObject({ isAwaited: false })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(runs).toEqual([])
    expect(await call('test.echo', input)).toMatchObject({ success: true })
    expect(idOf(await call('test.echo', input))).not.toBe(id)
    expect(runs).toHaveLength(1)
  })

  test('waits for the same question when it is made again, and the earlier call ends without running', async () => {
    const { call, approvals, runs, waiting } = open({ waitMs: 30_000 })
    const first = call('test.echo', input)
    const { id } = await waitForQuestion(approvals)
    const second = call('test.echo', input)
    expect(idOf(await first)).toBe(id)
    expect(runs).toEqual([])
    await approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
    expect(await second).toMatchObject({ success: true })
    expect(runs).toHaveLength(1)
    expect(waiting).toEqual([id])
  })

  test('is told of a no once', async () => {
    const { call, approvals } = open({ waitMs: 20 })
    const id = idOf(await call('test.echo', input))
    await approvals.answer(id, { answer: 'no', by: 'Ada' }, Date.now())
    expect(await call('test.echo', input)).toMatchObject({ error: { code: 'approval_denied' } })
    expect(idOf(await call('test.echo', input))).not.toBe(id)
  })

  test('withdraws its question when it is cancelled, and a yes that was given already', async () => {
    const { call, approvals, runs } = open({ waitMs: 30_000 })
    const controller = new AbortController()
    const calling = call('test.echo', input, { signal: controller.signal })
    const { id } = await waitForQuestion(approvals)
    controller.abort()
    expect(await calling).toMatchObject({ error: { code: 'cancelled' } })
    await expect.poll(() => approvals.look(id, Date.now())).toEqual({ state: 'expired' })
    expect(runs).toEqual([])
  })

  test('ends when its client is gone, and leaves its question for a client that comes back', async () => {
    const gone = new AbortController()
    const { call, approvals, runs } = open({ waitMs: 30_000, leave: gone.signal })
    const calling = call('test.echo', input)
    const { id } = await waitForQuestion(approvals)
    gone.abort()
    expect(idOf(await calling)).toBe(id)
    expect(await approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())).toMatchObject({ isAwaited: false })
    expect(runs).toEqual([])
    expect(await call('test.echo', input)).toMatchObject({ success: true })
  })

  test('does not wait if it may not', async () => {
    const { call } = open({ waitMs: 0 })
    const id = idOf(await call('test.echo', input))
    expect(idOf(await call('test.echo', input))).toBe(id)
  })

  test('cannot be approved once the question has expired', async () => {
    const { call, approvals } = open({ waitMs: 0, keepMs: 1 })
    const id = idOf(await call('test.echo', input))
    await expect.poll(() => approvals.look(id, Date.now())).toEqual({ state: 'expired' })
    expect(await approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())).toMatchObject({ taken: false })
  })

  function open(options: Pick<WaitOptions, 'waitMs' | 'leave'> & { keepMs?: number }) {
    const storage = openTestStorage(kind)
    const { approvals } = storage
    const waiting: string[] = []
    const onWaiting = (_: unknown, id: string) => waiting.push(id)
    const approver = createWaitingApprover({ approvals, keepMs: 60_000, onWaiting, ...options })
    return { ...openTestPipeline([tool], { storage, approver }), approvals, waiting }
  }
})

async function waitForQuestion(approvals: Approvals) {
  const pending = async () => (await approvals.questions(Date.now())).filter(({ state }) => state === 'pending')
  await expect.poll(pending, { timeout: 20_000 }).toHaveLength(1)
  return (await pending())[0]!
}

function idOf(result: CallResult): string {
  expect(result).toMatchObject({ success: false, ran: false, error: { code: 'approval_required' } })
  return (!result.success && result.error.approvalId) || 'none'
}
