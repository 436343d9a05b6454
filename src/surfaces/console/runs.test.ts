import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { makeWorkflowFolder, step } from '../../../test/helpers/workflow-folder.ts'

const wait = { steps: [step('first', 'note', { $from: '/input/text' }), { id: 'rest', wait: { forMs: 3_600_000 } }] }
const fails = { steps: [step('first', 'note', 'once'), step('second', 'note', { $from: '/input/text' })] }

async function open(workflows: { readonly [name: string]: object }) {
  const folder = makeWorkflowFolder(workflows)
  return openConsole({ contracts: [folder], toolsets: ['flow'] })
}

test('runs are listed newest first, page by page, by state, workflow and caller', async () => {
  const { toolpact, signIn } = await open({ wait, fails })
  const { get } = await signIn('Ada', ['view'])
  for (const name of ['ada', 'bob', 'ada'])
    await toolpact.call('flow.wait', { text: 'x' }, { caller: { name }, run: { detach: AbortSignal.abort() } })
  await toolpact.call('flow.fails', { text: 'fail' }, { caller: { name: 'bob' } })
  await expect.poll(async () => (await get('runs?state=waiting')).json.runs.length).toBe(3)
  const first = (await get('runs?limit=3')).json
  expect(first.runs.map(({ workflow }: { workflow: string }) => workflow)).toEqual([
    'flow.fails',
    'flow.wait',
    'flow.wait',
  ])
  const rest = (await get(`runs?limit=3&after=${encodeURIComponent(first.next)}`)).json
  expect(rest).toMatchObject({ runs: [{ caller: 'ada', state: 'waiting', done: 1, total: 2 }], next: null })
  expect((await get('runs?caller=bob&workflow=flow.wait')).json.runs).toHaveLength(1)
  expect((await get('runs?state=done')).json).toMatchObject({ status: 400, code: 'invalid_request' })
  expect((await get('runs?after=x')).json).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('a run has its steps with what they wait for, and outputs on demand', async () => {
  const { toolpact, signIn } = await open({ wait })
  const { get } = await signIn('Ada', ['view'])
  await toolpact.call('flow.wait', { text: 'hi\u202e' }, { run: { detach: AbortSignal.abort() } })
  await expect.poll(async () => (await get('runs?state=waiting')).json.runs.length).toBe(1)
  const { id } = (await get('runs')).json.runs[0]
  expect((await get(`runs/${id}`)).json).toMatchObject({
    input: { text: 'hi\\u{202e}' },
    steps: [
      { key: 'first', after: [], tool: 'flow.note', state: 'done', outputBytes: expect.any(Number), callId: expect.any(String) },
      { key: 'rest', state: 'waiting', wakesAt: expect.stringMatching(/Z$/) },
    ],
  }) // biome-ignore format: one line
  expect((await get(`runs/${id}/output?step=first`)).json).toEqual({ output: { text: 'hi\\u{202e}' } })
  expect((await get(`runs/${id}/output`)).status).toBe(404)
  expect((await get('runs/none')).json).toMatchObject({ status: 404, detail: expect.stringContaining('no run') })
})

test('a step that asks waits, with its question, and the run is counted beside the navigation', async () => {
  const { toolpact, signIn } = await open({ asks: { steps: [step('first', 'publish', 'x')] } })
  const { get, post } = await signIn('Ada')
  toolpact.runs!.begin()
  await toolpact.call('flow.asks', { text: 'x' }, { run: { detach: AbortSignal.abort() } })
  await expect.poll(async () => (await get('overview')).json.runs).toBe(1)
  const { id } = (await get('runs')).json.runs[0]
  const [{ questionId, state }] = (await get(`runs/${id}`)).json.steps
  expect(state).toBe('waiting')
  expect((await get(`questions/${questionId}`)).json.run).toEqual({ id, step: 'first' })
  await post('questions/answer', { ids: [questionId], answer: 'yes' })
  await expect.poll(async () => (await get(`runs/${id}`)).json.state).toBe('completed')
  expect((await get('overview')).json.runs).toBe(0)
  const { callId } = (await get(`runs/${id}`)).json.steps[0]
  expect((await get(`calls/${callId}`)).json).toMatchObject({ run: { id, step: 'first' }, hasRun: false })
  expect((await get(`calls/${id}`)).json).toMatchObject({ hasRun: true })
})

test('cancel needs approve, retry needs manage, and each refuses a run in another state', async () => {
  const { toolpact, signIn } = await open({ wait, fails })
  const viewer = await signIn('Vera', ['view'])
  const answerer = await signIn('Ada', ['view', 'approve'])
  const manager = await signIn('Max', ['view', 'manage'])
  await toolpact.call('flow.wait', { text: 'x' }, { run: { detach: AbortSignal.abort() } })
  await expect.poll(async () => (await viewer.get('runs?state=waiting')).json.runs.length).toBe(1)
  const { id } = (await viewer.get('runs')).json.runs[0]
  expect((await viewer.post(`runs/${id}/cancel`)).status).toBe(403)
  expect((await answerer.post(`runs/${id}/retry`)).status).toBe(403)
  expect((await manager.post(`runs/${id}/retry`)).status).toBe(400)
  expect((await answerer.post(`runs/${id}/resume`, { step: 'rest', as: 'again' })).status).toBe(400)
  expect((await answerer.post(`runs/${id}/cancel`)).json.message).toMatch(/cancelled/)
  expect((await viewer.get(`runs/${id}`)).json.state).toBe('cancelled')
  expect((await answerer.post(`runs/${id}/cancel`)).json).toMatchObject({ status: 400 })
  expect((await answerer.post('runs/none/cancel')).json).toMatchObject({ status: 404 })
})
