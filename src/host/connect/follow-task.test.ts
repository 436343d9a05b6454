import { afterEach, expect, test } from 'vitest'
import { closeServersAfterEach } from '../../../test/helpers/local-servers.ts'
import { options } from '../../../test/upstream-servers/open-hostile.ts'
import { type Handlers, serveMessages } from '../../../test/upstream-servers/serve-messages.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Progress } from '../../contract/tool.ts'
import type { Peer, UpstreamClient } from './client.ts'
import { openClient } from './open-client.ts'

closeServersAfterEach()
const open: UpstreamClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const never = new AbortController().signal
const extension = { 'io.modelcontextprotocol/tasks': {} }
const done = { content: [{ type: 'text', text: 'done' }], isError: false }
const about = { taskId: 't1', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 1 }
const created = { resultType: 'task', ...about, status: 'working' }

/** A server whose task has these states, one after another; the last one stays. */
async function connect(
  states: JsonObject[],
  first: JsonObject = created,
  capabilities: JsonObject = { extensions: extension },
) {
  const seen: { method: string; params: JsonObject; name: unknown }[] = []
  const note: Handlers['x'] = ({ message, request }) => {
    seen.push({ method: message.method, params: message.params, name: request.headers['mcp-name'] })
  }
  const url = await serveMessages({
    'server/discover': ({ answer }) =>
      answer({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities }),
    'tools/call'(exchange) {
      note(exchange)
      exchange.answer(first)
    },
    'tasks/get'(exchange) {
      note(exchange)
      const state = states.length > 1 ? states.shift()! : states[0]!
      exchange.answer({ resultType: 'complete', ...about, ...state })
    },
    'tasks/update'(exchange) {
      note(exchange)
      exchange.answer({ resultType: 'complete' })
    },
    'tasks/cancel'(exchange) {
      note(exchange)
      exchange.answer({ resultType: 'complete' })
    },
  })
  const client = await openClient({ kind: 'http', url, headers: {} }, options({ protocol: '2026-07-28' }))
  open.push(client)
  return { client, seen, count: (method: string) => seen.filter((one) => one.method === method).length }
}

test('a task is polled to its result, and its messages are progress', async () => {
  const { client, seen } = await connect([
    { status: 'working', statusMessage: 'half\u0007way' },
    { status: 'completed', result: done },
  ])
  const progress: Progress[] = []
  const onProgress = (update: Progress) => progress.push(update)
  expect(await client.callTool('slow', {}, { signal: never, onProgress })).toEqual(done)
  expect(progress).toEqual([{ progress: expect.any(Number), message: expect.stringMatching(/half.*way/) }])
  expect(progress[0]?.message).not.toContain('\u0007')
  expect(seen.map(({ method, name }) => [method, name])).toEqual([
    ['tools/call', 'slow'],
    ['tasks/get', 't1'],
    ['tasks/get', 't1'],
  ])
  const key = 'io.modelcontextprotocol/clientCapabilities'
  for (const { params } of seen) expect((params._meta as JsonObject)[key]).toEqual({ extensions: extension })
})

test('what a task asks is answered once, and the answers are sent', async () => {
  const asked = {
    status: 'input_required',
    inputRequests: { q1: { method: 'elicitation/create', params: { message: 'Name?' } } },
  }
  const { client, seen, count } = await connect([asked, asked, { status: 'completed', result: done }], {
    ...created,
    status: 'input_required',
  })
  const questions: unknown[] = []
  const peer: Peer = {
    owner: 'ada',
    capabilities: { elicitation: {} },
    async answer(requests) {
      questions.push(requests)
      return { q1: { action: 'accept', content: { name: 'Ada' } } }
    },
  } as Peer
  expect(await client.callTool('asks', {}, { signal: never, peer })).toEqual(done)
  expect(questions).toHaveLength(1)
  expect(count('tasks/update')).toBe(1)
  expect(seen.find(({ method }) => method === 'tasks/update')?.params).toMatchObject({
    taskId: 't1',
    inputResponses: { q1: { action: 'accept', content: { name: 'Ada' } } },
  })
})

test('a call that ends cancels the task at the server', async () => {
  const { client, count } = await connect([{ status: 'working' }])
  const stop = new AbortController()
  const call = client.callTool('slow', {}, { signal: stop.signal })
  await expect.poll(() => count('tasks/get'), { timeout: 30_000 }).toBeGreaterThan(1)
  stop.abort()
  await expect(call).rejects.toMatchObject({ kind: 'unavailable' })
  await expect.poll(() => count('tasks/cancel'), { timeout: 30_000 }).toBe(1)
})

