import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { echo, oneToken, openHttp, rightToken } from '../../../test/helpers/open-http.ts'
import type { Credentials } from './credentials.ts'
import type { Handle } from './route.ts'

const head = (port: number, ...fields: string[]) =>
  ['POST /mcp HTTP/1.1', `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${rightToken}`, ...fields, '', ''].join(
    '\r\n',
  )
const json = 'Content-Type: application/json'
const statusOf = (text: string) => /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]

test('a body is accepted up to its limit, with or without Content-Length', async () => {
  const { port, send, sendRaw } = await openHttp({ limits: { bodyBytes: 1000 } })
  expect((await send('/mcp', { body: 'x'.repeat(1000) })).json).toMatchObject({ bytes: 1000, caller: 'ada' })
  const { status, json: problem } = await send('/mcp', { body: 'x'.repeat(1001) })
  expect(status).toBe(413)
  expect(problem).toMatchObject({ code: 'body_too_large', detail: expect.stringContaining('1000 bytes') })
  const chunks = (count: number) => `${'64\r\n'.concat('x'.repeat(100), '\r\n').repeat(count)}0\r\n\r\n`
  const sent = (count: number) => sendRaw(`${head(port, json, 'Transfer-Encoding: chunked', 'Connection: close')}${chunks(count)}`) // biome-ignore format: one line
  expect(await sent(10)).toContain('"bytes":1000')
  expect(statusOf(await sent(11))).toBe('413')
})

test('a client that was refused for its size can read why, even while it is sending', async () => {
  const { send } = await openHttp({ limits: { bodyBytes: 1000 } })
  expect((await send('/mcp', { body: Buffer.alloc(8_000_000) })).json.code).toBe('body_too_large')
  expect((await send('/mcp', { body: Buffer.alloc(1_000_000), token: null })).json.code).toBe('unauthorized')
})

test('a body must be JSON by its declaration, in UTF-8 and not compressed', async () => {
  const { send } = await openHttp()
  const status = async (headers: { [name: string]: string }) => (await send('/mcp', { body: '{}', headers })).status
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
    expect(await status({ 'Content-Type': type }), type).toBe(200)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/plain; application/json',
    'application/json; charset=utf-16',
    '',
  ])
    expect(await status({ 'Content-Type': type }), type).toBe(415)
  expect(await status({ 'Content-Encoding': 'gzip' })).toBe(415)
  expect(await status({ 'Content-Encoding': 'identity' })).toBe(200)
  expect((await send('/mcp', { method: 'POST' })).json).toMatchObject({ bytes: null })
})

test('a body that trickles in is answered 408, and the connection ends', async () => {
  const { port, sendRaw } = await openHttp({ limits: { headersMs: 300, requestMs: 400 } })
  const answer = await sendRaw(head(port, json, 'Content-Length: 10'), '{', ' ', ' ')
  expect(statusOf(answer)).toBe('408')
  expect(answer).toContain('"code":"request_timeout"')
})

test('header fields that trickle in, and a connection that says nothing, end too', async () => {
  const { sendRaw } = await openHttp({ limits: { headersMs: 300, requestMs: 400 } })
  expect(statusOf(await sendRaw('GET /healthz HTTP/1.1\r\n', 'X-Slow: 1\r\n', 'X-Slower: 1\r\n'))).toBe('408')
  expect(statusOf(await sendRaw()) ?? '408').toBe('408')
})

test('many slow clients at once do not keep others from being served', async () => {
  const { port, send } = await openHttp({ limits: { headersMs: 2000, requestMs: 2000 } })
  const slow = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of slow) socket.write('GET / HTTP/1.1\r\nX-A: ')
  expect((await send('/healthz')).status).toBe(200)
  await Promise.all(slow.map((socket) => (socket.closed ? undefined : once(socket.resume(), 'close'))))
})

test('header fields beyond 16 KiB are answered 431, in one field or in many', async () => {
  const { port, sendRaw } = await openHttp()
  expect(statusOf(await sendRaw(head(port, `X-Long: ${'x'.repeat(20_000)}`)))).toBe('431')
  expect(statusOf(await sendRaw(head(port, ...Array.from({ length: 3000 }, (_, index) => `X-${index}: x`))))).toBe(
    '431',
  )
})

test('a foreign Origin is seen behind any number of header fields', async () => {
  const { port, sendRaw } = await openHttp()
  const many = Array.from({ length: 1500 }, () => 'A: b')
  expect(statusOf(await sendRaw(head(port, ...many, 'Origin: https://attacker.example', 'Connection: close')))).toBe(
    '403',
  )
})

