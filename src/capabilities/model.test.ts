import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openScriptedModel, type Script, type Turn } from '../../test/helpers/scripted-model.ts'
import type { ToolError } from '../contract/tool-error.ts'
import type { ModelSettings } from './model/read-model-settings.ts'
import { type CompleteOptions, type ModelRequest, openModel } from './model.ts'

const key = 'sk-very-secret-key-0123456789'
const hello: ModelRequest = { messages: [{ role: 'user', content: 'Say hello.' }] }

async function openScripted(script: Script, more: Partial<ModelSettings> = {}) {
  const server = await openScriptedModel(script)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const settings = { url: server.url, model: 'scripted', key, timeoutMs: 60_000, retryDelayMs: 1, ...more }
  const model = openModel(settings)
  return {
    server,
    ask: (request: Partial<ModelRequest> = {}, options?: CompleteOptions) =>
      model.complete({ ...hello, ...request }, options),
    fail: async (options?: CompleteOptions) => {
      const error: ToolError = await model.complete(hello, options).then(
        () => expect.unreachable(),
        (cause) => cause,
      )
      expect(JSON.stringify([error.message, error.suggestion, error.stack, error.cause])).not.toContain(key)
      expect(error.suggestion).toEqual(expect.any(String))
      return error
    },
  }
}

/** Both kinds of answers: whole, and streamed. */
const ways: [string, CompleteOptions][] = [
  ['in one piece', {}],
  ['streamed', { onText: () => undefined }],
]

test('an answer reports its usage, and the request contains every option', async () => {
  const { server, ask } = await openScripted(['Hello!'])
  const answer = await ask({ temperature: 0, maxTokens: 50, json: true })
  expect(answer).toEqual({
    text: 'Hello!',
    toolCalls: [],
    finish: 'stop',
    usage: { inputTokens: 7, outputTokens: 5 },
  })
  const { path, headers, body } = server.received[0]!
  expect(path).toBe('/v1/chat/completions')
  expect(headers.authorization).toBe(`Bearer ${key}`)
  expect(body).toEqual({
    model: 'scripted',
    messages: [{ role: 'user', content: 'Say hello.' }],
    temperature: 0,
    max_tokens: 50,
    response_format: { type: 'json_object' },
  })
})

test('a stream reports its text in pieces', async () => {
  const { server, ask } = await openScripted(['Hello from afar, in several pieces.'])
  const received: string[] = []
  const answer = await ask({}, { onText: (delta) => received.push(delta) })
  expect(answer).toMatchObject({ text: 'Hello from afar, in several pieces.', usage: { outputTokens: 5 } })
  expect(received.length).toBeGreaterThan(2)
  expect(received.join('')).toBe(answer.text)
  expect(server.received[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
})

test.each(ways)('tool calls come whole, %s, and go back with their results', async (_way, options) => {
  const calls = [
    { id: 'a', name: 'read_file', input: { path: 'a rather long name.txt' } },
    { id: 'b', name: 'list_dir', input: '{"path":' },
  ]
  const { server, ask } = await openScripted([{ calls }, 'Done.'])
  const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: {} } }] as const
  const first = await ask({ tools, toolChoice: { name: 'read_file' }, parallelToolCalls: false }, options)
  expect(first).toMatchObject({ text: '', finish: 'tool_calls' })
  expect(first.toolCalls).toEqual([
    { id: 'a', name: 'read_file', arguments: '{"path":"a rather long name.txt"}' },
    { id: 'b', name: 'list_dir', arguments: '{"path":' },
  ])
  expect(server.received[0]!.body).toMatchObject({
    tools: [{ function: { name: 'read_file' } }],
    tool_choice: { type: 'function', function: { name: 'read_file' } },
    parallel_tool_calls: false,
  })
  const second = await ask({
    messages: [
      ...hello.messages,
      { role: 'assistant', toolCalls: first.toolCalls },
      { role: 'tool', toolCallId: 'a', content: 'tea' },
      { role: 'assistant', content: 'I see.' },
    ],
  })
  expect(second.text).toBe('Done.')
  expect((server.received[1]!.body.messages as object[]).slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: first.toolCalls.map(({ id, name, arguments: input }) => ({
        ...{ id, type: 'function', function: { name, arguments: input } },
      })),
    },
    { role: 'tool', tool_call_id: 'a', content: 'tea' },
    { role: 'assistant', content: 'I see.' },
  ])
})

