import { expect, onTestFinished, test } from 'vitest'
import { initialize, modernMeta, openMcpStdio } from '../../../test/helpers/open-mcp.ts'
import { openToolpact } from '../../app/app.ts'
import type { ClientRequest } from '../../contract/call-client.ts'
import { defineResource } from '../../contract/define-resource.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { JsonObject } from '../../contract/json.ts'

const closed = { type: 'object', additionalProperties: false } as const
const text = { type: 'string', description: 'A text' } as const
const updates = new Set<() => void>()
let runs = 0

const form = (message: string): ClientRequest => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { said: { type: 'string' } } } },
})

const ask = defineTool(
  {
    name: 'ask',
    description: 'Asks the user of the client twice.',
    risk: 'read_only',
    input: { ...closed, properties: { topic: text } },
    output: { ...closed, required: ['answers'], properties: { answers: text } },
  },
  async (_input, { client, trace }) => {
    runs++
    client?.log?.('warning', 'About to ask.')
    client?.log?.('debug', 'Not wanted.')
    const first = await client!.ask({ first: form('First?') })
    const second = await client!.ask({ second: form('Second?') })
    return { answers: JSON.stringify([first.first?.content, second.second?.content, trace?.traceparent]) }
  },
)
const watched = defineResource(
  { name: 'news', description: 'What is new today.', uri: 'notes://news' },
  () => 'News.',
  {
    watch(_uri, onUpdate) {
      updates.add(onUpdate)
      return () => updates.delete(onUpdate)
    },
  },
)
const fixed = defineResource(
  { name: 'fixed', description: 'A text that never changes.', uri: 'notes://fixed' },
  () => 'Fixed.',
)
const toolset = defineToolset('notes', [ask, watched, fixed])

async function open(caller = 'ada') {
  const toolpact = await openToolpact({ toolsets: [toolset], storage: 'memory' })
  onTestFinished(() => toolpact.close())
  return openMcpStdio({ toolpact, caller: { name: caller } })
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const call = (id: number, params: JsonObject = {}, capabilities: JsonObject = { elicitation: {} }) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'ask',
    _meta: modernMeta(capabilities, { 'io.modelcontextprotocol/logLevel': 'info', traceparent }),
    ...params,
  },
})
const said = (word: string) => ({ action: 'accept', content: { said: word } })

test('2026-07-28: a tool asks its client round by round, in one run, with logs and its trace', async () => {
  const { send, next } = await open()
  runs = 0
  send(call(1))
  expect(await next()).toMatchObject({
    method: 'notifications/message',
    params: { level: 'warning', data: 'About to ask.' },
  })
  const first = (await next()).result
  expect(first).toMatchObject({
    resultType: 'input_required',
    inputRequests: { first: { method: 'elicitation/create' } },
  })
  send(call(2, { inputResponses: { other: said('x') }, requestState: first.requestState }))
  const again = (await next()).result
  expect(Object.keys(again.inputRequests)).toEqual(['first'])
  send(call(3, { inputResponses: { first: said('a') }, requestState: again.requestState }))
  const second = (await next()).result
  expect(Object.keys(second.inputRequests)).toEqual(['second'])
  // A state counts once, for the same request.
  send(call(4, { inputResponses: { first: said('a') }, requestState: again.requestState }))
  expect((await next()).error.code).toBe(-32602)
  send(call(5, { inputResponses: { second: said('b') }, requestState: second.requestState, arguments: { topic: 'x' } }))
  expect((await next()).error.code).toBe(-32602)
  send(call(6, { inputResponses: { second: said('b') }, requestState: second.requestState }))
  const { id, result } = await next()
  expect(id).toBe(6)
  expect(JSON.parse(result.structuredContent.answers)).toEqual([{ said: 'a' }, { said: 'b' }, traceparent])
  expect(runs).toBe(1)
})

test('2026-07-28: a client that cannot be asked is told what is missing', async () => {
  const { send, next } = await open()
  send(call(1, {}, {}))
  await next()
  expect((await next()).error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } })
})

test('before 2026-07-28 the client is asked while the call waits, and gets logs from the level that it set', async () => {
  const { send, next } = await open()
  send(initialize('2025-11-25', { elicitation: {} }))
  await next()
  send({ jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'loud' } })
  expect((await next()).error.code).toBe(-32602)
  send({ jsonrpc: '2.0', id: 2, method: 'logging/setLevel', params: { level: 'warning' } })
  expect((await next()).result).toEqual({})
  send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'ask' } })
  expect((await next()).params.data).toBe('About to ask.')
  for (const word of ['a', 'b']) {
    const { id, method } = await next()
    expect(method).toBe('elicitation/create')
    send({ jsonrpc: '2.0', id, result: said(word) })
  }
  expect(JSON.parse((await next()).result.structuredContent.answers).slice(0, 2)).toEqual([
    { said: 'a' },
    { said: 'b' },
  ])
})

test('clients subscribe to resources that can be watched, and hear of them once for many changes', async () => {
  const { send, next, input, ended } = await open()
  send(initialize())
  expect((await next()).result.capabilities.resources).toEqual({ subscribe: true })
  const request = async (id: number, method: string, uri: string) => {
    send({ jsonrpc: '2.0', id, method, params: { uri } })
    return next()
  }
  expect((await request(1, 'resources/subscribe', 'notes://none')).error.code).toBe(-32002)
  expect((await request(2, 'resources/subscribe', 'notes://fixed')).error.code).toBe(-32602)
  for (const id of [3, 4]) expect((await request(id, 'resources/subscribe', 'notes://news')).result).toEqual({})
  expect(updates.size).toBe(1)
  for (const update of updates) for (let times = 0; times < 100; times++) update()
  expect(await next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'notes://news' },
  })
  expect((await request(5, 'resources/unsubscribe', 'notes://news')).result).toEqual({})
  expect(updates.size).toBe(0)
  await request(6, 'resources/subscribe', 'notes://news')
  const _meta = modernMeta()
  const notifications = { resourceSubscriptions: ['notes://news', 'notes://fixed', 'notes://none'] }
  send({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params: { _meta, notifications } })
  expect((await next()).params.notifications).toEqual({ resourceSubscriptions: ['notes://news'] })
  const many = { resourceSubscriptions: Array.from({ length: 1001 }, (_, index) => `notes://${index}`) }
  send({ jsonrpc: '2.0', id: 8, method: 'subscriptions/listen', params: { _meta, notifications: many } })
  expect((await next()).error.code).toBe(-32602)
  input.end()
  await ended
  expect(updates.size).toBe(0)
})
