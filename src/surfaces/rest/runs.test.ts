import { expect, test } from 'vitest'
import { openRest } from '../../../test/helpers/open-rest.ts'
import { makeWorkflowFolder, readLog, step } from '../../../test/helpers/workflow-folder.ts'
import { readWait } from './started-runs.ts'

const given = { $from: '/input/text' }

const workflows = {
  quick: { steps: [step('one', 'note', given)], result: { said: { $from: '/steps/one/output/text' } } },
  slow: { steps: [step('one', 'note', given), step('two', 'note', 'slow 1500'), step('three', 'note', 'end')] },
  asking: { steps: [step('one', 'note', given), step('two', 'publish', given)] },
  failing: { steps: [step('one', 'note', given), step('two', 'send', 'fail once')] },
}

const approvers = [{ tools: ['flow.*'], who: ['boss', 'carl'] }]
const boss = { authorization: 'Bearer of-boss' }
const eve = { authorization: 'Bearer of-eve' }
const async = { prefer: 'respond-async' }

async function openRuns() {
  const folder = makeWorkflowFolder(workflows)
  const rest = await openRest({ contracts: [folder], toolsets: ['flow'], asks: true, config: { approvers } })
  rest.toolpact.runs!.begin()
  const until = (id: unknown, state: string) =>
    expect.poll(async () => (await rest.get(`/v1/runs/${id}`)).body.state, { timeout: 30_000 }).toBe(state)
  return { ...rest, log: () => readLog(folder), until }
}

test('a workflow that ends soon is answered like any tool', async () => {
  const { post } = await openRuns()
  const answer = await post('quick', { text: 'hi' })
  expect(answer).toMatchObject({ status: 200, body: { said: 'hi' } })
  expect(answer.headers.get('location')).toBeNull()
})

test('a workflow that does not end soon is answered with 202 and its run, which goes on', async () => {
  const { post, get, until, log } = await openRuns()
  const answer = await post('slow', { text: 'hi' }, async)
  const id = answer.body.run_id
  expect(answer).toMatchObject({ status: 202, body: { workflow: 'flow.slow', state: 'running', caller: 'tester' } })
  expect(answer.headers.get('location')).toBe(`/v1/runs/${id}`)
  expect(answer.headers.get('toolpact-call-id')).toBe(id)
  await until(id, 'completed')
  const { body } = await get(`/v1/runs/${id}`)
  expect(body).toMatchObject({ progress: { done: 3, total: 3 }, output: {}, input: { text: 'hi' }, waits_for: [] })
  expect(body.steps).toMatchObject([
    { step: 'one', state: 'done', tool: 'flow.note', output: { text: 'hi' }, call_id: expect.any(String) },
    { step: 'two', state: 'done' },
    { step: 'three', state: 'done' },
  ])
  expect(log()).toEqual(['one hi', 'two slow 1500', 'three end'])
})

test('wait=N answers with the output of a run that ends by then', async () => {
  const { post } = await openRuns()
  expect(await post('slow', { text: 'hi' }, { prefer: 'respond-async, wait=30' })).toMatchObject({ status: 200 })
})

test.each([
  [undefined, 5000],
  ['', 5000],
  ['return=minimal', 5000],
  ['respond-async', 0],
  ['Respond-Async; x=1', 0],
  ['respond-async, wait=7', 7000],
  ['wait="7"', 7000],
  ['wait=0', 0],
  ['wait=-1', 5000],
  ['wait=99999', 300_000],
])('Prefer: %s waits %i ms', (prefer, ms) => {
  expect(readWait(prefer)).toBe(ms)
})

test('a run that waits for approval names the question, and goes on once someone else has answered', async () => {
  const { post, get, until, log } = await openRuns()
  const { status, body } = await post('asking', { text: 'hi' }, { prefer: 'wait=0' })
  expect(status).toBe(202)
  await until(body.run_id, 'waiting')
  const run = (await get(`/v1/runs/${body.run_id}`)).body
  const [wait] = run.waits_for as { step: string; approval_id: string }[]
  expect(wait).toMatchObject({ step: 'two', approval_id: expect.any(String) })
  expect(await post(`/v1/approvals/${wait!.approval_id}`, { answer: 'yes' }, boss)).toMatchObject({ status: 200 })
  await until(body.run_id, 'completed')
  expect(log()).toEqual(['one hi', 'two hi'])
})

