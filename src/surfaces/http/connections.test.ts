import { once } from 'node:events'
import { Agent, request as sendRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { echo, openHttp, rightToken } from '../../../test/helpers/open-http.ts'
import type { Handle } from './route.ts'

/** Opens connections, and sends a beginning of a request on each. */
async function openSockets(port: number, count: number, text = ''): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) if (text !== '') socket.write(text)
  await sleep(50)
  return sockets
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  if (!socket.closed) await once(socket, 'close')
  return text
}

const head = (port: number, ...fields: string[]) =>
  ['GET /v1/tools HTTP/1.1', `Host: 127.0.0.1:${port}`, ...fields, '', ''].join('\r\n')

test.each([
  ['silent', ''],
  ['half-sent', 'POST /mcp HTTP/1.1\r\nX-Slow: '],
])('1,100 %s connections without a token do not keep an authenticated caller out', async (_how, text) => {
  const { port, send } = await openHttp()
  await openSockets(port, 1100, text)
  for (let call = 0; call < 20; call++)
    expect((await send('/mcp', { body: '{}' })).json).toMatchObject({ caller: 'ada' })
})

test('under pressure the connection that was idle for longest is closed, and that of an authenticated caller last', async () => {
  const { port } = await openHttp({ limits: { connections: 4 } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const getPort = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${rightToken}` }
      const sent = sendRequest({ port, path: '/healthz', agent, headers }, (response) => {
        const { localPort } = response.socket
        response.resume().on('end', () => resolve(localPort!))
      })
      sent.on('error', reject).end()
    })
  const first = await getPort()
  const idle = await openSockets(port, 3)
  const answers = idle.slice(0, 2).map(readAll)
  await openSockets(port, 2)
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toContain('Retry-After: 1')
    expect(answer).toContain('"code":"server_busy"')
  }
  expect(idle[2]!.readyState).toBe('open')
  expect(await getPort()).toBe(first)
})

test('while all requests that may be in flight are, a new connection is answered 503 and not reset', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: Handle = async (request, response, context) => {
    await promise
    await echo(request, response, context)
  }
  const { send } = await openHttp({ mcp: { handle }, limits: { connections: 3 } })
  const inFlight = [send('/mcp', { body: '{}' }), send('/mcp', { body: '{}' })]
  await sleep(100)
  for (let index = 0; index < 5; index++) {
    const { status, headers } = await send('/healthz')
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '1' })
  }
  resolve()
  expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([200, 200])
})

test('requests without a token leave room for callers that have one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: Handle = async (request, response, context) => {
    await promise
    await echo(request, response, context)
  }
  const limits = { connections: 10, requests: 6, reservedRequests: 2 }
  const path = '/open'
  const { send } = await openHttp({
    surfaces: [{ routes: [{ methods: ['GET'], path, needs: 'none', handle }] }],
    limits,
  })
  const inFlight = Array.from({ length: 4 }, () => send(path, { token: null }))
  await sleep(100)
  expect((await send(path, { token: null })).json).toMatchObject({ status: 503, code: 'server_busy' })
  expect((await send('/mcp', { body: '{}' })).json).toMatchObject({ caller: 'ada' })
  resolve()
  expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('a connection is closed after a 401, and the answer says so', async () => {
  const { port, sendRaw } = await openHttp()
  for (const field of ['X: y', 'Authorization: Bearer wrong']) {
    const answer = await sendRaw(head(port, field))
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toContain('Connection: close')
  }
})
