import { expect, onTestFinished, test, vi } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { definePrompt } from '../../src/contract/define-prompt.ts'
import { defineResource } from '../../src/contract/define-resource.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { Connection } from '../../src/surfaces/mcp/connection.ts'
import { SessionStore } from '../../src/surfaces/mcp/http-sessions.ts'
import { until } from '../helpers/open-changeling.ts'
import { initialize, modernMeta, openMcpHttp, openMcpStdio, readEvents, readJson } from '../helpers/open-mcp.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Any = any

const closed = { type: 'object', additionalProperties: false } as const
const word = { type: 'string', description: 'A word', maxLength: 1000 } as const
let ended = 0
let watching = 0

const ask = defineTool(
  {
    name: 'ask',
    description: 'Asks the user of its client.',
    risk: 'read_only',
    input: closed,
    output: { ...closed, required: ['said'], properties: { said: word } },
  },
  async (_input, { client, signal }) => {
    signal.addEventListener('abort', () => ended++)
    const form = { type: 'object', properties: { said: { type: 'string' } } }
    const { question } = await client!.ask({
      question: { method: 'elicitation/create', params: { message: 'Well?', requestedSchema: form } },
    })
    return { said: JSON.stringify(question) }
  },
)
const greet = definePrompt(
  {
    name: 'greet',
    description: 'Greets a person.',
    input: { ...closed, properties: { who: word }, required: ['who'] },
  },
  ({ who }) => `Greet ${who}.`,
  { complete: { who: (typed) => [`${typed}da`] } },
)
const page = defineResource(
  {
    name: 'page',
    description: 'One page of a book, as text.',
    uriTemplate: 'pages://{id}',
    variables: { id: 'Its number' },
  },
  ({ id }) => `Page ${id}.`,
  {
    list: () => [{ uri: 'pages://1', name: 'one' }],
    watch() {
      watching++
      return () => watching--
    },
  },
)
const toolset = defineToolset('desk', [ask, greet, page])

async function openServed() {
  ended = 0
  const toolpact = await openToolpact({ toolsets: [toolset], storage: 'memory' })
  onTestFinished(() => toolpact.close())
  return toolpact
}

const eras = ['legacy', 'modern'] as const
const places = (['stdio', 'http'] as const).flatMap((transport) => eras.map((era) => ({ transport, era })))
type Place = (typeof places)[number]
const askers = { elicitation: { form: {} } }

/** A raw client. `send` gives the message that answers the request, or the HTTP status if there is none. */
async function openRaw({ transport, era }: Place) {
  const meta = era === 'modern' ? { _meta: modernMeta(askers) } : {}
  const toMessage = (id: Any, method: string, params: JsonObject = {}) => ({
    ...{ jsonrpc: '2.0', id, method },
    params: { ...meta, ...params },
  })
  if (transport === 'stdio') {
    const { send, next, input } = await openMcpStdio({ toolpact: await openServed() })
    if (era === 'legacy') {
      send(initialize('2025-11-25', askers))
      await next()
    }
    return {
      send: async (id: Any, method: string, params?: JsonObject): Promise<Any> => {
        send(toMessage(id, method, params))
        return next()
      },
      post: async (text: string): Promise<Any> => {
        input.write(`${text}\n`)
        return next()
      },
      tell: async (message: JsonObject) => send({ jsonrpc: '2.0', ...message }),
    }
  }
  const http = await openMcpHttp({ served: await openServed() })
  const session = era === 'legacy' ? await http.begin('2025-11-25', askers) : {}
  const toHeaders = (method: string, { name, uri }: JsonObject): Record<string, string> => {
    if (era === 'legacy') return session
    const named = name ?? uri
    return {
      ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method },
      ...(typeof named === 'string' && { 'Mcp-Name': named }),
    }
  }
  return {
    send: async (id: Any, method: string, params: JsonObject = {}): Promise<Any> =>
      readJson(await http.post(toMessage(id, method, params), toHeaders(method, params))),
    post: async (text: string): Promise<Any> => readJson(await http.post(text, toHeaders('x', {}))),
    tell: async (message: JsonObject) => {
      await (await http.post({ jsonrpc: '2.0', ...message }, session)).text()
    },
  }
}

test.each(places)(
  '$transport, $era: what is no request of MCP gets an error, and the next request an answer',
  async (place) => {
    const { send, post, tell } = await openRaw(place)
    let id = 0
    for (const method of [
      'no/such',
      'constructor',
      '__proto__',
      'toString',
      'prompts/__proto__',
      '',
      'x'.repeat(5000),
    ]) {
      const { error } = await send(++id, method)
      expect([method.slice(0, 20), error?.code]).toEqual([method.slice(0, 20), -32601])
      expect(JSON.stringify(error).length).toBeLessThan(1000)
    }
    const texts = [
      '{"jsonrpc":"2.0","id":1',
      '[',
      'null',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      `${'['.repeat(200)}${']'.repeat(200)}`,
    ]
    for (const text of texts) expect((await post(text)).error.code).toBeLessThan(0)
    for (const method of ['notifications/nonsense', 'notifications/cancelled', 'notifications/progress'])
      await tell({ method, params: { requestId: 'nothing', progressToken: {} } })
    const { result } = await send(++id, 'prompts/list')
    expect(result.prompts).toHaveLength(1)
  },
)

