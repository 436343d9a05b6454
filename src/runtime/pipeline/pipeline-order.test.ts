import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import { publicCaller } from '../../contract/public-access.ts'
import { type Query, startQuery } from './queries.ts'

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

  test('no one is asked about a call above its rate limit', async () => {
    const { call, asked } = openTestPipeline([defineEcho({ ...asks, ...once })], { approver: yes })
    expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('success')
    expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('rate_limited')
    expect(asked).toHaveLength(1)
  })

  test('a cancelled call uses up neither the query nor the rate, and no one is asked', async () => {
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

test('if queries are required, a call without one gets an error that says how to name one', async () => {
  const { call, runs } = openTestPipeline([defineEcho()], { steps: () => ({ requireQuery: true }) })
  const refused = await call('test.echo', { text: 'a' })
  expect(refused).toMatchObject({
    ran: false,
    error: { code: 'single_step', suggestion: expect.stringContaining('_meta["toolpact/query"]') },
  })
  expect(codeOf(await call('test.echo', { text: 'a' }, { query: startQuery() }))).toBe('success')
  expect(runs).toHaveLength(1)
})

describe('where each query makes one call', () => {
  const ada = { name: 'ada', session: 'one' }
  const echo = { text: 'a' }

  test('calls without a query share that of their session, and their error says what to do', async () => {
    const { call, runs } = openTestPipeline([defineEcho()], { steps: () => ({ singleStep: true }) })
    expect(codeOf(await call('test.echo', { text: 5 }, { caller: ada }))).toBe('invalid_input')
    expect(codeOf(await call('test.echo', echo, { caller: ada }))).toBe('success')
    expect(await call('test.echo', echo, { caller: ada })).toMatchObject({
      ran: false,
      error: {
        code: 'single_step',
        message: expect.stringContaining('one query for the whole session'),
        suggestion: expect.stringMatching(/^Answer with what the first call gave\..*new session.*Toolpact-Query/s),
      },
    })
    for (const caller of [{ ...ada, session: 'two' }, { ...ada, name: 'eve' }, { name: 'ada' }]) {
      expect(codeOf(await call('test.echo', echo, { caller }))).toBe('success')
      expect(codeOf(await call('test.echo', echo, { caller }))).toBe('single_step')
    }
    expect(codeOf(await call('test.echo', echo, { caller: ada, query: startQuery() }))).toBe('success')
    expect(runs).toHaveLength(5)
  })

  test('anonymous calls without a session must name a query, so none uses up that of the others', async () => {
    const { call } = openTestPipeline([defineEcho()], { steps: () => ({ singleStep: true }) })
    const refused = await call('test.echo', echo, { caller: publicCaller })
    expect(refused).toMatchObject({
      error: { code: 'single_step', suggestion: expect.stringContaining('Toolpact-Query') },
    })
    for (const id of ['one', 'two'])
      expect(codeOf(await call('test.echo', echo, { caller: publicCaller, query: startQuery(id) }))).toBe('success')
    for (const session of ['three', 'four'])
      expect(codeOf(await call('test.echo', echo, { caller: { ...publicCaller, session } }))).toBe('success')
  })

  test('the error of a second call with an id of the client says how to start another query', async () => {
    const { call } = openTestPipeline([defineEcho()])
    const again = async (query: Query) => {
      await call('test.echo', echo, { query })
      return call('test.echo', echo, { query })
    }
    expect(await again(startQuery('q1'))).toMatchObject({
      error: {
        code: 'single_step',
        suggestion: expect.stringMatching(/send the id of a new query\..*over REST in the header Toolpact-Query/),
      },
    })
    expect(await again(startQuery())).not.toMatchObject({
      error: { suggestion: expect.stringContaining('Toolpact-Query') },
    })
  })

  test('a call that waits for approval may be made again in its session', async () => {
    let answer: 'later' | 'yes' = 'later'
    const approver = async () => ({ answer, by: 'a test', id: 'q' })
    const { call } = openTestPipeline([defineEcho(asks)], { approver, steps: () => ({ singleStep: true }) })
    expect(codeOf(await call('test.echo', echo))).toBe('approval_required')
    expect(codeOf(await call('test.echo', { text: 'b' }))).toBe('single_step')
    answer = 'yes'
    expect(codeOf(await call('test.echo', echo))).toBe('success')
    expect(codeOf(await call('test.echo', echo))).toBe('single_step')
  })

  test('the setting is read at each call, and a demand for queries takes precedence', async () => {
    let steps = {}
    const { call } = openTestPipeline([defineEcho()], { steps: () => steps })
    for (let calls = 0; calls < 2; calls++) expect(codeOf(await call('test.echo', echo))).toBe('success')
    steps = { singleStep: true }
    expect(codeOf(await call('test.echo', echo))).toBe('success')
    expect(codeOf(await call('test.echo', echo))).toBe('single_step')
    steps = { singleStep: true, requireQuery: true }
    const refused = await call('test.echo', echo, { caller: { name: 'another' } })
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('this one names none') } })
  })
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