test.each(ways)('reasoning text is removed, %s', async (_way, options) => {
  const { ask } = await openScripted([
    '<think>Hm, they want a greeting.</think>\n\nHello',
    'They want it again.</think>Hello',
    'a < b <thinking>so</thinking>and c',
  ])
  expect((await ask({}, options)).text).toBe('Hello')
  expect((await ask({}, options)).text).toBe('Hello')
  expect((await ask({}, options)).text).toBe('a < b and c')
})

test('thoughts are not streamed', async () => {
  const { ask } = await openScripted(['<think>Hm, they want a greeting.</think>Hello there'])
  let received = ''
  await ask({}, { onText: (delta) => (received += delta) })
  expect(received).toBe('Hello there')
})

test.each(ways)('an incomplete answer is a failure, %s', async (_way, options) => {
  const { server, fail } = await openScripted([
    { say: 'Once upon a', finish: 'length' },
    { say: null },
    { say: '  ' },
    { say: null, refusal: 'I cannot help with that.' },
    { say: 'x', finish: 'content_filter' },
    '<think>I think and think',
    { calls: [{ name: '', input: {} }] },
  ])
  expect((await fail(options)).message).toContain('cut off')
  expect((await fail(options)).message).toContain('empty')
  expect((await fail(options)).message).toContain('empty')
  expect((await fail(options)).message).toContain('refused to answer')
  expect((await fail(options)).message).toContain('refused to answer')
  expect((await fail(options)).message).toContain('only reasoning')
  expect((await fail(options)).message).toContain('without a name')
  // None of these is retried.
  expect(server.received).toHaveLength(7)
})

test.each<[string, Turn, RegExp, RegExp]>([
  ['a web page', { raw: '<!doctype html><h1>It works!</h1>', type: 'text/html' }, /web page/, /URL/],
  ['a web page that says it is JSON', { raw: '<html></html>' }, /web page/, /URL/],
  ['no JSON', { raw: '{"choices":[' }, /not JSON/, /URL/],
  ['nothing', { raw: '' }, /not JSON/, /URL/],
  ['other JSON', { json: { results: [] } }, /not a chat completion/, /URL/],
  ['a list', { json: [1, 2] }, /not a chat completion/, /URL/],
  ['no choices', { json: { choices: [] } }, /not a chat completion/, /URL/],
  ['an error with 200', { json: { error: { message: `bad ${key}` } } }, /bad \[key\]/, /another model/],
  [
    'a key that is refused',
    { status: 401, error: { message: `Wrong: ${key}` } },
    /refused the key/,
    /TOOLPACT_MODEL_KEY/,
  ],
  [
    'an unknown model',
    { status: 404, error: 'model not found' },
    /scripted.*model not found/,
    /TOOLPACT_MODEL .*\/v1\/models/,
  ],
  [
    'another address',
    { status: 404, error: 'nothing here' },
    /no chat endpoint.*nothing here/,
    /TOOLPACT_MODEL_URL .*\/v1;/,
  ],
  ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, /redirects/, /TOOLPACT_MODEL_URL/],
  [
    'a bad request',
    { status: 400, error: { message: `too long ${key}` } },
    /refused the request \(400\): too long \[key\]/,
    /long texts/,
  ],
  [
    'an exhausted quota',
    { status: 429, error: { code: 'insufficient_quota', message: 'Pay.' } },
    /enough requests.*Pay/,
    /quota/,
  ],
])('%s is a failure that says what to check, and is not asked again', async (_what, turn, message, suggestion) => {
  const { server, fail } = await openScripted([turn])
  expect(await fail()).toMatchObject({
    code: 'model_error',
    message: expect.stringMatching(message),
    suggestion: expect.stringMatching(suggestion),
  })
  expect(server.received).toHaveLength(1)
})

