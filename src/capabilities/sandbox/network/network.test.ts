import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, createServer as createEcho, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import { openEgress, type RefusedHost, toHostName } from './egress.ts'
import { Names } from './names.ts'
import { createProxy, type ProxyOptions } from './proxy.ts'

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** An egress where these names have these addresses. Every connection leads to this machine. */
function open(network: NetworkGrant, addresses: Record<string, string[]> = {}, trusted: string[] = []) {
  const refused: RefusedHost[] = []
  const lookup = async (host: string) => addresses[host] ?? []
  return { refused, egress: openEgress({ network, onRefused: (one) => refused.push(one), lookup, trusted }) }
}

async function openProxy(network: NetworkGrant, options?: ProxyOptions) {
  const { egress, refused } = open(network, {
    localhost: ['127.0.0.1'],
    'inside.example': ['93.184.216.34', '10.0.0.1'],
  })
  return { refused, port: await listen(createProxy(egress, options)) }
}

function ask(port: number, path: string, headers: Record<string, string> = {}, body = '') {
  return new Promise<{ status: number; text: string; headers: object }>((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, headers, method: body ? 'POST' : 'GET' },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode!, text, headers: response.headers })
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** What the proxy answers to raw text, and what comes through. */
async function tunnel(port: number, head: string, more = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(head)
  let text = ''
  socket.on('data', (data) => {
    text += data
    if (more && text.endsWith('\r\n\r\n')) socket.write(more)
    if (more && text.endsWith(more)) socket.end()
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  return text
}

test('plain HTTP passes to a granted host, with its body and without what is for the proxy', async () => {
  const web = createServer(async (asked, response) => {
    let text = ''
    for await (const chunk of asked) text += chunk
    response.setHeader('x-seen', JSON.stringify([asked.headers.host, asked.headers['proxy-authorization'] ?? null]))
    response.end(`${asked.method} ${asked.url} ${text}`)
  })
  const port = await listen(web)
  const proxy = await openProxy([`localhost:${port}`], { credential: 'toolpact:key' })
  const url = `http://localhost:${port}/a?b=c`
  const key = { 'proxy-authorization': `Basic ${Buffer.from('toolpact:key').toString('base64')}` }
  expect(await ask(proxy.port, url, key, 'body')).toMatchObject({
    status: 200,
    text: 'POST /a?b=c body',
    headers: { 'x-seen': JSON.stringify([`localhost:${port}`, null]) },
  })
  expect(await ask(proxy.port, url)).toMatchObject({ status: 407 })
  expect(await ask(proxy.port, url, { 'proxy-authorization': 'Basic eDp5' })).toMatchObject({ status: 407 })
  expect(await ask(proxy.port, '/a', key)).toMatchObject({ status: 400 })
  expect(await tunnel(proxy.port, 'CONNECT localhost:1 HTTP/1.1\r\n\r\n')).toContain('407 Proxy Auth')
})

test('CONNECT passes bytes to a granted host, and says why to no other', async () => {
  const port = await listen(createEcho((socket) => socket.pipe(socket)))
  const proxy = await openProxy([`localhost:${port}`, 'inside.example', 'gone.example'])
  const head = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`
  expect(await tunnel(proxy.port, head(`localhost:${port}`), 'hello')).toMatch(/^HTTP\/1\.1 200 .*hello$/s)
  expect(await tunnel(proxy.port, head('evil.example:443'))).toContain('403 Forbidden')
  expect(await tunnel(proxy.port, head('inside.example:443'))).toMatch(/403.*closed to tools: 10\.0\.0\.1 is a private address/s) // biome-ignore format: one line
  expect(await tunnel(proxy.port, head('[::1]:443'))).toContain('403')
  expect(await tunnel(proxy.port, head('gone.example:443'))).toContain('502 Bad Gateway')
  expect(await tunnel(proxy.port, 'NONSENSE\r\n\r\n')).toBe('')
  expect(await tunnel(proxy.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')).toBe('')
  expect(proxy.refused).toEqual([
    { host: 'evil.example', port: 443, reason: 'it was not granted' },
    { host: 'inside.example', port: 443, reason: expect.stringContaining('closed to tools') },
    { host: '::1', port: 443, reason: 'it was not granted' },
  ])
})

test('a host that the operator trusts may have a private address', async () => {
  const port = await listen(createEcho((socket) => socket.end('hi')))
  const addresses = { 'registry.example': ['127.0.0.1'] }
  const { egress } = open([`registry.example:${port}`], addresses, ['registry.example'])
  const socket = await egress.reach('registry.example', port)
  expect(String((await once(socket, 'data'))[0])).toBe('hi')
  const other = open([`registry.example:${port}`], addresses)
  await expect(other.egress.reach('registry.example', port)).rejects.toThrow('loopback')
  expect(other.refused).toHaveLength(1)
})

test('names of untrusted programs are printable and bounded', () => {
  expect(toHostName('[::1]')).toBe('::1')
  expect(toHostName('A\u001b[31m$(x)')).toBe('a??31m??x?')
  expect(toHostName('a'.repeat(1000))).toHaveLength(253)
})

/** A query for one name: of type A unless told. */
function toQuery(name: string, type = 1): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  const tail = Buffer.from([0, 0, type, 0, 1])
  return Buffer.concat([Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), ...labels, tail])
}

test('a granted name has an address that stands for it, and any other name does not exist', () => {
  const { egress, refused } = open(['api.notion.com', '*.wild.example'])
  const names = new Names(egress)
  const answer = names.answer(toQuery('API.notion.com'))!
  expect(answer.subarray(0, 8).toString('hex')).toBe('1234818000010001')
  const address = [...answer.subarray(-4)].join('.')
  expect(address).toBe('127.64.0.1')
  expect(names.find(address)).toBe('api.notion.com')
  expect(names.find(`::ffff:${address}`)).toBe('api.notion.com')
  expect([...names.answer(toQuery('api.notion.com'))!.subarray(-4)].join('.')).toBe(address)
  expect([...names.answer(toQuery('a.wild.example'))!.subarray(-4)].join('.')).toBe('127.64.0.2')
  // IPv6: it exists, and has no such address.
  expect(names.answer(toQuery('api.notion.com', 28))!.subarray(0, 8).toString('hex')).toBe('1234818000010000')
  expect(refused).toEqual([])
  expect(names.answer(toQuery('secret.evil.example'))!.subarray(2, 4).toString('hex')).toBe('8183')
  expect(refused).toEqual([{ host: 'secret.evil.example', reason: 'it was not granted' }])
  expect([names.find('127.0.0.1'), names.find('127.64.0.9'), names.find(undefined)]).toEqual(['localhost', undefined, undefined]) // biome-ignore format: one line
})

test('what is not a question is not answered', () => {
  const names = new Names(open(['a.example']).egress)
  const good = toQuery('a.example')
  for (let length = 0; length < good.length; length++) expect(names.answer(good.subarray(0, length))).toBeUndefined()
  for (const change of [{ 2: 0x80 }, { 5: 2 }, { 12: 0xc0 }, { 12: 63 }]) {
    const bytes = Buffer.from(good)
    for (const [at, value] of Object.entries(change)) bytes[Number(at)] = value
    expect(names.answer(bytes)).toBeUndefined()
  }
})
