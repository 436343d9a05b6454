import { expect, test } from 'vitest'
import { mcpInfo } from '../../../test/helpers/mcp-toolset.ts'
import { initialize, modernMeta, openMcpStdio } from '../../../test/helpers/open-mcp.ts'

const request = (method: string, params: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const modern = (method: string, params: object = {}, id?: number) =>
  request(method, { _meta: modernMeta(), ...params }, id)
const { instructions, ...serverInfo } = mcpInfo

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
  '%s is spoken by those who ask for it',
  async (revision) => {
    const { send, next } = await openMcpStdio()
    send(initialize(revision), { jsonrpc: '2.0', method: 'notifications/initialized' }, request('ping', {}, 2))
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      id: 'init',
      result: {
        protocolVersion: revision,
        capabilities: { tools: {}, logging: {}, ...(revision === '2025-11-25' && { tasks: expect.anything() }) },
        instructions,
        serverInfo,
      },
    })
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    send(request('tools/call', { name: 'echo', arguments: { text: 'hi' } }))
    expect((await next()).result).toEqual({
      content: [{ type: 'text', text: '{"said":"hi","caller":"stdio"}' }],
      structuredContent: { said: 'hi', caller: 'stdio' },
      isError: false,
    })
  },
)

test('a client with another revision is offered the newest legacy revision', async () => {
  const { send, next } = await openMcpStdio()
  send(initialize('2026-07-28'), initialize('1999-01-01'))
  expect((await next()).result.protocolVersion).toBe('2025-11-25')
  expect((await next()).result.protocolVersion).toBe('2025-11-25')
})

test('a request without initialize and without a revision is told how to begin', async () => {
  const { send, next } = await openMcpStdio()
  send(request('tools/list'))
  const { error } = await next()
  expect(error.code).toBe(-32602)
  expect(error.message).toContain('initialize')
})

test('2026-07-28: the server can be discovered without a word before', async () => {
  const { send, next } = await openMcpStdio()
  send(modern('server/discover'))
  const { result } = await next()
  expect(result).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, logging: {} },
    instructions,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  })
  expect(result.ttlMs).toBeGreaterThanOrEqual(0)
})