test('invalid HTTP is answered 400, and the connection is closed', async () => {
  const { port, sendRaw } = await openHttp()
  const garbage = [
    'hello\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET /healthz HTTP/9.9\r\n\r\n',
    head(port, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    head(port, 'Content-Length: 5', 'Content-Length: 6'),
    head(port, 'Content-Length: -1'),
    `${head(port, json, 'Transfer-Encoding: chunked')}zz\r\n`,
    head(port, 'Bad Name: x'),
    head(port, 'X: a\nInjected: b\x00'),
  ]
  for (const text of garbage) {
    const answer = await sendRaw(text)
    expect(statusOf(answer), JSON.stringify(text.slice(0, 200))).toBe('400')
    expect(answer).toContain('"code":"bad_request"')
  }
})

test('garbage behind a request ends the connection and writes nothing into its answer', async () => {
  let isAnswered = false
  const slow: Handle = async (request, response, context) => {
    await sleep(200)
    isAnswered = true
    await echo(request, response, context)
  }
  const { port, send, sendRaw } = await openHttp({ mcp: { handle: slow } })
  const answer = await sendRaw(`${head(port, json, 'Content-Length: 2')}{}GARBAGE\r\n\r\n`)
  expect(answer).toBe('')
  expect((await send('/healthz')).status).toBe(200)
  await sleep(250)
  expect(isAnswered).toBe(true)
})

test('pipelined requests are answered in their order', async () => {
  const { port, sendRaw } = await openHttp()
  const one = (bytes: number, ...fields: string[]) =>
    `${head(port, json, `Content-Length: ${bytes}`, ...fields)}${'x'.repeat(bytes)}`
  const answer = await sendRaw(`${one(1)}${one(2)}${one(3, 'Connection: close')}`)
  expect([...answer.matchAll(/"bytes":(\d)/g)].map(([, bytes]) => bytes)).toEqual(['1', '2', '3'])
})

test('requests above the limit in flight get Retry-After', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: Handle = async (request, response, context) => {
    await promise
    await echo(request, response, context)
  }
  const { send } = await openHttp({ mcp: { handle }, limits: { requests: 2 } })
  const inFlight = [send('/mcp', { body: '{}' }), send('/mcp', { body: '{}' })]
  await sleep(100)
  const busy = await send('/healthz')
  expect(busy.json).toMatchObject({ status: 503, code: 'server_busy' })
  expect(busy.headers['retry-after']).toBe('1')
  resolve()
  expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([200, 200])
  expect((await send('/healthz')).status).toBe(200)
})

test('bodies that are too large together get Retry-After, and their memory is released', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: Handle = async (request, response, context) => {
    await promise
    await echo(request, response, context)
  }
  const { send } = await openHttp({ mcp: { handle }, limits: { allBodiesBytes: 1000 } })
  const first = send('/mcp', { body: 'x'.repeat(600) })
  await sleep(100)
  const path = '/v1/tools/learning.hello'
  expect((await send(path, { body: 'x'.repeat(600) })).json).toMatchObject({ status: 503, code: 'server_busy' })
  expect((await send(path, { body: 'x'.repeat(300) })).status).toBe(200)
  resolve()
  expect((await first).status).toBe(200)
  expect((await send(path, { body: 'x'.repeat(1000) })).status).toBe(200)
})

test('Expect: 100-continue is answered with 100, or with the reason for a refusal', async () => {
  const { port, sendRaw } = await openHttp({ limits: { bodyBytes: 100 } })
  const expectation = 'Expect: 100-continue'
  const good = await sendRaw(head(port, json, expectation, 'Content-Length: 2', 'Connection: close'), '{}')
  expect(good).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
  expect(statusOf(await sendRaw(head(port, json, expectation, 'Content-Length: 101')))).toBe('413')
  expect(statusOf(await sendRaw(head(port, json, expectation, 'Content-Length: 2').replace(rightToken, 'wrong')))).toBe(
    '401',
  )
  const foreign = head(port, 'Expect: wonders', 'Origin: https://attacker.example', 'Connection: close')
  expect(statusOf(await sendRaw(foreign))).toBe('403')
  expect(statusOf(await sendRaw(head(port, json, 'Expect: wonders', 'Content-Length: 0', 'Connection: close')))).toBe(
    '417',
  )
})

test('the body of an unauthenticated request is not read', async () => {
  const { port, sendRaw } = await openHttp({ limits: { headersMs: 300, requestMs: 400 } })
  const get = (path: string) =>
    sendRaw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${json}\r\nContent-Length: 1000\r\n\r\n{`)
  expect(statusOf(await get('/'))).toBe('401')
  expect(statusOf(await get('/.well-known/oauth-protected-resource'))).toBe('200')
  expect(statusOf(await get('/v1/tools'))).toBe('401')
})

test('clients that disconnect during authentication do not count as in flight', async () => {
  const credentials: Credentials = {
    identify: (token) => sleep(100).then(() => oneToken.identify(token)),
  }
  const { port, send } = await openHttp({ credentials, limits: { requests: 2 } })
  const gone = Array.from({ length: 5 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of gone) socket.write(head(port, json, 'Content-Length: 0'))
  await sleep(30)
  for (const socket of gone) socket.destroy()
  await sleep(200)
  expect((await send('/healthz')).status).toBe(200)
})

test('an internal error is answered 500 without its message, and reported to the operator', async () => {
  const failures: unknown[] = []
  const handle: Handle = async () => {
    throw new Error('secret words')
  }
  const { send } = await openHttp({ mcp: { handle }, onFailure: (cause) => failures.push(cause) })
  const { json, text } = await send('/mcp', { body: '{}' })
  expect(json).toMatchObject({ status: 500, code: 'server_failed' })
  expect(text).not.toContain('secret')
  expect(failures).toEqual([new Error('secret words')])
})

test('a client that goes away while it sends, or while it waits, leaves nothing behind', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: Handle = async (_request, response) => {
    response.once('close', resolve)
  }
  const { port, send, close } = await openHttp({ mcp: { handle } })
  const sending = connect(port, '127.0.0.1')
  sending.write(`${head(port, json, 'Content-Length: 100')}{`)
  await sleep(50)
  sending.destroy()
  const waiting = connect(port, '127.0.0.1')
  waiting.write(head(port, json, 'Content-Length: 0'))
  await sleep(50)
  waiting.destroy()
  await promise
  expect((await send('/healthz')).status).toBe(200)
  await close(60_000)
})