test.each(places)('$transport, $era: cursors that were not given out are refused, however long', async (place) => {
  const { send } = await openRaw(place)
  const forged = [5, {}, '', 'again', 'x'.repeat(1_000_000), Buffer.from('desk.prompt:greet\nx').toString('base64url')]
  let id = 0
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
    for (const cursor of forged)
      expect([method, (await send(++id, method, { cursor })).error?.code]).toEqual([method, -32602])
})

test.each(places)('$transport, $era: prompts, URIs and completions above their limits are refused', async (place) => {
  const { send } = await openRaw(place)
  const large = 'x'.repeat(1_000_000)
  const ref = { type: 'ref/prompt', name: 'greet' }
  const context = { arguments: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, 'x'])) }
  expect((await send(1, 'prompts/get', { name: 'greet', arguments: { who: large } })).error.code).toBe(-32602)
  expect((await send(2, 'prompts/get', { name: 'greet', arguments: { who: 'Ada', [large]: 'x' } })).error.code).toBe(
    -32602,
  )
  expect((await send(3, 'resources/read', { uri: `pages://${'x'.repeat(5000)}` })).error.code).toBe(-32602)
  const empty = { values: [], hasMore: false }
  for (const [index, params] of (
    [
      { ref, argument: { name: 'who', value: large } },
      { ref, argument: { name: large, value: 'x' } },
      { ref, argument: { name: 'who', value: 'x' }, context },
      { ref, argument: { name: '__proto__', value: 'x' } },
    ] as JsonObject[]
  ).entries())
    expect((await send(4 + index, 'completion/complete', params)).result.completion).toMatchObject(empty)
})

test.each(eras)('stdio, %s: a thousand completions at once are all answered, once each', async (era) => {
  const { send, next } = await openMcpStdio({ toolpact: await openServed() })
  if (era === 'legacy') {
    send(initialize())
    await next()
  }
  const params = {
    ...(era === 'modern' && { _meta: modernMeta() }),
    ...{ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } },
  }
  const ids = Array.from({ length: 1000 }, (_, id) => id)
  send(...ids.map((id) => ({ jsonrpc: '2.0', id, method: 'completion/complete', params })))
  const answered: number[] = []
  for (const _ of ids) answered.push((await next()).id)
  expect(answered.sort((one, other) => one - other)).toEqual(ids)
})

test('requests before initialize are refused, and a second initialize changes nothing of the calls in flight', async () => {
  const { send, next } = await openMcpStdio({ toolpact: await openServed() })
  const methods = ['tools/call', 'prompts/get', 'resources/subscribe', 'logging/setLevel', 'completion/complete']
  for (const [id, method] of methods.entries()) {
    send({ jsonrpc: '2.0', id, method, params: { name: 'ask', uri: 'pages://1', level: 'debug' } })
    expect((await next()).error.message).toContain('initialize')
  }
  send({ jsonrpc: '2.0', method: 'notifications/initialized' }, initialize('2025-11-25', askers))
  await next()
  send({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'ask' } })
  const question = await next()
  send(initialize('2025-06-18', {}))
  expect((await next()).result.protocolVersion).toBe('2025-06-18')
  send({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'ask' } })
  expect((await next()).error.message).toContain('in flight')
  send({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { said: 'yes' } } })
  expect((await next()).result.structuredContent.said).toContain('yes')
})

const call = (id: number, params: JsonObject = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'ask', _meta: modernMeta(askers), ...params },
})
const answer = (said = 'yes') => ({ inputResponses: { question: { action: 'accept', content: { said } } } })

test('2026-07-28: an answer counts only for the question, the caller and the call that it was asked about', async () => {
  const http = await openMcpHttp({ served: await openServed() })
  const send = async (caller: string, params: JsonObject = {}) =>
    readJson(await http.modern('tools/call', { ...(call(1, params).params as JsonObject) }, { 'X-Caller': caller }))
  const { requestState } = (await send('ada')).result
  const forged = [`${requestState}x`, requestState.replace(/^./, 'x'), '', 'x'.repeat(100_000), 5, null, {}]
  for (const state of forged) expect((await send('ada', { ...answer(), requestState: state })).error.code).toBe(-32602)
  expect((await send('eve', { ...answer(), requestState })).error.code).toBe(-32602)
  expect((await send('ada', { ...answer(), requestState, arguments: { more: 1 } })).error.code).toBe(-32602)
  // Without a state, an answer given in advance is one to this call's question: only its own client can give it.
  for (const inputResponses of [5, []]) expect((await send('ada', { inputResponses } as Any)).error.code).toBe(-32602)
  const others = { inputResponses: { other: { action: 'accept' } }, requestState }
  const again = (await send('ada', others)).result
  expect(Object.keys(again.inputRequests)).toEqual(['question'])
  expect((await send('ada', { ...answer(), requestState })).error.code).toBe(-32602)
  const { result } = await send('ada', { ...answer(), requestState: again.requestState })
  expect(result.structuredContent.said).toContain('yes')
  expect((await send('ada', { ...answer(), requestState: again.requestState })).error.code).toBe(-32602)
})

