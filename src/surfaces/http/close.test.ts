import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { echo, openHttp } from '../../../test/helpers/open-http.ts'
import type { Handle } from './route.ts'

test('close lets requests in flight finish, and refuses new ones', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const graces: number[] = []
  const handle: Handle = async (request, response, context) => {
    await promise
    await echo(request, response, context)
  }
  const mcp = { handle, close: async (graceMs: number) => void graces.push(graceMs) }
  const { send, close, port } = await openHttp({ mcp })
  const idle = connect(port, '127.0.0.1').on('error', () => {})
  await once(idle, 'connect')
  const underWay = send('/mcp', { body: '{}' })
  await sleep(100)
  const closed = close(60_000)
  await expect(send('/healthz')).rejects.toThrow('ECONNREFUSED')
  resolve()
  const { status, headers } = await underWay
  expect({ status, connection: headers.connection }).toEqual({ status: 200, connection: 'close' })
  await closed
  expect(graces).toEqual([60_000])
  if (!idle.closed) await once(idle.resume(), 'close')
})

test('what does not finish in time is cut off, and the handler sees it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: Handle = async (_request, response) => {
    response.once('close', resolve)
  }
  const { send, close } = await openHttp({ mcp: { handle } })
  const cut = send('/mcp', { body: '{}' }).catch((error: NodeJS.ErrnoException) => error.code)
  await sleep(100)
  await close(100)
  expect(await cut).toBe('ECONNRESET')
  await promise
})

test('a port in use is an error at start-up only', async () => {
  const { port, send } = await openHttp()
  await expect(openHttp({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect((await send('/healthz')).status).toBe(200)
})
