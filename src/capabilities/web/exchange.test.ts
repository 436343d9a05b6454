import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { exchange } from './exchange.ts'

/** Sends this many interim responses, and the final one a moment later or never. */
async function ask(interim: number, answers: boolean) {
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .once('data', async () => {
        socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(interim))
        await sleep(100)
        if (answers) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      }),
  )
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return exchange(socket, {
    url: new URL(`http://127.0.0.1:${port}/`),
    headers: {},
    signal: AbortSignal.timeout(60_000),
  })
}

test('16 answers before the answer are borne, and 17 are not', async () => {
  expect((await ask(16, true)).statusCode).toBe(200)
  await expect(ask(17, false)).rejects.toMatchObject({ code: 'fetch_failed' })
})