test('a key makes one run, also if the call is repeated', async () => {
  const { post, until, log } = await openRuns()
  const key = { ...async, 'idempotency-key': 'one' }
  const first = await post('slow', { text: 'hi' }, key)
  const second = await post('slow', { text: 'hi' }, key)
  expect(second).toMatchObject({ status: 202, body: { run_id: first.body.run_id } })
  expect(second.headers.get('location')).toBe(`/v1/runs/${first.body.run_id}`)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  await until(first.body.run_id, 'completed')
  expect(log()).toHaveLength(3)
})

test('runs are listed by state and workflow, in pages', async () => {
  const { post, get } = await openRuns()
  const ids: unknown[] = []
  for (const text of ['a', 'b', 'c']) {
    const { headers } = await post('quick', { text })
    ids.unshift(headers.get('toolpact-call-id'))
  }
  await post('failing', { text: 'x' })
  const page = (await get('/v1/runs?workflow=flow.quick&limit=2')).body as { runs: { run_id: string }[]; next: string }
  expect(page.runs.map(({ run_id }) => run_id)).toEqual(ids.slice(0, 2))
  const rest = (await get(`/v1/runs?workflow=flow.quick&limit=2&after=${page.next}`)).body
  expect(rest).toMatchObject({ runs: [{ run_id: ids[2], state: 'completed', progress: { done: 1, total: 1 } }] })
  expect(rest).not.toHaveProperty('next')
  expect((await get('/v1/runs?state=failed')).body.runs).toMatchObject([{ workflow: 'flow.failing' }])
  expect((await get('/v1/runs', eve)).body).toEqual({ runs: [] })
  expect((await get('/v1/runs?caller=tester', eve)).body).toEqual({ runs: [] })
  expect((await get('/v1/runs?caller=tester', boss)).body.runs).toHaveLength(4)
  for (const wrong of ['state=odd', 'limit=0', 'limit=999', 'after=x', 'colour=red'])
    expect(await get(`/v1/runs?${wrong}`)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
})

test('a run is cancelled and retried by its caller, and does not exist for others', async () => {
  const { post, get, until, log } = await openRuns()
  const slow = (await post('slow', { text: 'hi' }, async)).body.run_id
  for (const path of [`/v1/runs/${slow}/cancel`, `/v1/runs/${slow}/retry`, `/v1/runs/${slow}/resume`])
    expect(await post(path, {}, eve)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await get(`/v1/runs/${slow}`, eve)).toMatchObject({ status: 404 })
  expect(await get('/v1/runs/no-such-run')).toMatchObject({ status: 404 })
  expect(await post(`/v1/runs/${slow}/cancel`)).toMatchObject({ status: 200, body: { state: 'cancelled' } })
  expect(await post(`/v1/runs/${slow}/cancel`)).toMatchObject({ status: 409, body: { code: 'run_state' } })
  expect(await post(`/v1/runs/${slow}/retry`)).toMatchObject({ status: 409, body: { code: 'run_state' } })
  expect(log()).not.toContain('three end')
  const failed = await post('failing', { text: 'x' })
  expect(failed.status).toBeGreaterThanOrEqual(400)
  expect(await post(`/v1/runs/${failed.body.call_id}/retry`)).toMatchObject({ status: 200 })
  await until(failed.body.call_id, 'failed')
  expect(log().filter((line) => line === 'one x')).toHaveLength(1)
})

test('only a caller that approvers name decides about an interrupted step, and not about its own run', async () => {
  const { post } = await openRuns()
  const id = (await post('slow', { text: 'hi' }, { ...async, ...boss })).body.run_id
  const path = `/v1/runs/${id}/resume`
  const again = { step: 'two', as: 'again' }
  expect(await post(path, again, boss)).toMatchObject({ status: 403, body: { code: 'may_not_answer' } })
  expect(await post(path, again, eve)).toMatchObject({ status: 404 })
  const carl = { authorization: 'Bearer of-carl' }
  for (const body of [
    {},
    { step: 'two' },
    { step: 'two', as: 'done' },
    { ...again, output: {} },
    { ...again, more: 1 },
    'x',
  ])
    expect(await post(path, JSON.stringify(body), carl)).toMatchObject({
      status: 400,
      body: { code: 'invalid_decision' },
    })
  expect(await post(path, '{', carl)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
  // It is not interrupted.
  expect(await post(path, again, carl)).toMatchObject({ status: 409, body: { code: 'run_state' } })
})