test('without a key, none is sent, and an endpoint that asks for one is understood', async () => {
  const { server, fail } = await openScripted([{ status: 401 }], { key: undefined })
  expect((await fail()).message).toContain('requires a key')
  expect(server.received[0]!.headers.authorization).toBeUndefined()
})

test.each(ways)('transient failures are retried, %s', async (_way, options) => {
  const { server, ask } = await openScripted([{ status: 503 }, { trouble: 'disconnect' }, 'Hello'])
  expect((await ask({}, options)).text).toBe('Hello')
  expect(server.received).toHaveLength(3)
})

test('it is tried three times, no more', async () => {
  const { server, fail } = await openScripted([{ status: 500, error: { message: 'overloaded' } }])
  expect((await fail()).message).toMatch(/failed \(500\): overloaded/)
  expect(server.received).toHaveLength(3)
})

test('Retry-After is respected, if there is time', async () => {
  const { ask } = await openScripted([{ status: 429, headers: { 'retry-after': '0' } }, 'Hello'], {
    retryDelayMs: 50_000,
  })
  expect((await ask()).text).toBe('Hello')
  const other = await openScripted([{ status: 429, headers: { 'retry-after': '3600' } }])
  expect(await other.fail()).toMatchObject({ code: 'model_error', retryAfterMs: 3_600_000 })
  expect(other.server.received).toHaveLength(1)
  const date = { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }
  const third = await openScripted([{ status: 503, headers: date }])
  expect((await third.fail()).retryAfterMs).toBeGreaterThan(3_000_000)
})

test.each(ways)('an answer that is broken off is asked for again, %s', async (_way, options) => {
  const { server, fail } = await openScripted([{ say: 'Once upon a time in a land', midway: 'disconnect' }])
  expect((await fail(options)).message).toMatch(/cannot be reached: the connection/)
  expect(server.received).toHaveLength(options.onText ? 1 : 3)
})

