import { expect, test } from 'vitest'
import {
  accept,
  approveInQueue,
  elicitation,
  intentOf,
  waitForQuestion,
} from '../../../../test/helpers/approval-calls.ts'
import {
  initialize,
  openMcpHttp,
  openMcpStdio,
  quiet,
  readEvents,
  readJson,
} from '../../../../test/helpers/open-mcp.ts'
import { toRequester, untilStatus } from '../../../../test/helpers/task-calls.ts'
import type { JsonObject } from '../../../contract/json.ts'

const slow = { name: 'count', arguments: { steps: 3, pauseMs: 100 }, task: { ttl: 60_000 } }
const endless = { ...slow, arguments: { steps: 100, pauseMs: 600 } }
const noted = { name: 'note', arguments: { text: 'hi' }, task: {} }
const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } })

async function openLegacy(capabilities: JsonObject = {}, options: Parameters<typeof openMcpStdio>[0] = {}) {
  const mcp = await openMcpStdio(options)
  const requester = toRequester(mcp)
  mcp.send(initialize('2025-11-25', capabilities))
  const about = (await mcp.next()).result
  const get = (taskId: string) => requester.request('tasks/get', { taskId })
  const until = (taskId: string, status: string) => untilStatus(get, taskId, status)
  return { ...mcp, ...requester, about, get, until }
}

test('2025-11-25 declares tasks, and tools that may be called as one', async () => {
  const { about, request } = await openLegacy()
  expect(about.capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } })
  const { tools } = (await request('tools/list', {})).result
  for (const tool of tools) expect(tool.execution).toEqual({ taskSupport: 'optional' })
})

test('other revisions declare none, and take a task for a call like any other', async () => {
  const mcp = await openMcpStdio()
  const { request } = toRequester(mcp)
  mcp.send(initialize('2025-06-18'))
  expect((await mcp.next()).result.capabilities).not.toHaveProperty('tasks')
  expect((await request('tools/list', {})).result.tools[0]).not.toHaveProperty('execution')
  expect((await request('tools/call', slow)).result).toMatchObject({ structuredContent: { counted: 3 } })
  expect((await request('tasks/list', {})).error).toMatchObject({ code: -32601 })
})

test('a call with a task is answered at once, and its result waits for the end', async () => {
  const { request, get, seen } = await openLegacy()
  const { result } = await request('tools/call', { ...slow, _meta: { progressToken: 'p' } })
  expect(result).toEqual({
    task: {
      ...{ taskId: expect.any(String), status: 'working', ttl: 60_000, pollInterval: 1000 },
      ...{ createdAt: expect.any(String), lastUpdatedAt: expect.any(String) },
    },
  })
  const { taskId } = result.task
  const ended = await request('tasks/result', { taskId })
  expect(ended.result).toMatchObject({ structuredContent: { counted: 3 }, _meta: related(taskId) })
  expect((await get(taskId)).result).toMatchObject({ taskId, status: 'completed' })
  const progress = seen.filter(({ method }) => method === 'notifications/progress')
  expect(progress.at(-1)).toMatchObject({ params: { progressToken: 'p', progress: 3, _meta: related(taskId) } })
  expect(seen.filter(({ method }) => method === 'notifications/tasks/status').at(-1)).toMatchObject({
    params: { taskId, status: 'completed' },
  })
})

test('a call that returns an error has failed, and its result is that error', async () => {
  const { request, until } = await openLegacy()
  const { taskId } = (await request('tools/call', { name: 'echo', arguments: { text: '' }, task: {} })).result.task
  await until(taskId, 'failed')
  expect((await request('tasks/result', { taskId })).result).toMatchObject({ isError: true, _meta: related(taskId) })
  const unknown = (await request('tools/call', { name: 'absent', task: {} })).result.task
  await until(unknown.taskId, 'failed')
  expect((await request('tasks/result', { taskId: unknown.taskId })).error).toMatchObject({ code: -32602 })
})

