import { expect, test } from 'vitest'
import { openHttp } from '../../../test/helpers/open-http.ts'
import { createAttempts } from './attempts.ts'
import { createClientReader, isHttps, toClientAddress } from './client-of.ts'
import type { HttpSurface } from './route.ts'

const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

function read(peer: string, headers: object, options = {}) {
  const request = { headers: { host: 'own.example', ...headers }, socket: { remoteAddress: peer } } as never
  createClientReader({ proxies, ...options })(request)
  const { host } = (request as { headers: { host: string } }).headers
  return { address: toClientAddress(request), isHttps: isHttps(request), host }
}

test.each<[string, string, string, string]>([
  ['nobody', '198.51.100.1', '203.0.113.5', '198.51.100.1'],
  ['a trusted proxy', '10.1.2.3', '203.0.113.5', '203.0.113.5'],
  ['a trusted proxy of a dual-stack socket', '::ffff:10.1.2.3', '203.0.113.5', '203.0.113.5'],
  ['a trusted proxy by IPv6', 'fd00::1', '2001:db8::5', '2001:db8::5'],
  ['two trusted proxies', '10.1.2.3', '203.0.113.5, 192.0.2.7', '203.0.113.5'],
  ['a trusted proxy, and a client that invents another', '10.1.2.3', '1.1.1.1, 203.0.113.5', '203.0.113.5'],
  ['a trusted proxy, and a client that claims to be one', '10.1.2.3', '1.1.1.1, 10.9.9.9, 203.0.113.5', '203.0.113.5'],
  ['only trusted ones', '10.1.2.3', '10.4.4.4', '10.4.4.4'],
  ['something that is no address', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['an address with a port', '10.1.2.3', '203.0.113.5:4711', '203.0.113.5'],
  ['an IPv6 address with a port', '10.1.2.3', '[2001:db8::5]:4711', '2001:db8::5'],
  ['nothing', '10.1.2.3', ' ,', '10.1.2.3'],
])('the address of a client that %s vouches for', (_, peer, forwarded, address) => {
  expect(read(peer, { 'x-forwarded-for': forwarded }).address).toBe(address)
})

test('scheme and host are believed from trusted proxies only', () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'tools.example' }
  expect(read('10.1.2.3', headers)).toMatchObject({ isHttps: true, host: 'tools.example' })
  expect(read('198.51.100.1', headers)).toMatchObject({ isHttps: false, host: 'own.example' })
  expect(read('10.1.2.3', headers, { proxies: undefined })).toMatchObject({ isHttps: false, host: 'own.example' })
  expect(read('10.1.2.3', { 'x-forwarded-proto': 'https, http' })).toMatchObject({ isHttps: false })
})

test('a public address with https counts as such, without a trusted proxy', () => {
  const publicUrl = 'https://own.example'
  expect(read('198.51.100.1', {}, { publicUrl }).isHttps).toBe(true)
  expect(read('198.51.100.1', { host: '127.0.0.1:7420' }, { publicUrl }).isHttps).toBe(false)
  expect(read('198.51.100.1', {}, { publicUrl: 'http://own.example' }).isHttps).toBe(false)
})

test.each(['x', '10.0.0.0/33', '::/129', '1.2.3', '10.0.0.0/', 'localhost'])('%s is no proxy', (entry) => {
  expect(() => createClientReader({ proxies: [entry] })).toThrow(`http.trustedProxies has '${entry}'`)
})

test('the host that a trusted proxy reports is checked like any other', async () => {
  const { send } = await openHttp({ trustedProxies: ['127.0.0.1'], hosts: ['tools.example'] })
  const ask = async (host: string) => (await send('/healthz', { headers: { 'X-Forwarded-Host': host } })).status
  expect(await ask('tools.example')).toBe(200)
  expect(await ask('evil.example')).toBe(403)
})

test('a probe through a proxy on this machine does not come from this machine', async () => {
  const probe: HttpSurface = { routes: [{ methods: ['GET'], path: '/probe', needs: 'loopback', handle: (_, response) => void response.end('ok') }] } // biome-ignore format: one line
  const { send } = await openHttp({ trustedProxies: ['127.0.0.1'], surfaces: [probe] })
  const ask = async (headers: { [name: string]: string }) => (await send('/probe', { token: null, headers })).status
  expect(await ask({})).toBe(200)
  expect(await ask({ 'X-Forwarded-For': '203.0.113.5' })).toBe(401)
})

test('wrong tokens of one address do not use up the tries of another', async () => {
  const { send } = await openHttp({ trustedProxies: ['127.0.0.1'], limits: { wrongTokens: 3 } })
  const ask = async (from: string) => (await send('/mcp', { method: 'POST', token: 'wrong', headers: { 'X-Forwarded-For': from } })).status // biome-ignore format: one line
  for (let tries = 0; tries < 3; tries++) expect(await ask('203.0.113.5')).toBe(401)
  expect(await ask('203.0.113.5')).toBe(429)
  expect(await ask('203.0.113.6')).toBe(401)
})

test('the addresses of an IPv6 network count as one, and the number of addresses is bounded', () => {
  const attempts = createAttempts({ max: 1, windowMs: 60_000 })
  expect(attempts.count('2001:db8::1')).toBeUndefined()
  expect(attempts.count('2001:db8:0:0:7::2')).toBeGreaterThan(0)
  expect(attempts.count('2001:db8:0:1::1')).toBeUndefined()
  for (let address = 0; address < 10_000; address++) attempts.count(`10.0.${address >> 8}.${address & 255}`)
  expect(attempts.count('2001:db8::1')).toBeUndefined()
})
