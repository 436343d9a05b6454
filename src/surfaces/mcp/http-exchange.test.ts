import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { HttpExchange } from './http-exchange.ts'

test('a stream whose client never reads is cut off, in place of one more comment', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const exchange = new HttpExchange(response, { name: 'ada' }, true)
  exchange.keepAlive(0)
  while (!exchange.isCongested) exchange.send('x'.repeat(1_000_000))
  const closed = once(response, 'close')
  exchange.keepAlive(0)
  await closed
  expect(response.destroyed).toBe(true)
})

test('a comment is sent only where the client takes events, and only once nothing was sent for a while', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const isBegun = async (canSend: boolean, everyMs: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    new HttpExchange(response, { name: 'ada' }, canSend).keepAlive(everyMs)
    return response.headersSent
  }
  expect(await isBegun(true, 0)).toBe(true)
  expect(await isBegun(true, 3_600_000)).toBe(false)
  expect(await isBegun(false, 0)).toBe(false)
  expect(await isBegun(false, 3_600_000)).toBe(false)
})