test('a task is cancelled once', async () => {
  const { request } = await openLegacy()
  const { taskId } = (await request('tools/call', endless)).result.task
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' })
  expect((await request('tasks/cancel', { taskId })).error).toMatchObject({
    code: -32602,
    message: 'The task has ended with the status cancelled.',
  })
  expect((await request('tasks/result', { taskId })).error).toMatchObject({ message: 'The task was cancelled.' })
})

test('tasks are listed in pages, newest first', async () => {
  const { request } = await openLegacy()
  for (let index = 0; index < 101; index++)
    await request('tools/call', { name: 'echo', arguments: { text: 'hi' }, task: {} })
  const first = (await request('tasks/list', {})).result
  expect(first.tasks).toHaveLength(100)
  const rest = (await request('tasks/list', { cursor: first.nextCursor })).result
  expect(rest.tasks).toHaveLength(1)
  expect(rest).not.toHaveProperty('nextCursor')
  const ids = [...first.tasks, ...rest.tasks].map(({ taskId }) => taskId)
  expect(new Set(ids).size).toBe(101)
  for (const cursor of ['x', 'bnVsbA', 7, null])
    expect((await request('tasks/list', { cursor })).error).toMatchObject({ code: -32602 })
})

test('without forms, the task works until a person answers in the queue', async () => {
  const { request, until, toolpact } = await openLegacy()
  const { taskId } = (await request('tools/call', noted)).result.task
  await waitForQuestion(toolpact)
  const waiting = request('tasks/result', { taskId })
  await approveInQueue(toolpact)
  expect((await waiting).result).toMatchObject({ structuredContent: { noted: 'hi in notes.txt' } })
  await until(taskId, 'completed')
})

test('with forms, the task requires input, which the request for the result brings', async () => {
  const { request, send, next, until, toolpact } = await openLegacy(elicitation)
  const { taskId } = (await request('tools/call', noted)).result.task
  await until(taskId, 'input_required')
  send({ jsonrpc: '2.0', id: 'result', method: 'tasks/result', params: { taskId } })
  let asked = await next()
  while (asked.method !== 'elicitation/create') asked = await next()
  expect(asked.params).toMatchObject({ message: expect.stringMatching(/^Tool: note\n/), _meta: related(taskId) })
  send({ jsonrpc: '2.0', id: asked.id, result: accept })
  let ended = await next()
  while (ended.id !== 'result') ended = await next()
  expect(ended.result).toMatchObject({ structuredContent: { noted: 'hi in notes.txt' } })
  expect(await intentOf(toolpact)).toMatchObject({ approval: { answer: 'yes', via: 'elicitation' } })
})

test('over HTTP a task outlives its session, and belongs to its caller', async () => {
  const { post, begin } = await openMcpHttp({ asking: quiet })
  const ask = async (headers: Record<string, string>, method: string, params: JsonObject) => {
    const response = await post({ jsonrpc: '2.0', id: 7, method, params }, headers)
    if (!response.headers.get('content-type')?.includes('event-stream')) return readJson(response)
    let last: unknown
    for await (const event of readEvents(response)) last = event
    return last
  }
  const session = await begin('2025-11-25', {}, { 'X-Caller': 'ada' })
  const { taskId } = (await ask(session, 'tools/call', slow)).result.task
  const again = await begin('2025-11-25', {}, { 'X-Caller': 'ada' })
  const eve = await begin('2025-11-25', {}, { 'X-Caller': 'eve' })
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    expect((await ask(eve, method, { taskId })).error).toMatchObject({ code: -32602 })
  expect((await ask(eve, 'tasks/list', {})).result.tasks).toEqual([])
  expect((await ask(again, 'tasks/result', { taskId })).result).toMatchObject({ structuredContent: { counted: 3 } })
})

test.each([[5], ['x'], [null], [[]], [{ ttl: 'x' }], [{ ttl: -1 }]])('the task %j is refused', async (task) => {
  const { request } = await openLegacy()
  expect((await request('tools/call', { ...slow, task })).error).toMatchObject({ code: -32602 })
})
