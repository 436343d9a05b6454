import { expect, test } from 'vitest'
import {
  accept,
  approveInQueue,
  intentOf,
  pendingIn,
  waitForQuestion,
} from '../../../../test/helpers/approval-calls.ts'
import {
  modernMeta,
  openMcpHttp,
  openMcpStdio,
  quiet,
  readEvents,
  readJson,
} from '../../../../test/helpers/open-mcp.ts'
import { tasksKey, toRequester, untilStatus, withTasks } from '../../../../test/helpers/task-calls.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { taskLimits } from '../../../runtime/storage/tasks.ts'

const soon = { tasks: () => ({ afterMs: 20 }) }
const slow = { name: 'count', arguments: { steps: 3, pauseMs: 200 } }
const endless = { name: 'count', arguments: { steps: 100, pauseMs: 600 } }
const noted = { name: 'note', arguments: { text: 'hi' } }
const elicits = withTasks({ elicitation: {} })

async function openTasks(options: Parameters<typeof openMcpStdio>[0] = {}) {
  const mcp = await openMcpStdio({ ...soon, ...options })
  const requester = toRequester(mcp)
  const get = (taskId: string) => requester.modern('tasks/get', { taskId })
  return { ...mcp, ...requester, get, until: (taskId: string, status: string) => untilStatus(get, taskId, status) }
}

test('a call that takes longer is answered with a task, whose result is what the call would have returned', async () => {
  const { modern, until, seen } = await openTasks()
  const { result } = await modern('tools/call', { ...slow, _meta: modernMeta(withTasks(), { progressToken: 1 }) })
  expect(result).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 1000, ttlMs: 3_600_000 })
  expect(result.taskId).toMatch(/^[\w-]{32}$/)
  expect(Number.isNaN(Date.parse(result.createdAt))).toBe(false)
  const before = seen.length
  const ended = await until(result.taskId, 'completed')
  expect(ended).toMatchObject({
    resultType: 'complete',
    result: { resultType: 'complete', isError: false, structuredContent: { counted: 3 } },
  })
  expect(ended).not.toHaveProperty('pollIntervalMs')
  // No progress is sent during a task.
  expect(seen.slice(before)).toEqual([])
})

test('a short call is answered with its result, and stores no task', async () => {
  const { modern, toolpact } = await openTasks({ tasks: () => ({ afterMs: 30_000 }) })
  const { result } = await modern('tools/call', { name: 'echo', arguments: { text: 'hi' } })
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { said: 'hi' } })
  expect(await toolpact.tasks!.list('stdio', { limit: 9 }, Date.now())).toEqual([])
})

test('a client that does not declare tasks gets results only, and no methods of tasks', async () => {
  const { modern, toolpact } = await openTasks()
  const { result } = await modern('tools/call', slow, {})
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { counted: 3 } })
  expect(await toolpact.tasks!.list('stdio', { limit: 9 }, Date.now())).toEqual([])
  const required = { extensions: { [tasksKey]: {} } }
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    expect((await modern(method, { taskId: 'x' }, {})).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: required },
    })
  for (const method of ['tasks/list', 'tasks/result', 'tasks/other'])
    expect((await modern(method, { taskId: 'x' })).error).toMatchObject({ code: -32601 })
})

test('the extension is declared', async () => {
  const { modern } = await openTasks()
  expect((await modern('server/discover')).result.capabilities.extensions).toEqual({ [tasksKey]: {} })
})

test('the status message is what the tool last reported', async () => {
  const { modern, get } = await openTasks()
  const { taskId } = (await modern('tools/call', endless)).result
  await expect.poll(async () => (await get(taskId)).result.statusMessage, { timeout: 60_000 }).toMatch(/^step \d+$/)
  await modern('tasks/cancel', { taskId })
})

test('a cancelled task stays cancelled, and its call ends', async () => {
  const { modern, get, toolpact } = await openTasks()
  const { taskId } = (await modern('tools/call', endless)).result
  expect((await modern('tasks/cancel', { taskId })).result).toEqual({
    resultType: 'complete',
    _meta: expect.anything(),
  })
  expect((await get(taskId)).result).toMatchObject({ status: 'cancelled' })
  await expect
    .poll(async () => (await toolpact.ledger.read({ last: 1 }))[0]?.record, { timeout: 60_000 })
    .toMatchObject({ kind: 'outcome', errorCode: 'cancelled' })
  expect((await get(taskId)).result).not.toHaveProperty('result')
  expect((await modern('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' })
})

test('cancelling the request of a task does not end it', async () => {
  const { modern, send, until } = await openTasks()
  const { id, result } = await modern('tools/call', slow)
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
  await until(result.taskId, 'completed')
})

test('a tool that fails completes its task with the error', async () => {
  const { modern, until } = await openTasks({ tasks: () => ({ afterMs: 0 }) })
  const { result } = await modern('tools/call', { ...slow, arguments: { steps: 1, pauseMs: 'x' } })
  const ended = result.resultType === 'task' ? (await until(result.taskId, 'completed')).result : result
  expect(ended).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } })
})

