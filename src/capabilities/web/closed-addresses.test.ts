import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { closeServersAfterEach, listen } from '../../../test/helpers/local-servers.ts'
import { openPages } from '../../toolsets/web/capability/pages.ts'
import { openWeb, type WebOptions } from '../web.ts'

closeServersAfterEach()

const closed = ['127.0.0.1', '169.254.169.254', '10.1.2.3', '192.168.1.1', '172.16.0.1', '100.64.0.1', '0.0.0.0']
const others = [
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]'],
  ...['[100::1]', '[64:ff9b:1::1]', '[2001::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]'],
  ...['192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...[
    'localhost',
    'LocalHost',
    'localhost.',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'loca%6chost',
    'localhost.localdomain',
  ],
  ...['intranet', 'printer.local', 'router.home.arpa', 'host.docker.internal', 'metadata.google.internal'],
]
const hosts = [...closed.flatMap(toForms), ...others]

/** Spellings of redirect targets that browsers and `new URL` resolve to this machine. */
const locations = [
  ...['//127.0.0.1:1/', '///127.0.0.1:1/', '/\\127.0.0.1:1/', '\\\\127.0.0.1:1/', 'https:127.0.0.1:1'],
  ...['HTTP://127.0.0.1:1/', ' http://127.0.0.1:1/ ', 'http:///127.0.0.1:1/', 'http://x@127.0.0.1:1/'],
  ...['http://public.example@127.0.0.1:1/', 'http:\\\\127.0.0.1:1\\', 'file:///etc/passwd', 'file://127.0.0.1/x'],
  ...[
    'ftp://public.example/',
    'gopher://public.example/',
    'data:text/html,x',
    'javascript:x',
    'http://[::1',
    'http://',
  ],
]

test('there are more than 150 different forms', () => {
  expect(new Set(hosts).size).toBe(hosts.length)
  expect(hosts.length + locations.length).toBeGreaterThan(150)
})

test('no page is fetched from a closed address, however it is written', async () => {
  const { get, dialled } = await openSite()
  for (const host of hosts)
    for (const url of [`http://${host}/`, `https://${host}:8443/a?b#c`])
      await expect(get(url), url).rejects.toMatchObject({ code: 'fetch_failed', suggestion: expect.any(String) })
  expect(dialled).toEqual([])
})

test('no chain of redirects reaches a closed address, however it is spelled and however long the chain is', async () => {
  const { get, start, dialled } = await openSite()
  for (const [index, target] of [...hosts.map((host) => `http://${host}/`), ...locations].entries()) {
    const steps = index % 5
    const location = Buffer.from(target).toString('latin1')
    await expect(get(`${start}/${steps}?${encodeURIComponent(location)}`), target).rejects.toMatchObject({
      code: 'fetch_failed',
      message: expect.stringMatching(/closed to tools|not a URL/),
    })
    expect(dialled.splice(0), target).toEqual(Array(steps + 1).fill(start.slice('http://'.length)))
  }
})

test('the same chain ends at an address that is open', async () => {
  const { get, start } = await openSite()
  expect(new TextDecoder().decode((await get(`${start}/4?${encodeURIComponent('/here')}`)).body)).toBe('/here')
})

test('a robots.txt that leads to a closed address is not read, and closes the site', async () => {
  const { get, start, dialled } = await openSite({ robots: 'http://169.254.169.254/latest/' })
  await expect(get(`${start}/here`)).rejects.toThrow(/robots\.txt cannot be read .*closed to tools/)
  expect(dialled).toHaveLength(1)
})

test('a name that is public for robots.txt and leads to this machine for the page is refused', async () => {
  const { get, port, dialled } = await openSite({ robots: '', answers: [[open], ['127.0.0.1']] })
  await expect(get(`http://rebind.example:${port}/here`)).rejects.toThrow(
    'rebind.example resolves to an address that is closed to tools: 127.0.0.1 is a loopback address',
  )
  expect(dialled).toEqual([`${open}:${port}`])
})

test('a name that is public at first and leads to this machine after its redirect to itself is refused', async () => {
  const { get, port, dialled } = await openSite({ answers: [[open], ['127.0.0.1']] })
  await expect(get(`http://rebind.example:${port}/0?${encodeURIComponent('/here')}`)).rejects.toThrow('closed to tools')
  expect(dialled).toEqual([`${open}:${port}`])
})

const open = '93.184.216.34'

/**
 * Pages of a site that the operator allows. `/N?LOCATION` redirects N times within the site, then to the location.
 * `answers` are the addresses of other names, in turn; the site also serves the public one.
 */
async function openSite({ robots, answers = [] }: { robots?: string; answers?: string[][] } = {}) {
  const host = await listen(
    createServer(({ url = '' }, response) => {
      const [, steps, location] = /^\/(\d)\?(.*)$/.exec(url) ?? []
      if (url === '/robots.txt' && robots === '') response.end('User-agent: *\nAllow: /')
      else if (url === '/robots.txt') response.writeHead(302, { location: robots }).end()
      else if (steps === undefined || location === undefined) response.end(url)
      else {
        const next = steps === '0' ? decodeURIComponent(location) : `/${Number(steps) - 1}?${location}`
        response.writeHead([301, 302, 303, 307, 308][Number(steps)]!, { location: next }).end()
      }
    }),
  )
  const dialled: string[] = []
  const dial: WebOptions['dial'] = (address, port) => {
    dialled.push(`${address}:${port}`)
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1')
    return Object.defineProperty(socket, 'remoteAddress', { value: address })
  }
  const web = openWeb({ allowHosts: [host], lookup: async () => answers.shift() ?? [], dial })
  const pages = openPages({ robots: robots !== undefined })
  const limits = { web, timeoutMs: 20_000, maxBytes: 1000, signal: new AbortController().signal }
  return {
    start: `http://${host}`,
    port: host.split(':')[1],
    dialled,
    get: (url: string) => pages.get(url, limits),
  }
}

/** Spellings of an IPv4 address, including as an IPv6 address. */
function toForms(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const pair = [a * 256 + b, c * 256 + d].map((half) => half.toString(16)).join(':')
  return [
    address,
    `${address}.`,
    String(number),
    `0x${number.toString(16)}`,
    `00${number.toString(8)}`,
    `${a}.${number % 2 ** 24}`,
    `${a}.${b}.${c * 256 + d}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `00${part.toString(8)}`).join('.'),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    `[::${address}]`,
    `[::ffff:${address}]`,
    `[::ffff:${pair}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${pair}::1]`,
    `[2001:0:${pair}::1]`,
  ]
}