test('2026-07-28: every result has its type and says who answers', async () => {
  const { send, next } = await openMcpStdio()
  send(modern('tools/list'), modern('tools/call', { name: 'echo', arguments: { text: '' } }, 2))
  const list = await next()
  expect(list.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
  expect(Number.isInteger(list.result.ttlMs)).toBe(true)
  const failed = await next()
  expect(failed.result).toMatchObject({
    resultType: 'complete',
    isError: true,
    _meta: {
      'toolpact/error': { code: 'too_quiet', suggestion: 'Speak up.' },
      'io.modelcontextprotocol/serverInfo': serverInfo,
    },
  })
})

test('2026-07-28: a request without its capabilities or with another revision is refused', async () => {
  const { send, next } = await openMcpStdio()
  send(request('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }))
  expect((await next()).error.code).toBe(-32602)
  send(request('tools/list', { _meta: { ...modernMeta(), 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } }))
  expect((await next()).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2030-01-01' },
  })
  send(request('tools/list', { _meta: 5 }))
  expect((await next()).error.code).toBe(-32602)
})

test.each(['initialize', 'ping', 'logging/setLevel', 'no/such', 'constructor'])(
  '2026-07-28: there is no method %s',
  async (method) => {
    const { send, next } = await openMcpStdio()
    send(modern(method))
    expect((await next()).error.code).toBe(-32601)
  },
)

test('both forms can be spoken on one connection', async () => {
  const { send, next } = await openMcpStdio()
  send(initialize(), modern('tools/call', { name: 'echo', arguments: { text: 'a' } }, 5), request('ping', {}, 6))
  const answers = [await next(), await next(), await next()]
  expect(answers.find(({ id }) => id === 5).result.resultType).toBe('complete')
  expect(answers.find(({ id }) => id === 6).result).toEqual({})
})

test('an unknown tool is an error of the protocol, with what was probably meant', async () => {
  const { send, next } = await openMcpStdio()
  send(modern('tools/call', { name: 'ecco' }))
  expect((await next()).error).toMatchObject({
    code: -32602,
    message: "There is no tool 'ecco'. Did you mean echo?",
    data: { error: { code: 'tool_not_found', status: 404 } },
  })
})

test('an input that does not match is a result that the model can mend', async () => {
  const { send, next } = await openMcpStdio()
  send(initialize(), request('tools/call', { name: 'echo', arguments: { txt: 1 } }))
  await next()
  const { result } = await next()
  expect(result.isError).toBe(true)
  expect(result).not.toHaveProperty('structuredContent')
  expect(result._meta['toolpact/error']).toMatchObject({ code: 'invalid_input', fixable: true })
  const { problems } = result._meta['toolpact/error']
  expect(problems.length).toBeGreaterThan(0)
  const [first, ...lines] = result.content[0].text.split('\n')
  expect(first).toBe(
    `invalid_input: ${result._meta['toolpact/error'].message} Correct the input as described in the problems and call again.`,
  )
  expect(lines).toEqual(problems.map(({ message }: { message: string }) => `- ${message}`))
})

test('parameters that are wrong in themselves are refused', async () => {
  const { send, next } = await openMcpStdio()
  for (const params of [{}, { name: 5 }, { name: 'echo', Arguments: {} }, { name: 'echo', inputResponses: null }]) {
    send(modern('tools/call', params))
    expect((await next()).error.code, JSON.stringify(params)).toBe(-32602)
  }
})

test('progress reaches a client that asked for it, before the result', async () => {
  const { send, next } = await openMcpStdio()
  send(modern('tools/call', { name: 'count', arguments: { steps: 2 }, _meta: modernMeta({}, { progressToken: 'p' }) }))
  const progress = { jsonrpc: '2.0', method: 'notifications/progress' }
  expect(await next()).toEqual({
    ...progress,
    params: { progressToken: 'p', progress: 1, total: 2, message: 'step 1' },
  })
  expect(await next()).toMatchObject({ ...progress, params: { progress: 2 } })
  expect((await next()).result.structuredContent).toEqual({ counted: 2 })
  send(modern('tools/call', { name: 'count', arguments: { steps: 2 } }))
  expect(await next()).toHaveProperty('result')
})

test('a call that is cancelled ends, and is not answered', async () => {
  const { send, next, toolpact } = await openMcpStdio()
  const _meta = modernMeta({}, { progressToken: 1 })
  send(modern('tools/call', { name: 'count', arguments: { steps: 2, pauseMs: 600_000 }, _meta }, 7))
  await next()
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { a: 1 } } }, initialize())
  expect((await next()).id).toBe('init')
  await expect
    .poll(async () => (await toolpact.ledger.read({ last: 1 }))[0]?.record)
    .toMatchObject({
      kind: 'outcome',
      errorCode: 'cancelled',
    })
})

test('an id that is in flight cannot be used again', async () => {
  const { send, next, input } = await openMcpStdio({ graceMs: 0 })
  const call = modern('tools/call', { name: 'count', arguments: { steps: 1, pauseMs: 600_000 } }, 3)
  send(call, call)
  expect((await next()).error).toMatchObject({ code: -32602, message: expect.stringContaining('in flight') })
  input.end()
})

test('calls above the limit in flight are refused, and the others continue', async () => {
  const { send, next } = await openMcpStdio({ graceMs: 0 })
  for (let id = 0; id <= 256; id++)
    send(modern('tools/call', { name: 'count', arguments: { steps: 1, pauseMs: 600_000 } }, id))
  expect(await next()).toMatchObject({ id: 256, error: { code: -32603 } })
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } })
  await expect
    .poll(async () => {
      send(modern('tools/call', { name: 'echo', arguments: { text: 'x' } }, 300))
      return (await next()).result
    })
    .toBeDefined()
})
