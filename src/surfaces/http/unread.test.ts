import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openHttp, rightToken } from '../../../test/helpers/open-http.ts'
import type { Handle } from './route.ts'

/** A client that sends requests and never reads. */
async function openDeaf(port: number, requests: number): Promise<Socket> {
  const one = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${rightToken}\r\nContent-Length: 0\r\n\r\n`
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.pause().write(one.repeat(requests))
  return socket
}

/** Answers with this many bytes, and keeps the responses so that what is buffered can be counted. */
function answerWith(bytes: number) {
  const responses: ServerResponse[] = []
  const handle: Handle = (_request, response) => {
    responses.push(response)
    response.writeHead(200, { 'Content-Length': bytes }).end(Buffer.alloc(bytes))
  }
  const count = () => responses.reduce((sum, { closed, writableLength }) => sum + (closed ? 0 : writableLength), 0)
  return { mcp: { handle }, responses, count }
}

test('a client that never reads is cut off', async () => {
  const { mcp, responses, count } = answerWith(50_000_000)
  const { port } = await openHttp({ mcp, limits: { responseMs: 300 } })
  await openDeaf(port, 1)
  while (responses.length === 0) await sleep(10)
  await once(responses[0]!, 'close')
  expect(count()).toBe(0)
})

test('for a client that pipelines 500 requests and never reads, one response is held', async () => {
  const { mcp, responses, count } = answerWith(20_000_000)
  const { port, send } = await openHttp({ mcp })
  const socket = await openDeaf(port, 500)
  while (responses.length === 0) await sleep(10)
  await sleep(500)
  expect(responses).toHaveLength(1)
  expect(count()).toBeLessThan(21_000_000)
  expect((await send('/healthz')).status).toBe(200)
  socket.destroy()
  await once(responses[0]!, 'close')
  expect(responses).toHaveLength(1)
  expect(count()).toBe(0)
})

test('what is held for all clients that never read is bounded, and the others are served', async () => {
  const { mcp, responses, count } = answerWith(20_000_000)
  const { port, send } = await openHttp({ mcp, limits: { unreadBytes: 50_000_000 } })
  const deaf: Socket[] = []
  for (let index = 0; index < 12; index++) deaf.push(await openDeaf(port, 1))
  while (responses.length < 12) await sleep(10)
  expect(count()).toBeLessThanOrEqual(50_000_000)
  expect((await send('/mcp', { body: '{}' })).text).toHaveLength(20_000_000)
  expect(count()).toBeLessThanOrEqual(50_000_000)
})

test('pipelined requests that are dropped with their connection take no place', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started: string[] = []
  const handle: Handle = async (request, response) => {
    started.push(request.method!)
    await promise
    if (!response.destroyed) response.end('{}')
  }
  const { port, send } = await openHttp({ mcp: { handle }, limits: { requests: 10 } })
  for (let index = 0; index < 8; index++) {
    const socket = await openDeaf(port, 5)
    while (started.length <= index) await sleep(5)
    socket.destroy()
  }
  await sleep(100)
  resolve()
  expect(started).toHaveLength(8)
  for (let index = 0; index < 12; index++) expect((await send('/mcp', { body: '{}' })).status).toBe(200)
})

test('a flood of pipelined requests behind a slow one is not read on, and is answered once there is room', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let answered = 0
  let server: Socket | undefined
  const handle: Handle = async ({ socket }, response) => {
    server = socket
    await promise
    answered++
    response.end('{}')
  }
  const { port } = await openHttp({ mcp: { handle } })
  const socket = await openDeaf(port, 20_000)
  await sleep(300)
  expect(socket.bytesWritten).toBeGreaterThan(2_000_000)
  expect(server!.bytesRead).toBeLessThan(500_000)
  resolve()
  let received = 0
  socket.resume().on('data', (chunk) => {
    received += chunk.length
  })
  while (answered < 20_000 && !socket.closed) await sleep(20)
  expect({ answered, isClosed: socket.closed }).toEqual({ answered: 20_000, isClosed: false })
  expect(received).toBeGreaterThan(0)
})
