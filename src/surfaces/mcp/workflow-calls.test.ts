import { expect, test } from 'vitest'
import { initialize, modernMeta, openMcpStdio, quiet } from '../../../test/helpers/open-mcp.ts'
import { toRequester, untilStatus, withTasks } from '../../../test/helpers/task-calls.ts'
import { makeWorkflowFolder, openFlow, step } from '../../../test/helpers/workflow-folder.ts'
import type { JsonObject } from '../../contract/json.ts'

const given = { $from: '/input/text' }
const said = { result: { said: { $from: '/steps/two/output/text' } } }

const workflows = {
  both: { steps: [step('one', 'note', given), step('two', 'send', given)], ...said },
  slow: { steps: [step('one', 'note', 'slow 1500'), step('two', 'send', given)], ...said },
  asking: { steps: [step('one', 'note', given), step('two', 'publish', given)], ...said },
  endless: { steps: [step('one', 'note', 'slow 60000'), step('two', 'send', given)], ...said },
}

const arguments_ = { text: 'hi' }
const call = (name: string, more: JsonObject = {}) => ({ name, arguments: arguments_, ...more })
const soon = { tasks: () => ({ afterMs: 20 }) }

async function openWorkflows(options: Parameters<typeof openMcpStdio>[0] = {}) {
  const flow = await openFlow(makeWorkflowFolder(workflows))
  const mcp = await openMcpStdio({ ...soon, toolpact: flow, ...options })
  flow.runs.begin()
  const requester = toRequester(mcp)
  const get = (taskId: string, capabilities?: JsonObject) => requester.modern('tasks/get', { taskId }, capabilities)
  const until = (taskId: string, status: string) => untilStatus(get, taskId, status)
  return { ...mcp, ...requester, ...flow, get, until }
}

async function findQuestion({ approvals }: { approvals: Awaited<ReturnType<typeof openFlow>>['approvals'] }) {
  let id = ''
  await expect
    .poll(async () => {
      id = (await approvals.questions(Date.now())).find(({ state }) => state === 'pending')?.id ?? ''
      return id
    })
    .not.toBe('')
  return id
}

test('progress is reported per step', async () => {
  const { request, seen, next, send } = await openWorkflows()
  send(initialize())
  await next()
  const { result } = await request('tools/call', call('both', { _meta: { progressToken: 7 } }))
  expect(result).toMatchObject({ isError: false, structuredContent: { said: 'hi' } })
  expect(seen.map(({ params }) => params)).toMatchObject([
    { progressToken: 7, total: 2, message: 'one (flow.note)' },
    { progressToken: 7, total: 2, message: 'two (flow.send)' },
  ])
})

test('a run that takes longer is a task, whose status says how far it is', async () => {
  const { modern, get, until, runs, log } = await openWorkflows()
  const { result } = await modern('tools/call', call('slow'))
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  await expect
    .poll(async () => (await get(result.taskId)).result.statusMessage)
    .toBe('0 of 2 steps have ended. Running: one.')
  // A run may wait for days.
  expect((await get(result.taskId)).result.ttlMs).toBeGreaterThan(7 * 86_400_000)
  const ended = await until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ resultType: 'complete', isError: false, structuredContent: { said: 'hi' } })
  expect(log()).toEqual(['one slow 1500', 'two hi'])
  expect(await runs.list()).toHaveLength(1)
})

test('a task waits for the approval of a step, which is answered elsewhere', async () => {
  const { modern, until, get, approvals, log } = await openWorkflows()
  const { result } = await modern('tools/call', call('asking'))
  const id = await findQuestion({ approvals })
  await expect
    .poll(async () => (await get(result.taskId)).result.statusMessage)
    .toBe(
      `1 of 2 steps have ended. The step two waits for approval. A person must run: toolpact approvals approve ${id.slice(0, 8)}`,
    )
  expect((await get(result.taskId)).result).toMatchObject({ status: 'working', pollIntervalMs: 5000 })
  await approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
  expect((await until(result.taskId, 'completed')).result).toMatchObject({ structuredContent: { said: 'hi' } })
  expect(log()).toEqual(['one hi', 'two hi'])
})

test('a client with forms is asked by its task, and its answer continues the run', async () => {
  const capabilities = withTasks({ elicitation: {} })
  const { modern, get, until, log } = await openWorkflows()
  const { result } = await modern('tools/call', call('asking'), capabilities)
  const look = (taskId: string) => get(taskId, capabilities)
  const asked = await untilStatus(look, result.taskId, 'input_required')
  const [[key, request]] = Object.entries(asked.inputRequests) as [[string, JsonObject]]
  expect(request).toMatchObject({ method: 'elicitation/create', params: { message: expect.stringMatching(/^Tool: publish\n/) } }) // biome-ignore format: one line
  // A client that does not elicit sees the same run without the form.
  expect((await get(result.taskId)).result).not.toHaveProperty('inputRequests')
  const inputResponses: JsonObject = { [key]: { action: 'accept', content: { decision: 'approve' } }, other: { action: 'accept' } } // biome-ignore format: one line
  await modern('tasks/update', { taskId: result.taskId, inputResponses }, capabilities)
  await until(result.taskId, 'completed')
  expect(log()).toEqual(['one hi', 'two hi'])
})