test('without forms, a call that needs approval is a task that works until a person answers in the queue', async () => {
  const { modern, get, until, toolpact } = await openTasks({ tasks: () => ({ afterMs: 60_000 }) })
  const { result } = await modern('tools/call', noted)
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  expect(result.statusMessage).toMatch(/^Waiting for approval\. A person must run: toolpact approvals approve /)
  const question = await waitForQuestion(toolpact)
  expect(question.awaitedBy).not.toBeNull()
  expect((await get(result.taskId)).result).toMatchObject({ status: 'working', pollIntervalMs: 5000 })
  expect(await approveInQueue(toolpact)).toMatchObject({ taken: true, isAwaited: true })
  const ended = await until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ isError: false, structuredContent: { noted: 'hi in notes.txt' } })
  expect(await intentOf(toolpact)).toMatchObject({ kind: 'intent', approval: { answer: 'yes', by: 'grace' } })
  expect(await toolpact.approvals.look(question.id, Date.now())).toMatchObject({ isUsed: true })
})

test('a no in the queue completes the task with the refusal', async () => {
  const { modern, until, toolpact } = await openTasks()
  const { taskId } = (await modern('tools/call', noted)).result
  const { id } = await waitForQuestion(toolpact)
  await toolpact.approvals.answer(id, { answer: 'no', by: 'grace' }, Date.now())
  expect((await until(taskId, 'completed')).result).toMatchObject({
    isError: true,
    structuredContent: { code: 'approval_denied' },
  })
})

test('a question that expires completes the task, and asks no one again', async () => {
  const { modern, until, toolpact } = await openTasks({ asking: { ...quiet, keepMs: 1000 } })
  const { taskId } = (await modern('tools/call', noted)).result
  expect((await until(taskId, 'completed')).result).toMatchObject({ structuredContent: { code: 'approval_timeout' } })
  expect(await pendingIn(toolpact)).toEqual([])
})

test('cancelling a task that waits withdraws its question', async () => {
  const { modern, get, toolpact } = await openTasks()
  const { taskId } = (await modern('tools/call', noted)).result
  const { id } = await waitForQuestion(toolpact)
  await modern('tasks/cancel', { taskId })
  expect((await get(taskId)).result.status).toBe('cancelled')
  expect(await toolpact.approvals.answer(id, { answer: 'yes', by: 'grace' }, Date.now())).toMatchObject({
    taken: false,
  })
  expect(await toolpact.ledger.read({ tool: 'test.note' })).toHaveLength(1)
})

test('with forms, the task requires input: the same question as without tasks', async () => {
  const { modern, get, until, toolpact } = await openTasks({ tasks: () => ({ afterMs: 60_000 }) })
  const { taskId, status } = (await modern('tools/call', noted, elicits)).result
  expect(status).toBe('input_required')
  const { inputRequests } = (await get(taskId)).result
  const [[key, request]] = Object.entries(inputRequests) as [[string, JsonObject]]
  expect(key).toMatch(/^approval-/)
  expect(request).toMatchObject({
    method: 'elicitation/create',
    params: { message: expect.stringMatching(/^Tool: note\n/), requestedSchema: { required: ['decision'] } },
  })
  const other = { other: accept, approval: accept, 'approval-': accept }
  expect((await modern('tasks/update', { taskId, inputResponses: other })).result).toMatchObject({})
  expect((await get(taskId)).result.status).toBe('input_required')
  await modern('tasks/update', { taskId, inputResponses: { [key]: accept } })
  const ended = await until(taskId, 'completed')
  expect(ended.result).toMatchObject({ structuredContent: { noted: 'hi in notes.txt' } })
  expect(await intentOf(toolpact)).toMatchObject({ approval: { answer: 'yes', via: 'elicitation' } })
  // A second answer changes nothing.
  await modern('tasks/update', { taskId, inputResponses: { [key]: { action: 'decline' } } })
  expect((await get(taskId)).result).toEqual(ended)
  expect((await toolpact.ledger.read()).filter(({ record }) => record.kind === 'outcome')).toHaveLength(1)
})

test('a form that is refused at once was shown to no one: the task works on, and the queue decides', async () => {
  const { modern, get, until, toolpact } = await openTasks()
  const { taskId } = (await modern('tools/call', noted, elicits)).result
  const [key] = Object.keys((await get(taskId)).result.inputRequests)
  await modern('tasks/update', { taskId, inputResponses: { [key!]: { action: 'decline' } } })
  expect((await get(taskId)).result).toMatchObject({ status: 'working' })
  await approveInQueue(toolpact)
  await until(taskId, 'completed')
})

