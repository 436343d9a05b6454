import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { openHttp, send } from '../../../test/helpers/open-http.ts'

const outer = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test('only the own names with the own port are a Host of this server', async () => {
  const { port, send } = await openHttp()
  const table: [host: string, status: number][] = [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    [`LocalHost:${port}`, 200],
    [`[::1]:${port}`, 200],
    ['127.0.0.1', 403],
    ['localhost', 403],
    [`localhost:${port + 1}`, 403],
    [`localhost.:${port}`, 403],
    [`localhost:${port}.attacker.example`, 403],
    [`localhost.attacker.example:${port}`, 403],
    [`127.0.0.1.attacker.example:${port}`, 403],
    [`attacker.example:${port}`, 403],
    [`attacker@localhost:${port}`, 403],
    [`localhost:${port}@attacker.example`, 403],
    [`localhost:${port}/`, 403],
    [`localhost:${port}#`, 403],
    [`localhost:0${port}`, 403],
    [`127.1:${port}`, 403],
    [`2130706433:${port}`, 403],
    [`0.0.0.0:${port}`, 403],
    [`127.0.0.2:${port}`, 403],
    [`[::ffff:127.0.0.1]:${port}`, 403],
    [`::1:${port}`, 403],
  ]
  for (const [Host, status] of table)
    expect((await send('/healthz', { headers: { Host } })).status, JSON.stringify(Host)).toBe(status)
})

test('only own pages are an Origin of this server', async () => {
  const { port, send } = await openHttp()
  const table: [origin: string, status: number][] = [
    [`http://127.0.0.1:${port}`, 200],
    [`http://localhost:${port}`, 200],
    [`http://[::1]:${port}`, 200],
    ['http://localhost', 403],
    [`http://localhost:${port + 1}`, 403],
    ['http://localhost:3000', 403],
    [`http://localhost:${port}.attacker.example`, 403],
    [`http://localhost:${port}/`, 403],
    [`http://localhost:${port}@attacker.example`, 403],
    [`http://attacker.example:${port}`, 403],
    [`file://localhost:${port}`, 403],
    ['chrome-extension://abcdefgh', 403],
    ['null', 403],
    ['', 403],
    [`http://localhost:${port}, https://attacker.example`, 403],
  ]
  for (const [Origin, status] of table)
    expect((await send('/healthz', { headers: { Origin } })).status, JSON.stringify(Origin)).toBe(status)
})

test('several Host fields, none, or a whole URL as target are refused', async () => {
  const { port, sendRaw } = await openHttp()
  const own = `Host: 127.0.0.1:${port}`
  expect(await sendRaw(`GET /healthz HTTP/1.1\r\n${own}\r\nHost: attacker.example\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[03]/) // biome-ignore format: one line
  expect(await sendRaw(`GET /healthz HTTP/1.1\r\nHost: attacker.example\r\n${own}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[03]/) // biome-ignore format: one line
  expect(await sendRaw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 40[03]/)
  expect(await sendRaw('GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 403/)
  expect(await sendRaw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 403/)
  expect(await sendRaw(`GET http://attacker.example/healthz HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 401/) // biome-ignore format: one line
})

test('hosts of the config are let in: a bare name on any port, else on the one it names', async () => {
  const { send } = await openHttp({ hosts: ['tools.example', 'exact.example:8443'] })
  const status = async (headers: { [name: string]: string }) => (await send('/healthz', { headers })).status
  expect(await status({ Host: 'tools.example' })).toBe(200)
  expect(await status({ Host: 'TOOLS.example:9' })).toBe(200)
  expect(await status({ Host: 'exact.example:8443' })).toBe(200)
  expect(await status({ Host: 'exact.example' })).toBe(403)
  expect(await status({ Host: 'x.tools.example' })).toBe(403)
  expect(await status({ Host: 'tools.example', Origin: 'https://tools.example' })).toBe(200)
  expect(await status({ Host: 'tools.example', Origin: 'https://exact.example' })).toBe(403)
})

test('origins of the config may call and read, and are asked for before a token is sent', async () => {
  const origin = 'https://app.example'
  const { send } = await openHttp({ origins: [origin] })
  const answer = await send('/healthz', { headers: { Origin: origin } })
  expect(answer.status).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe(origin)
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  expect((await send('/healthz', { headers: { Origin: `${origin}.attacker.example` } })).status).toBe(403)
  expect((await send('/healthz')).headers['access-control-allow-origin']).toBeUndefined()
  const asked = { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' } // biome-ignore format: one line
  const preflight = await send('/mcp', { method: 'OPTIONS', headers: asked, token: null })
  expect(preflight.status).toBe(204)
  expect(preflight.headers['access-control-allow-methods']).toBe('POST, GET, DELETE')
  expect(preflight.headers['access-control-allow-headers']).toContain('Authorization')
  expect((await send('/mcp', { method: 'OPTIONS', headers: { ...asked, Origin: 'https://other.example' }, token: null })).status).toBe(403) // biome-ignore format: one line
  expect((await send('/mcp', { headers: { Origin: origin }, token: null })).status).toBe(401)
})

test.skipIf(!outer)('bound to every address, the one that a connection came to is a Host; a name is not', async () => {
  const { port } = await openHttp({ host: '0.0.0.0' })
  const status = async (headers = {}) => (await send(`http://${outer}:${port}/healthz`, { headers })).status
  expect(await status()).toBe(200)
  expect(await status({ Origin: `http://${outer}:${port}` })).toBe(200)
  expect(await status({ Host: `${outer}:${port + 1}` })).toBe(403)
  expect(await status({ Host: `10.255.255.1:${port}` })).toBe(403)
  expect(await status({ Host: `attacker.example:${port}` })).toBe(403)
})
