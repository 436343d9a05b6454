import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, yes } from '../../test/open-test-pipeline.ts'
import type { CallResult } from '../contract/call-result.ts'
import { startQuery } from './query.ts'

const asks = { risk: 'safe_write' } as const
const once = { limits: { calls: { count: 1, windowMs: 60_000 } } }
const aborted = AbortSignal.abort()

describe('the order of the steps is a security property:', () => {
  test('an invalid input uses up neither the query nor the rate', async () => {
    const { call, runs } = openTestPipeline([defineEcho(once)])
    const query = startQuery()
    expect(codeOf(await call('test.echo', { text: 5 }, { query }))).toBe('invalid_input')
    expect(codeOf(await call('test.echo', { text: 'a'.repeat(2 ** 21) }, { query }))).toBe('input_too_large')
    expect(codeOf(await call('test.echo', { text: 'a' }, { query }))).toBe('success')
    expect(runs).toHaveLength(1)
  })

  test('a query that is used up uses no rate', async () => {
    const { call } = openTestPipeline([defineEcho(once)])
    const query = startQuery()
    query.take()
    expect(codeOf(await call('test.echo', { text: 'a' }, { query }))).toBe('single_step')
    expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('success')
  })

  test('nobody is asked about a call that is over its rate', async () => {
    const { call, asked } = openTestPipeline([defineEcho({ ...asks, ...once })], { approver: yes })
    expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('success')
    expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('rate_limited')
    expect(asked).toHaveLength(1)
  })

  test('a cancelled call uses up neither the query nor the rate, and nobody is asked', async () => {
    const { call, asked } = openTestPipeline([defineEcho({ ...asks, ...once })], { approver: yes })
    const query = startQuery()
    expect(codeOf(await call('test.echo', { text: 'a' }, { query, signal: aborted }))).toBe('cancelled')
    expect(asked).toEqual([])
    expect(codeOf(await call('test.echo', { text: 'a' }, { query }))).toBe('success')
  })

  test('an unapproved call leaves no intent', async () => {
    const { call, storage } = openTestPipeline([defineEcho(asks)])
    await call('test.echo', { text: 'a' })
    expect((await storage.ledger.read()).map((entry) => entry.record.kind)).toEqual(['refusal'])
  })

  test('the intent is in the ledger while the tool runs', async () => {
    const seen: string[] = []
    const { call, storage } = openTestPipeline([
      defineEcho({}, async (_input, { callId }) => {
        seen.push(...(await storage.ledger.read({ callId })).map((entry) => entry.record.kind))
        return { said: '' }
      }),
    ])
    await call('test.echo', { text: 'a' })
    expect(seen).toEqual(['intent'])
  })
})

test('a query makes one call, even of two at the same time', async () => {
  const { call, runs } = openTestPipeline([defineEcho()])
  const query = startQuery()
  const results = await Promise.all([1, 2, 3].map((text) => call('test.echo', { text: String(text) }, { query })))
  expect(results.map(codeOf).sort()).toEqual(['single_step', 'single_step', 'success'])
  expect(runs).toHaveLength(1)
})

test('a call that waits for approval may be made again under its query, and no other call', async () => {
  let answer: 'later' | 'yes' = 'later'
  const approver = async () => ({ answer, by: 'a test', id: 'q' })
  const { call, runs } = openTestPipeline([defineEcho(asks), defineEcho({ name: 'other' })], { approver })
  const query = startQuery()
  const make = (text: string, tool = 'echo') => call(`test.${tool}`, { text }, { query })
  expect(codeOf(await make('a'))).toBe('approval_required')
  expect(codeOf(await make('b'))).toBe('single_step')
  expect(codeOf(await make('a', 'other'))).toBe('single_step')
  expect(codeOf(await make('a'))).toBe('approval_required')
  answer = 'yes'
  const both = await Promise.all([make('a'), make('a')])
  expect(both.map(codeOf).sort()).toEqual(['single_step', 'success'])
  expect(codeOf(await make('a'))).toBe('single_step')
  expect(runs).toHaveLength(1)
})

test('where queries are demanded, a call without one is told how to name it', async () => {
  const { call, runs } = openTestPipeline([defineEcho()], { requireQuery: () => true })
  const refused = await call('test.echo', { text: 'a' })
  expect(refused).toMatchObject({
    ran: false,
    error: { code: 'single_step', suggestion: expect.stringContaining('_meta["toolpact/query"]') },
  })
  expect(codeOf(await call('test.echo', { text: 'a' }, { query: startQuery() }))).toBe('success')
  expect(runs).toHaveLength(1)
})

test('a failed call has used its query up', async () => {
  const { call } = openTestPipeline([defineEcho({}, (_input, { fail }) => fail('too_quiet', 'Nothing.'))])
  const query = startQuery()
  expect(codeOf(await call('test.echo', { text: 'a' }, { query }))).toBe('too_quiet')
  expect(codeOf(await call('test.echo', { text: 'a' }, { query }))).toBe('single_step')
})

function codeOf(result: CallResult): string {
  return result.success ? 'success' : result.error.code
}