test('a denied step ends the task with the error of the run', async () => {
  const { modern, until, approvals } = await openWorkflows()
  const { result } = await modern('tools/call', call('asking'))
  await approvals.answer(await findQuestion({ approvals }), { answer: 'no', by: 'Ada' }, Date.now())
  const ended = await until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ isError: true, structuredContent: { code: 'step_failed' } })
})

test('cancelling the task cancels the run', async () => {
  const { modern, until, runs, log } = await openWorkflows()
  const { result } = await modern('tools/call', call('endless'))
  await expect.poll(() => runs.list()).toHaveLength(1)
  await modern('tasks/cancel', { taskId: result.taskId })
  await until(result.taskId, 'cancelled')
  await expect.poll(async () => (await runs.list())[0]!.state).toBe('cancelled')
  expect(log()).not.toContain('two hi')
})

test('a run that is cancelled elsewhere ends its task', async () => {
  const { modern, until, runs } = await openWorkflows()
  const { result } = await modern('tools/call', call('endless'))
  await expect.poll(() => runs.list()).toHaveLength(1)
  await runs.cancel((await runs.list())[0]!.id, 'Ada')
  await until(result.taskId, 'cancelled')
})

test('a client of 2025-11-25 follows the run by its task', async () => {
  const { request, send, next, approvals, seen } = await openWorkflows()
  send(initialize('2025-11-25'))
  await next()
  const { result } = await request('tools/call', call('asking', { task: { ttl: 60_000 } }))
  const { taskId } = result.task
  expect(result.task).toMatchObject({ status: 'working' })
  await approvals.answer(await findQuestion({ approvals }), { answer: 'yes', by: 'Ada' }, Date.now())
  const ended = await request('tasks/result', { taskId })
  expect(ended.result).toMatchObject({ isError: false, structuredContent: { said: 'hi' } })
  expect((await request('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' })
  const { tasks } = (await request('tasks/list', {})).result
  expect(tasks).toMatchObject([{ taskId, status: 'completed' }])
  expect(seen.map(({ method }) => method)).toContain('notifications/tasks/status')
})

test('a client without tasks gets the id of the run in time, and its repeated call the result of the same run', async () => {
  const { modern, approvals, runs, log } = await openWorkflows({ asking: { ...quiet, waitMs: 100 } })
  const first = (await modern('tools/call', call('asking'), {})).result
  const [run] = await runs.list()
  expect(first).toMatchObject({ isError: true, structuredContent: { code: 'run_pending' } })
  expect(first.content[0].text).toContain(`The run ${run!.id} of flow.asking has not ended.`)
  expect(first.content[0].text).toContain('Repeat the same call, unchanged')
  // While it waits, a repeated call says so again.
  expect((await modern('tools/call', call('asking'), {})).result).toMatchObject({ structuredContent: { code: 'run_pending' } }) // biome-ignore format: one line
  await approvals.answer(await findQuestion({ approvals }), { answer: 'yes', by: 'Ada' }, Date.now())
  await expect.poll(async () => (await runs.find(run!.id))?.state).toBe('completed')
  const repeated = (await modern('tools/call', call('asking'), {})).result
  expect(repeated).toMatchObject({ isError: false, structuredContent: { said: 'hi' } })
  expect(await runs.list()).toHaveLength(1)
  expect(log()).toEqual(['one hi', 'two hi'])
  // The result was delivered, so the next call is another run.
  await modern('tools/call', call('asking'), {})
  expect(await runs.list()).toHaveLength(2)
})

test('another input, or another caller, does not continue the run', async () => {
  const { modern, runs } = await openWorkflows({ asking: { ...quiet, waitMs: 100 } })
  await modern('tools/call', call('asking'), {})
  await modern('tools/call', { name: 'asking', arguments: { text: 'other' } }, {})
  expect(await runs.list()).toHaveLength(2)
})

test('a client with forms and without tasks is asked directly while it waits', async () => {
  const { modern, log } = await openWorkflows()
  const capabilities = { elicitation: {} }
  const asked = (await modern('tools/call', call('asking'), capabilities)).result
  expect(asked).toMatchObject({ resultType: 'input_required' })
  const [key] = Object.keys(asked.inputRequests)
  const inputResponses = { [key!]: { action: 'accept', content: { decision: 'approve' } } }
  const again = { ...call('asking'), inputResponses, requestState: asked.requestState, _meta: modernMeta(capabilities) }
  expect((await modern('tools/call', again)).result).toMatchObject({ structuredContent: { said: 'hi' } })
  expect(log()).toEqual(['one hi', 'two hi'])
})