test('tasks belong to the caller that made them', async () => {
  const { modern, toolpact } = await openMcpHttp(soon)
  const call = async (method: string, params: JsonObject, caller: string) => {
    const name = params.taskId ?? params.name
    const headers = { 'X-Caller': caller, ...(typeof name === 'string' && { 'Mcp-Name': name }) }
    const response = await modern(method, { _meta: modernMeta(withTasks()), ...params }, headers)
    return { status: response.status, body: await readJson(response) }
  }
  const { taskId } = (await call('tools/call', noted, 'ada')).body.result
  const unknown = await call('tasks/get', { taskId: 'x'.repeat(32) }, 'eve')
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const refused = await call(method, { taskId, inputResponses: {} }, 'eve')
    expect(refused).toEqual(unknown)
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32602 } } })
  }
  expect((await call('tasks/get', { taskId }, 'ada')).body.result.status).toBe('working')
  expect(await pendingIn(toolpact)).toHaveLength(1)
  const fault = await modern(
    'tasks/get',
    { taskId, _meta: modernMeta(withTasks()) },
    { 'X-Caller': 'ada', 'Mcp-Name': 'y' },
  )
  expect([fault.status, (await readJson(fault)).error.code]).toEqual([400, -32020])
})

test('a task outlives the connection of its request', async () => {
  const { modern } = await openMcpHttp(soon)
  const post = async (method: string, params: JsonObject) => {
    const name = String(params.taskId ?? params.name)
    const response = await modern(method, { _meta: modernMeta(withTasks()), ...params }, { 'Mcp-Name': name })
    return readJson(response)
  }
  const { taskId } = (await post('tools/call', slow)).result
  const { result } = await untilStatus((id) => post('tasks/get', { taskId: id }), taskId, 'completed')
  expect(result.structuredContent).toEqual({ counted: 3 })
})

test('subscribers are notified of each status, with the result', async () => {
  const { modern, toolpact } = await openMcpHttp({ tasks: () => ({ afterMs: 60_000 }) })
  const meta = { _meta: modernMeta(elicits) }
  const created = await readJson(await modern('tools/call', { ...noted, ...meta }))
  const { taskId } = created.result
  const missing = await modern('subscriptions/listen', { notifications: { taskIds: [taskId] } })
  expect((await readJson(missing)).error.code).toBe(-32021)
  const stop = new AbortController()
  const listening = await modern(
    'subscriptions/listen',
    { notifications: { taskIds: [taskId, 'unknown'] }, ...meta },
    {},
    stop.signal,
  )
  const events = readEvents(listening)
  const subscription = { 'io.modelcontextprotocol/subscriptionId': 1 }
  expect((await events.next()).value).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [taskId] } },
  })
  await approveInQueue(toolpact)
  const seen: JsonObject[] = []
  do {
    const { method, params } = (await events.next()).value
    expect(method).toBe('notifications/tasks')
    expect(params).toMatchObject({ taskId, _meta: subscription })
    seen.push(params)
  } while (seen.at(-1)?.status !== 'completed')
  expect(seen.at(-1)).toMatchObject({ result: { structuredContent: { noted: 'hi in notes.txt' } } })
  stop.abort()
})

test('above the limit of open tasks, calls are answered without one', async () => {
  const { modern, toolpact } = await openTasks()
  const waiting = { caller: 'stdio', workspace: 'elsewhere', tool: 'test.note', questionId: 'q', request: {} }
  for (let index = 0; index < taskLimits.caller.open; index++)
    await toolpact.tasks!.add({ ...waiting, id: `${index}`, expiresAt: Date.now() + 600_000 }, Date.now())
  expect((await modern('tools/call', slow)).result).toMatchObject({ resultType: 'complete', isError: false })
  const asked = (await modern('tools/call', noted, elicits)).result
  expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
  const refused = (await modern('tools/call', { ...noted, arguments: { text: 'other' } })).result
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'approval_required' } })
})

test.each([
  ['tasks/get', {}],
  ['tasks/get', { taskId: 5 }],
  ['tasks/get', { taskId: null }],
  ['tasks/get', { taskID: 'x' }],
  ['tasks/update', { taskId: 'x', inputResponses: [] }],
  ['tasks/update', { taskId: 'x' }],
  ['tasks/update', { taskId: 'x', inputResponses: {} }],
  ['tasks/cancel', { taskId: { $ne: '' } }],
])('%s %j is refused', async (method, params) => {
  const { modern } = await openTasks()
  expect((await modern(method, params as JsonObject)).error).toMatchObject({ code: -32602 })
})

test('when the server stops, running tasks end as interrupted, and waiting ones stay', async () => {
  const { modern, input, ended, toolpact } = await openTasks({ graceMs: 0 })
  const running = (await modern('tools/call', endless)).result.taskId
  const waiting = (await modern('tools/call', noted)).result.taskId
  input.end()
  await ended
  const find = (id: string) => toolpact.tasks!.find(id, 'stdio', Date.now())
  expect(await find(running)).toMatchObject({ state: 'interrupted' })
  expect(await find(waiting)).toMatchObject({ state: 'waiting' })
})
