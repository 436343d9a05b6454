import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { oneToken } from '../../../test/helpers/open-http.ts'
import { createAnswer } from './answer.ts'
import { nobody } from './credentials.ts'
import { createHealth, type HealthOptions, type UpstreamHealth } from './health.ts'
import { createHostCheck } from './host-check.ts'
import { toLimits } from './http-limits.ts'

const well = { isWritable: true, lastCommitAt: null, lastFailure: null }

async function readReadiness(upstreams: readonly UpstreamHealth[], more: Partial<HealthOptions> = {}) {
  const health = createHealth({ storage: async () => well, upstreams: () => upstreams, ...more })
  const { handle } = health.routes.find(({ path }) => path === '/readyz')!
  const context = { caller: nobody, body: undefined, params: {}, stepUp: () => '' }
  const { port, close } = await listen((request, response) => handle(request, response, context))
  onTestFinished(close)
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  return [answer.status, await answer.json()]
}

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
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
  expect(await readReadiness([], { storage: async () => ({ ...well, isWritable: false }) })).toEqual(notReady)
  const journal = { since: 0, records: 1, isFull: false }
  const degraded = [200, { status: 'degraded', reasons: ['storage'] }]
  expect(await readReadiness([], { storage: async () => ({ ...well, isWritable: false, journal }) })).toEqual(degraded)
  const full = { ...well, isWritable: false, journal: { ...journal, isFull: true } }
  expect(await readReadiness([], { storage: async () => full })).toEqual(notReady)
  expect(await readReadiness([], { storage: () => Promise.reject(new Error('no disk')) })).toEqual(notReady)
})

test('a server that is about to stop is not ready', async () => {
  expect(await readReadiness([], { isDraining: () => true })).toEqual([
    503,
    { status: 'not_ready', reasons: ['draining'] },
  ])
})

test.each([
  [false, 401],
  [true, 200],
])('a probe of another machine without a token, if probes are public: %s, gets %s', async (isPublic, status) => {
  const { routes } = createHealth({ storage: async () => well, upstreams: () => [], isPublic })
  const { port, close } = await listen((request, response) => {
    // As if it came from another machine.
    Object.defineProperty(request.socket, 'remoteAddress', { value: '10.1.2.3' })
    const hostCheck = createHostCheck({ host: '127.0.0.1', address: '127.0.0.1', port })
    const options = { routes, credentials: oneToken, hostCheck, limits: toLimits({}), allowsPublic: false }
    return createAnswer({
      ...options,
      admit: () => undefined,
      openRoom: () => () => true,
      beginTogether: () => undefined,
    })(request, response)
  })
  onTestFinished(close)
  const url = `http://127.0.0.1:${port}/readyz`
  const probed = await fetch(url)
  expect(probed.status).toBe(status)
  if (isPublic) expect(await probed.json()).toEqual({ status: 'ready' })
  expect((await fetch(url, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
})
