import { expect, test } from 'vitest'
import { openMcpTools } from '../../../test/helpers/mcp-toolset.ts'
import { initialize, modernMeta, openMcpHttp, readEvents, readJson } from '../../../test/helpers/open-mcp.ts'

const rpc = (method: string, params: object = {}, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params })
const echo = (text: string, id?: number) => rpc('tools/call', { name: 'echo', arguments: { text } }, id)
const slow = { name: 'count', arguments: { steps: 2, pauseMs: 600_000 } }

test('2026-07-28: a call is answered with JSON, without a word before', async () => {
  const { modern } = await openMcpHttp()
  const response = await modern('tools/call', { name: 'echo', arguments: { text: 'é' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.has('content-length')).toBe(true)
  expect(response.headers.has('mcp-session-id')).toBe(false)
  expect((await readJson(response)).result).toMatchObject({ structuredContent: { said: 'é', caller: 'tester' } })
})

test.each([
  ['MCP-Protocol-Version', '2025-11-25'],
  ['Mcp-Method', 'tools/list'],
  ['Mcp-Method', 'TOOLS/CALL'],
  ['Mcp-Name', 'count'],
  ['Mcp-Name', '=?base64?Y291bnQ=?='],
  ['Mcp-Name', '=?base64?ZWNo!28=?='],
  ['Mcp-Name', ''],
])('2026-07-28: the header %s that says %j is refused, and nothing runs', async (header, value) => {
  const { modern, toolpact } = await openMcpHttp()
  const response = await modern('tools/call', { name: 'echo', arguments: { text: 'x' } }, { [header]: value })
  expect(response.status).toBe(400)
  expect(await readJson(response)).toMatchObject({ id: 1, error: { code: -32020 } })
  expect(await toolpact.ledger.read()).toEqual([])
})

test('2026-07-28: headers that are missing are refused', async () => {
  const { post } = await openMcpHttp()
  const body = rpc('tools/call', { name: 'echo', arguments: { text: 'x' }, _meta: modernMeta() })
  const all: Record<string, string> = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' } // biome-ignore format: one line
  expect((await post(body, all)).status).toBe(200)
  for (const name of Object.keys(all)) {
    const { [name]: _, ...rest } = all
    const response = await post(body, rest)
    expect(response.status, name).toBe(400)
    expect((await readJson(response)).error.code, name).toBe(-32020)
  }
})

test('2026-07-28: a name that was encoded for its header is decoded first', async () => {
  const { modern } = await openMcpHttp()
  const encoded = `=?base64?${Buffer.from('echo').toString('base64')}?=`
  const input = { name: 'echo', arguments: { text: 'x' } }
  expect((await modern('tools/call', input, { 'Mcp-Name': encoded })).status).toBe(200)
  expect((await modern('tools/call', input, { 'Mcp-Name': '  echo  ' })).status).toBe(200)
})

test.each([
  [{ region: 'eu', size: 4 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Size': '4.0' }, 200],
  [{ region: 'é' }, { 'Mcp-Param-Region': `=?base64?${Buffer.from('é').toString('base64')}?=` }, 200],
  [{}, {}, 200],
  [{ region: 'eu' }, {}, 400],
  [{}, { 'Mcp-Param-Region': 'eu' }, 400],
  [{ region: 'eu' }, { 'Mcp-Param-Region': 'us' }, 400],
  [{ region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVsbG8?=' }, 400],
  [{ size: 4 }, { 'Mcp-Param-Size': '5' }, 400],
])('2026-07-28: the input %j with the headers %j is answered %i', async (input, headers, status) => {
  const { modern } = await openMcpHttp()
  const response = await modern('tools/call', { name: 'region', arguments: input }, headers as Record<string, string>)
  expect(response.status).toBe(status)
  if (status === 400) expect((await readJson(response)).error.code).toBe(-32020)
})

test('the surface leaves it to the pipeline to check the tool of a call, and waits for no loaded one', async () => {
  const find = () => {
    throw new Error('looked up twice')
  }
  const tools = await openMcpTools()
  // Whether it is a workflow.
  await tools.catalog.find('region')
  const served = { ...tools, catalog: { ...tools.catalog, find } }
  const { modern } = await openMcpHttp({ served })
  const response = await modern('tools/call', { name: 'region', arguments: { size: 4 } }, { 'Mcp-Param-Size': '4' })
  expect((await readJson(response)).result).toMatchObject({ isError: false })
  const refused = await modern('tools/call', { name: 'region', arguments: { size: 4 } }, { 'Mcp-Param-Size': '5' })
  expect(refused.status).toBe(400)
  const [last] = await tools.ledger.read({ last: 1 })
  expect(last!.record).toMatchObject({ kind: 'refusal', errorCode: 'invalid_input', checks: { input: 'failed' } })
  await tools.close()
})

test('2026-07-28: the status says what was wrong with a request, but not how a call ended', async () => {
  const { post, modern } = await openMcpHttp()
  const statusOf = async (response: Response) => [response.status, (await readJson(response)).error?.code]
  expect(await statusOf(await modern('no/such'))).toEqual([404, -32601])
  expect(await statusOf(await modern('initialize'))).toEqual([404, -32601])
  expect(await statusOf(await modern('tools/list', { _meta: {} }))).toEqual([400, -32602])
  const { 'io.modelcontextprotocol/clientCapabilities': _, ...bare } = modernMeta()
  expect(await statusOf(await modern('tools/list', { _meta: bare }))).toEqual([400, -32602])
  const future = { ...modernMeta(), 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
  const headers = { 'MCP-Protocol-Version': '2030-01-01' }
  expect(await statusOf(await modern('tools/list', { _meta: future }, headers))).toEqual([400, -32022])
  expect(await statusOf(await post(rpc('tools/list'), headers))).toEqual([400, -32022])
  expect(await statusOf(await modern('tools/call', { name: 'nope' }))).toEqual([200, -32602])
  expect(await statusOf(await modern('tools/call', { name: 'echo', arguments: { text: '' } }))).toEqual([
    200,
    undefined,
  ])
})

test('2026-07-28: progress makes the answer a stream', async () => {
  const { modern } = await openMcpHttp()
  const _meta = modernMeta({}, { progressToken: 'p' })
  const response = await modern('tools/call', { name: 'count', arguments: { steps: 2 }, _meta })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const events = []
  for await (const event of readEvents(response)) events.push(event)
  expect(events).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }, { id: 1, result: {} }])
})

test('a client that takes no stream gets JSON alone', async () => {
  const { modern } = await openMcpHttp()
  const input = { name: 'count', arguments: { steps: 2 }, _meta: modernMeta({}, { progressToken: 'p' }) }
  const response = await modern('tools/call', input, { Accept: 'application/json' })
  expect(response.headers.get('content-type')).toBe('application/json')
  expect((await readJson(response)).result.structuredContent).toEqual({ counted: 2 })
})

test('2026-07-28: a client that closes the response has cancelled the call', async () => {
  const { modern, toolpact } = await openMcpHttp()
  const stop = new AbortController()
  const call = modern('tools/call', slow, {}, stop.signal)
  await expect.poll(async () => (await toolpact.ledger.read()).length).toBe(1)
  stop.abort()
  await expect(call).rejects.toThrow()
  await expect
    .poll(async () => (await toolpact.ledger.read({ last: 1 }))[0]!.record)
    .toMatchObject({
      kind: 'outcome',
      errorCode: 'cancelled',
    })
})

test('a call that says nothing for long becomes a stream with comments', async () => {
  const { modern } = await openMcpHttp({ keepAliveMs: 20 })
  const response = await modern('tools/call', { name: 'count', arguments: { steps: 1, pauseMs: 200 } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toMatch(/^:\n\n(?:.*\n)*data: \{"jsonrpc":"2.0","id":1,"result"/)
})

test('2025-11-25: a session begins with initialize and ends with DELETE', async () => {
  const { post, begin, url } = await openMcpHttp()
  const session = await begin()
  expect(session['Mcp-Session-Id']).toMatch(/^[\x21-\x7e]{20,}$/)
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(202)
  expect((await readJson(await post(echo('hi'), session))).result.structuredContent.said).toBe('hi')
  expect((await post(echo('hi'))).status).toBe(400)
  expect((await post(echo('hi'), { 'Mcp-Session-Id': 'nope' })).status).toBe(404)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(400)
  expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(204)
  expect((await post(echo('hi'), session)).status).toBe(404)
})

test('2025-11-25: an error of the protocol is an answer', async () => {
  const { post, begin } = await openMcpHttp()
  const response = await post(rpc('no/such'), await begin())
  expect(response.status).toBe(200)
  expect((await readJson(response)).error.code).toBe(-32601)
})

test('2025-11-25: a session is of use to the caller alone that began it', async () => {
  const { post, begin, url } = await openMcpHttp()
  const session = await begin('2025-11-25', {}, { 'X-Caller': 'ada' })
  expect((await post(echo('hi'), { ...session, 'X-Caller': 'eve' })).status).toBe(404)
  expect((await fetch(url, { method: 'DELETE', headers: { ...session, 'X-Caller': 'eve' } })).status).toBe(404)
  expect((await readJson(await post(echo('hi'), session))).result.structuredContent.caller).toBe('ada')
})

test('2025-11-25: the session that was used least makes room for a new one', async () => {
  const { post, begin } = await openMcpHttp({ maxSessions: 2 })
  const sessions = [await begin(), await begin(), await begin()]
  expect((await post(echo('hi'), sessions[0])).status).toBe(404)
  expect((await post(echo('hi'), sessions[2])).status).toBe(200)
})

test('2025-11-25: an idle session ends', async () => {
  const { post, begin } = await openMcpHttp({ keepAliveMs: 20, idleMs: 100 })
  const session = await begin()
  await expect.poll(async () => (await post(echo('hi'), session)).status, { interval: 300 }).toBe(404)
})

test('2025-11-25: the client is asked on the stream of the call, and answers in its session', async () => {
  const { post, begin } = await openMcpHttp()
  const session = await begin('2025-11-25', { elicitation: {} })
  const other = await begin('2025-11-25', { elicitation: {} })
  const response = await post(rpc('tools/call', { name: 'note', arguments: { text: 'hi' } }), session)
  const events = readEvents(response)
  const { value: asked } = await events.next()
  expect(asked.method).toBe('elicitation/create')
  const answer = (decision: string) => ({
    jsonrpc: '2.0',
    id: asked.id,
    result: { action: 'accept', content: { decision } },
  })
  expect((await post(answer('deny'), other)).status).toBe(202)
  expect((await post(answer('approve'), session)).status).toBe(202)
  const { value: answered } = await events.next()
  expect(answered.result.structuredContent).toEqual({ noted: 'hi in notes.txt' })
})

test('2025-11-25: a call is cancelled by a notification in its session, and by none in another', async () => {
  const { post, begin, toolpact } = await openMcpHttp()
  const [session, other] = [await begin(), await begin()]
  const call = post(rpc('tools/call', slow, 5), session)
  await expect.poll(async () => (await toolpact.ledger.read()).length).toBe(1)
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }
  await post(cancel, other)
  await post(echo('hi'), other)
  expect((await toolpact.ledger.read()).map(({ record }) => record)).not.toContainEqual(
    expect.objectContaining({ errorCode: 'cancelled' }),
  )
  await post(cancel, session)
  expect(await (await call).text()).toBe('')
})

test('2025-03-26: several messages may come together', async () => {
  const { post, begin } = await openMcpHttp()
  const batch = [echo('a', 1), { jsonrpc: '2.0', method: 'notifications/initialized' }, echo('b', 2), 5]
  const response = await post(batch, await begin('2025-03-26'))
  expect(await readJson(response)).toMatchObject([
    { id: 1, result: { structuredContent: { said: 'a' } } },
    { id: 2, result: { structuredContent: { said: 'b' } } },
    { error: { code: -32600 } },
  ])
  const session = await begin('2025-03-26')
  expect((await post([{ jsonrpc: '2.0', method: 'x' }], session)).status).toBe(202)
  expect((await post(batch, await begin('2025-11-25'))).status).toBe(400)
})

test('what is no message, no JSON or asks for nothing we have is refused with a fitting status', async () => {
  const { post, url } = await openMcpHttp()
  expect((await post('{oops')).status).toBe(400)
  expect((await readJson(await post('{oops'))).error.code).toBe(-32700)
  expect((await post('{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}')).status).toBe(400)
  expect((await post('')).status).toBe(400)
  expect((await post(echo('x'), { 'Content-Type': 'text/plain' })).status).toBe(415)
  expect((await post(echo('x'), { Accept: 'text/html' })).status).toBe(406)
  const get = await fetch(url)
  expect(get.status).toBe(405)
  expect(get.headers.get('allow')).toBe('POST, DELETE')
})

test('64 clients with the same ids each get their own answer', async () => {
  const { post, begin, modern } = await openMcpHttp()
  const clients = await Promise.all(
    Array.from({ length: 64 }, async (_, index) => ({ index, session: index % 2 ? await begin() : undefined })),
  )
  const calls = clients.flatMap(({ index, session }) =>
    Array.from({ length: 5 }, async (_, round) => {
      const text = `${index}-${round}`
      const input = { name: 'echo', arguments: { text } }
      // Within a session ids must differ; between clients they are all the same.
      const response = session
        ? await post(rpc('tools/call', input, round), session)
        : await modern('tools/call', input, { 'X-Caller': `caller-${index}` })
      const { id, result } = await readJson(response)
      expect(id).toBe(session ? round : 1)
      expect(result.structuredContent).toEqual({ said: text, caller: session ? 'tester' : `caller-${index}` })
    }),
  )
  await Promise.all(calls)
  expect(calls).toHaveLength(320)
})

test('closing lets calls finish in their time, then ends them', async () => {
  const { mcp, modern, post, toolpact } = await openMcpHttp()
  const quick = modern('tools/call', { name: 'count', arguments: { steps: 1, pauseMs: 300 } })
  const endless = modern('tools/call', slow)
  await expect.poll(async () => (await toolpact.ledger.read()).length).toBeGreaterThanOrEqual(2)
  const closing = mcp.close(2000)
  expect((await post(initialize())).status).toBe(503)
  expect((await readJson(await quick)).result.structuredContent).toEqual({ counted: 1 })
  await closing
  expect((await readJson(await endless)).result._meta['toolpact/error'].code).toBe('cancelled')
})
