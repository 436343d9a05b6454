import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nobody } from './credentials.ts'
import { createHealth, type UpstreamHealth } from './health.ts'

const well = { isWritable: true, lastCommitAt: null, lastFailure: null }

async function readReadiness(upstreams: readonly UpstreamHealth[], storage = async () => well) {
  const health = createHealth({ storage, upstreams: () => upstreams })
  const { handle } = health.routes.find(({ path }) => path === '/readyz')!
  const context = { caller: nobody, body: undefined, params: {} }
  const server = createServer((request, response) => handle(request, response, context))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`)
  return [answer.status, await answer.json()]
}

test.each([
  ['ready', false, true],
  ['idle', false, true],
  ['starting', true, true],
  ['starting', false, false],
  ['failed', true, false],
  ['failed', false, false],
])('a server that is %s, with its tools known: %s, can serve calls: %s', async (state, isListed, isUsable) => {
  const server = { name: 'notes', state, isListed }
  const notReady = [503, { status: 'not_ready', reasons: ['upstreams'] }]
  expect(await readReadiness([server])).toEqual(isUsable ? [200, { status: 'ready' }] : notReady)
  const failed = { name: 'other', state: 'failed', isListed: false }
  expect((await readReadiness([failed, server]))[0]).toBe(isUsable ? 200 : 503)
})

test('without servers calls can be served, unless they cannot be recorded', async () => {
  expect(await readReadiness([])).toEqual([200, { status: 'ready' }])
  const notReady = [503, { status: 'not_ready', reasons: ['storage'] }]
  expect(await readReadiness([], async () => ({ ...well, isWritable: false }))).toEqual(notReady)
  expect(await readReadiness([], () => Promise.reject(new Error('no disk')))).toEqual(notReady)
})