test('a stream of something else is a failure', async () => {
  const { fail } = await openScripted([
    { raw: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: oops\n\n', type: 'text/event-stream' },
    { raw: 'data: {"error":{"message":"out of memory"}}\n\n', type: 'text/event-stream' },
    { raw: 'data: {"choices":[{"delta":{"tool_calls":[{"index":1e9}]}}]}\n\n', type: 'text/event-stream' },
  ])
  const options = { onText: () => undefined }
  expect((await fail(options)).message).toContain('invalid JSON')
  expect((await fail(options)).message).toContain('out of memory')
  expect((await fail(options)).message).toContain('tool calls')
})

test('an endpoint that does not stream, and one that numbers no calls, are understood', async () => {
  const whole = { choices: [{ message: { content: [{ type: 'text', text: 'Hello' }] }, finish_reason: null }] }
  const chunk = (id: string, name: string, input: unknown) =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ id, function: { name, arguments: input } }] }, finish_reason: 'stop' }] })}\n\n`
  const { ask } = await openScripted([
    { json: whole },
    { raw: chunk('a', 'one', '{}') + chunk('b', 'two', { x: 1 }), type: 'text/event-stream' },
  ])
  let received = ''
  const onText = (delta: string) => {
    received += delta
  }
  expect((await ask({}, { onText })).text).toBe('Hello')
  expect(received).toBe('Hello')
  expect(await ask({}, { onText })).toMatchObject({
    finish: 'tool_calls',
    toolCalls: [
      { id: 'a', name: 'one', arguments: '{}' },
      { id: 'b', name: 'two', arguments: '{"x":1}' },
    ],
  })
})

test('a parameter that the endpoint rejects is omitted from then on', async () => {
  const { server, ask } = await openScripted(({ body }) => {
    const bad = ['max_tokens', 'temperature'].find((name) => name in body)
    return bad ? { status: 400, error: { message: `Unsupported parameter: '${bad}'`, param: bad } } : 'Hello'
  })
  expect((await ask({ temperature: 0, maxTokens: 9 })).text).toBe('Hello')
  expect((await ask({ temperature: 0, maxTokens: 9 })).text).toBe('Hello')
  expect(server.received).toHaveLength(4)
  expect(server.received[3]!.body).toMatchObject({ max_completion_tokens: 9 })
})

test.each(ways)('a model that stalls ends with the time, %s', async (_way, options) => {
  const { fail } = await openScripted([{ trouble: 'stall' }, { say: 'Once upon a time', midway: 'stall' }])
  expect(await fail({ ...options, timeoutMs: 50 })).toMatchObject({ code: 'timeout', message: /within 0.05 s/ })
  const message = options.onText ? /silent for 0.5 s|within 0.5 s/ : /within 0.5 s/
  expect(await fail({ ...options, timeoutMs: 500 })).toMatchObject({ code: 'timeout', message })
})

test('a streamed answer may take any time, as long as something is said', async () => {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`)
    for (const delta of [{ reasoning_content: 'hm' }, { content: 'a' }, { content: 'b' }, { content: 'c' }, {}]) {
      send(delta, 'content' in delta || 'reasoning_content' in delta ? null : 'stop')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model = openModel({ url, model: 'slow', timeoutMs: 60_000 })
  // Longer than each pause, shorter than all of them.
  expect(await model.complete(hello, { onText: () => {}, timeoutMs: 1500 })).toMatchObject({ text: 'abc' })
})

test('an abort rejects with its own reason', async () => {
  const { server, ask } = await openScripted([{ trouble: 'stall' }])
  const stop = new AbortController()
  const asked = ask({}, { signal: stop.signal })
  await expect.poll(() => server.received.length).toBe(1)
  stop.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
  await expect(ask({}, { signal: stop.signal })).rejects.toThrow('enough')
  expect(server.received).toHaveLength(1)
})

test('an error thrown by onText is passed on', async () => {
  const { server, ask } = await openScripted(['Hello you'])
  const onText = () => {
    throw new Error('no more room')
  }
  await expect(ask({}, { onText })).rejects.toThrow('no more room')
  expect(server.received).toHaveLength(1)
})

test('an answer without an end is cut off', async () => {
  const { fail } = await openScripted([{ raw: `{"choices":"${'x'.repeat(17_000_000)}"}` }])
  expect((await fail()).message).toContain('larger than 16 MiB')
})

test('an endpoint that is not there says so', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const { fail } = await openScripted([], { url: `http://127.0.0.1:${port}/v1` })
  expect(await fail()).toMatchObject({
    code: 'model_error',
    message: `The model at http://127.0.0.1:${port}/v1 cannot be reached: connection refused.`,
    suggestion: expect.stringContaining('TOOLPACT_MODEL_URL'),
  })
})

test('the environment of other programs has no say', async () => {
  const others = {
    OPENAI_API_KEY: 'sk-of-another',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    OPENAI_ORG_ID: 'org',
    OPENAI_PROJECT_ID: 'project',
    OPENAI_CUSTOM_HEADERS: 'x-custom: 1',
  }
  const before = Object.keys(others).map((name) => [name, process.env[name]] as const)
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  Object.assign(process.env, others)
  const { server, ask } = await openScripted(['Hello'], { key: undefined })
  await ask()
  const { headers } = server.received[0]!
  expect(JSON.stringify(headers)).not.toMatch(/another|org"|project|custom|stainless/)
})