test.each([
  [{ status: 'failed', error: { code: -32603, message: 'out of paper' } }, 'refused', 0],
  [{ status: 'failed' }, 'refused', 0],
  [{ status: 'cancelled' }, 'refused', 0],
  [{ status: 'dancing' }, 'protocol', 1],
  [{ status: 'completed', taskId: 'another', result: done }, 'protocol', 1],
  [{ status: 'input_required', inputRequests: [5] }, 'protocol', 1],
  [{ status: 'input_required', inputRequests: { q: { method: 'elicitation/create' } } }, 'refused', 1],
])('the task %j fails the call', async (state, kind, cancels) => {
  const { client, count } = await connect([state as JsonObject])
  await expect(client.callTool('slow', {}, { signal: never })).rejects.toMatchObject({ kind })
  await expect.poll(() => count('tasks/cancel'), { timeout: 30_000 }).toBe(cancels)
})

test.each([[{ ...created, taskId: 5 }], [{ ...created, taskId: '' }], [{ ...created, taskId: 'x'.repeat(2000) }]])(
  'a task without a valid id fails the call',
  async (first) => {
    const { client } = await connect([{ status: 'working' }], first)
    await expect(client.callTool('slow', {}, { signal: never })).rejects.toMatchObject({ kind: 'protocol' })
  },
)

test('a server that did not declare tasks may not answer with one', async () => {
  const { client, seen } = await connect([{ status: 'completed', result: done }], created, {})
  await expect(client.callTool('slow', {}, { signal: never })).rejects.toMatchObject({ kind: 'protocol' })
  expect(seen.map(({ method }) => method)).toEqual(['tools/call'])
})

/** A server of 2025-11-25 with a tool that can only be called as a task. */
async function connectLegacy(result: Handlers['x'], first: JsonObject = { task: { taskId: 't1', status: 'working' } }) {
  const seen: string[] = []
  const url = await serveMessages({
    initialize: ({ answer }) =>
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } },
        serverInfo: { name: 's', version: '1' },
      }),
    'notifications/initialized': ({ response }) => response.writeHead(202).end(),
    'tools/list': ({ answer }) =>
      answer({
        tools: [
          { name: 'slow', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
          { name: 'fast', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
        ],
      }),
    'tools/call'({ message, answer }) {
      const isTask = message.params.task !== undefined
      seen.push(`${message.params.name} ${isTask ? 'as a task' : 'plainly'}`)
      answer(isTask ? first : done)
    },
    'tasks/result'(exchange) {
      seen.push(`result of ${exchange.message.params.taskId}`)
      result(exchange)
    },
    'tasks/cancel'({ message, answer }) {
      seen.push(`cancel ${message.params.taskId}`)
      answer({ taskId: 't1', status: 'cancelled' })
    },
  })
  const client = await openClient({ kind: 'http', url, headers: {} }, options())
  open.push(client)
  await client.list('tools')
  return { client, seen }
}

test('2025-11-25: a tool that requires a task is called as one, and others plainly', async () => {
  const { client, seen } = await connectLegacy(({ answer }) => answer(done))
  expect(await client.callTool('slow', {}, { signal: never })).toEqual(done)
  expect(await client.callTool('fast', {}, { signal: never })).toEqual(done)
  expect(seen).toEqual(['slow as a task', 'result of t1', 'fast plainly'])
})

test('2025-11-25: a call that ends cancels the task at the server', async () => {
  const { client, seen } = await connectLegacy(() => {})
  const stop = new AbortController()
  const call = client.callTool('slow', {}, { signal: stop.signal })
  await expect.poll(() => seen, { timeout: 30_000 }).toContain('result of t1')
  stop.abort()
  await expect(call).rejects.toMatchObject({ kind: 'unavailable' })
  await expect.poll(() => seen, { timeout: 30_000 }).toContain('cancel t1')
})

test('2025-11-25: an answer without a task fails the call', async () => {
  const { client } = await connectLegacy(({ answer }) => answer(done), done)
  await expect(client.callTool('slow', {}, { signal: never })).rejects.toMatchObject({ kind: 'protocol' })
})
