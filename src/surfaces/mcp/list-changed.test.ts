import { expect, test } from 'vitest'
import { openChanging } from '../../../test/helpers/open-changing.ts'
import {
  initialize,
  modernMeta,
  openMcpHttp,
  openMcpStdio,
  readEvents,
  readJson,
} from '../../../test/helpers/open-mcp.ts'

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
const listening = (id: number, notifications: unknown = { toolsListChanged: true }) => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { _meta: modernMeta(), notifications },
})
const tagged = (id: number, method: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method,
  params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, ...more },
})
const acknowledged = (id: number, notifications: object = { toolsListChanged: true }) =>
  tagged(id, 'notifications/subscriptions/acknowledged', { notifications })

test('listChanged is declared, and listening possible, only if tools can change', async () => {
  const fixed = await openMcpStdio()
  fixed.send(initialize(), listening(1))
  expect((await fixed.next()).result.capabilities).toMatchObject({ tools: {}, logging: {} })
  expect((await fixed.next()).error.code).toBe(-32601)
  const { served } = openChanging()
  const { send, next } = await openMcpStdio({ served })
  send(initialize(), { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: modernMeta() } })
  expect((await next()).result.capabilities).toEqual({ tools: { listChanged: true }, logging: {} })
  expect((await next()).result.capabilities).toEqual({ tools: { listChanged: true }, logging: {} })
})

test('over stdio, a client is notified once of changes that come together, and then lists the new tools', async () => {
  const { served, grow } = openChanging()
  const { send, next } = await openMcpStdio({ served })
  send(initialize())
  await next()
  grow()
  grow()
  expect(await next()).toEqual(changed)
  send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect((await next()).result.tools.map(({ name }: { name: string }) => name)).toEqual(['echo', 'echo_1', 'echo_2'])
})

test('2026-07-28 over stdio: only subscribers are notified, until they cancel', async () => {
  const { served, grow } = openChanging()
  const { send, next } = await openMcpStdio({ served })
  send(listening(5), listening(6, { somethingElse: true }))
  expect(await next()).toEqual(acknowledged(5))
  expect(await next()).toEqual(acknowledged(6, {}))
  grow()
  expect(await next()).toEqual(tagged(5, 'notifications/tools/list_changed'))
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }, listening(7))
  expect(await next()).toEqual(acknowledged(7))
  grow()
  expect(await next()).toEqual(tagged(7, 'notifications/tools/list_changed'))
})

test('2026-07-28 over stdio: the end of the input ends the listening at once, with an answer', async () => {
  const { served } = openChanging()
  const { send, next, input, ended } = await openMcpStdio({ served, graceMs: 600_000 })
  send(listening(5))
  await next()
  input.end()
  expect(await next()).toMatchObject({
    id: 5,
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 5 } },
  })
  await ended
})

test.each([null, 5, ['toolsListChanged']])('what to listen to cannot be %j', async (notifications) => {
  const { served } = openChanging()
  const { send, next } = await openMcpStdio({ served })
  send(listening(1, notifications))
  expect((await next()).error.code).toBe(-32602)
})

const get = (url: string, headers: Record<string, string>) =>
  fetch(url, { headers: { Accept: 'text/event-stream', ...headers } })

test('over HTTP, a session is notified in its stream, which ends with the session', async () => {
  const { served, grow } = openChanging()
  const { url, begin } = await openMcpHttp({ served })
  const session = await begin()
  const response = await get(url, session)
  expect(response).toMatchObject({ status: 200 })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = readEvents(response)
  grow()
  expect((await events.next()).value).toEqual(changed)
  grow()
  expect((await events.next()).value).toEqual(changed)
  await fetch(url, { method: 'DELETE', headers: session })
  expect((await events.next()).done).toBe(true)
})

test('a stream that a client opens anew takes the place of the one before', async () => {
  const { served, grow } = openChanging()
  const { url, begin } = await openMcpHttp({ served })
  const session = await begin()
  const first = readEvents(await get(url, session))
  const second = readEvents(await get(url, session))
  expect((await first.next()).done).toBe(true)
  grow()
  expect((await second.next()).value).toEqual(changed)
})

test('a session does not end while its stream is open, and a silent stream has comments', async () => {
  const { served } = openChanging()
  const { url, begin, post } = await openMcpHttp({ served, idleMs: 900, keepAliveMs: 100 })
  const session = await begin()
  const reader = (await get(url, session)).body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let comments = 0; comments < 10; comments++) expect((await reader.read()).value).toMatch(/^(?::\n\n)+$/)
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status).toBe(200)
  await reader.cancel()
})

test('a stream needs a session of the caller, and a client that takes events', async () => {
  const { served } = openChanging()
  const { url, begin } = await openMcpHttp({ served })
  const session = await begin()
  expect((await get(url, {})).status).toBe(400)
  expect((await get(url, { 'Mcp-Session-Id': 'x' })).status).toBe(404)
  expect((await get(url, { ...session, 'X-Caller': 'eve' })).status).toBe(404)
  expect((await get(url, { ...session, Accept: 'application/json' })).status).toBe(406)
  const fixed = await openMcpHttp()
  expect((await get(fixed.url, await fixed.begin())).status).toBe(405)
})

test('2026-07-28 over HTTP: the answer is a stream, which the server ends when it stops', async () => {
  const { served, grow } = openChanging()
  const { modern, mcp } = await openMcpHttp({ served })
  const events = readEvents(await modern('subscriptions/listen', { notifications: { toolsListChanged: true } }))
  expect((await events.next()).value).toEqual(acknowledged(1))
  grow()
  expect((await events.next()).value).toEqual(tagged(1, 'notifications/tools/list_changed'))
  const closed = mcp.close(600_000)
  expect((await events.next()).value).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  expect((await events.next()).done).toBe(true)
  await closed
})

test('2026-07-28 over HTTP: a client that disconnects is unsubscribed, and one without event streams cannot subscribe', async () => {
  const { served } = openChanging()
  const { modern } = await openMcpHttp({ served })
  const params = { notifications: { toolsListChanged: true } }
  // More of them than may listen at once, one after another.
  for (let turn = 0; turn < 300; turn++) {
    const stop = new AbortController()
    const events = readEvents(await modern('subscriptions/listen', params, {}, stop.signal))
    await events.next()
    stop.abort()
    await events.next().catch(() => {})
  }
  const refused = await modern('subscriptions/listen', params, { Accept: 'application/json' })
  expect(refused.status).toBe(400)
  expect((await readJson(refused)).error.message).toContain('text/event-stream')
})