test('2025-11-25: an answer from another session, or to a question that was not asked, is no answer', async () => {
  const http = await openMcpHttp({ served: await openServed() })
  const ada = await http.begin('2025-11-25', askers, { 'X-Caller': 'ada' })
  const eve = await http.begin('2025-11-25', askers, { 'X-Caller': 'eve' })
  const reply = (id: string, said: string) => ({ jsonrpc: '2.0', id, result: { action: 'accept', content: { said } } })
  await http.post(reply('toolpact-1', 'early'), ada)
  const asking = await http.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } }, ada)
  const events = readEvents(asking)
  const { id } = (await events.next()).value
  expect((await http.post(reply(id, 'of eve'), eve)).status).toBe(202)
  expect((await http.post(reply(id, 'of eve'), { ...ada, 'X-Caller': 'eve' })).status).toBe(404)
  expect((await http.post(reply('toolpact-99', 'of no one'), ada)).status).toBe(202)
  await http.post(reply(id, 'of ada'), ada)
  await http.post(reply(id, 'too late'), ada)
  expect((await events.next()).value.result.structuredContent.said).toContain('of ada')
})

test('2026-07-28: of one caller 32 calls wait for input, of all 256; above that the oldest one ends', async () => {
  const http = await openMcpHttp({ served: await openServed() })
  const send = async (caller: string, params: JsonObject = {}) =>
    readJson(await http.modern('tools/call', { ...(call(1, params).params as JsonObject) }, { 'X-Caller': caller }))
  const pause = async (caller: string): Promise<string> => (await send(caller)).result.requestState
  const go = async (caller: string, requestState: string) =>
    (await send(caller, { ...answer(), requestState })).result?.structuredContent !== undefined
  const first = await pause('ada')
  const bobs = await pause('bob')
  for (let calls = 0; calls < 32; calls++) await pause('ada')
  await until(() => ended === 1)
  expect([await go('ada', first), await go('bob', bobs)]).toEqual([false, true])
  const oldest = await pause('carl')
  // 33 wait. The others of seven callers fill all places, and one more ends the oldest: of ada.
  for (let caller = 0; caller < 7; caller++) for (let calls = 0; calls < 32; calls++) await pause(`c${caller}`)
  await until(() => ended === 2)
  expect(await go('carl', oldest)).toBe(true)
}, 60_000)

test('2026-07-28: a call whose client never answers ends, and its late answer is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { send, next } = await openMcpStdio({ toolpact: await openServed() })
  send(call(1))
  const { requestState } = (await next()).result
  vi.advanceTimersByTime(599_000)
  expect(ended).toBe(0)
  vi.advanceTimersByTime(2000)
  expect(ended).toBe(1)
  send(call(2, { ...answer(), requestState }))
  expect((await next()).error.message).toContain('has ended')
})

test('2025-11-25: subscriptions of one client are limited, and end with its connection', async () => {
  const { send, next, input, ended: over } = await openMcpStdio({ toolpact: await openServed() })
  send(initialize())
  await next()
  const subscribe = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'resources/subscribe',
    params: { uri: `pages://${id}` },
  })
  const ids = Array.from({ length: 1001 }, (_, id) => id)
  send(...ids.map(subscribe))
  const refused: Any[] = []
  for (const _ of ids) {
    const { error } = await next()
    if (error) refused.push(error.code)
  }
  expect([refused, watching]).toEqual([[-32602], 1000])
  input.end()
  await over
  expect(watching).toBe(0)
})

test('2026-07-28: a caller that listens without end does not keep others from listening', async () => {
  const http = await openMcpHttp({ served: await openServed() })
  const stop = new AbortController()
  const listen = (caller: string) => {
    const notifications = { resourceSubscriptions: ['pages://1'] }
    return http.modern('subscriptions/listen', { notifications }, { 'X-Caller': caller }, stop.signal)
  }
  const types: (string | null)[] = []
  for (let times = 0; times < 130; times++) types.push((await listen('eve')).headers.get('content-type'))
  expect(types.filter((type) => type === 'text/event-stream')).toHaveLength(128)
  expect((await listen('ada')).headers.get('content-type')).toBe('text/event-stream')
  expect(watching).toBe(129)
  stop.abort()
  await until(() => watching === 0)
})

test('a caller that opens sessions without end closes its own, not those of others', () => {
  const sessions = new SessionStore({ idleMs: 60_000, max: 20 })
  const [ada, eve] = [{ name: 'ada' }, { name: 'eve' }]
  const own = [1, 2, 3].map(() => sessions.add(new Connection(ada))!)
  for (let times = 0; times < 100; times++) sessions.add(new Connection(eve))
  expect(own.map((id) => sessions.find(id, ada) !== undefined)).toEqual([true, true, true])
})
