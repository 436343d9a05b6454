import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createRawServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { closeServer, closeServersAfterEach, listen, serve } from '../../../test/helpers/local-servers.ts'
import { type FetchOptions, openWeb, type WebOptions } from '../web.ts'

/** Fetches from a host that the operator allows. */
function fetchFrom(host: string, path = '/', options: FetchOptions = {}) {
  return openWeb({ allowHosts: [host] }).fetch(`http://${host}${path}`, { timeoutMs: 20_000, ...options })
}

const toText = (body: Uint8Array) => Buffer.from(body).toString()

closeServersAfterEach()

describe('an address', () => {
  /** Counts connections; there must be none. */
  async function trap() {
    let visits = 0
    const host = await listen(
      createRawServer((socket) => {
        socket.once('data', () => visits++)
        socket.end('HTTP/1.1 200 OK\r\n\r\ntrapped')
      }),
    )
    return { host, port: host.split(':')[1], visits: () => visits }
  }

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'a.localhost',
  ])('that is private is refused: %s', async (name) => {
    const { port, visits } = await trap()
    await expect(openWeb().fetch(`http://${name}:${port}/`)).rejects.toMatchObject({
      code: 'fetch_failed',
      suggestion: expect.stringContaining('operator'),
    })
    expect(visits()).toBe(0)
  })

  test.each([
    ['file:///etc/passwd', 'invalid_url'],
    ['ftp://example.com/', 'invalid_url'],
    ['http://user:pass@example.com/', 'invalid_url'],
    ['not a url', 'invalid_url'],
  ])('that is no web address is refused: %s', async (url, code) => {
    await expect(openWeb().fetch(url)).rejects.toMatchObject({ code, message: 'Invalid URL format' })
  })

  test.each([
    [['127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['169.254.169.254', '93.184.216.34']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['2606:2800:220:1::1', 'fd00::1']],
    [['fe80::1%lo']],
  ])('that a name resolves to is refused if any is private: %j', async (addresses) => {
    const dialled: string[] = []
    const web = openWeb({
      lookup: async () => addresses,
      dial: (address, port) => {
        dialled.push(address)
        return connect(port, '127.0.0.1')
      },
    })
    await expect(web.fetch('http://public.example/')).rejects.toMatchObject({
      code: 'fetch_failed',
      message: expect.stringContaining('public.example resolves to an address that is closed to tools'),
    })
    expect(dialled).toEqual([])
  })

  test('that changes between check and connection is not reached', async () => {
    const { port, visits } = await trap()
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1']]
    const names: string[] = []
    const dialled: string[] = []
    const options: WebOptions = {
      lookup: async (name) => {
        names.push(name)
        return answers.shift()!
      },
      // As if the name were resolved again here, to a different address.
      dial: (address) => {
        dialled.push(address)
        return connect(Number(port), '127.0.0.1')
      },
    }
    await expect(openWeb(options).fetch(`http://rebind.example:${port}/`)).rejects.toMatchObject({
      code: 'fetch_failed',
      message: 'Failed to fetch - the connection to 93.184.216.34 reached 127.0.0.1',
    })
    expect(names).toEqual(['rebind.example'])
    expect(dialled).toEqual(['93.184.216.34'])
    expect(visits()).toBe(0)
  })

  test.each([
    ['http://name.example/', 80],
    ['https://name.example/', 443],
    ['http://name.example:443/', 443],
    ['https://name.example:80/', 80],
  ])('is dialled at the port of the URL: %s', async (url, port) => {
    const dialled: number[] = []
    const dial = (_address: string, at: number) => {
      dialled.push(at)
      return new Socket().destroy(new Error('enough'))
    }
    const web = openWeb({ lookup: async () => ['93.184.216.34'], dial })
    await expect(web.fetch(url)).rejects.toMatchObject({ message: 'Failed to fetch - enough' })
    expect(new Set(dialled)).toEqual(new Set([port]))
  })

  test('that does not answer is followed by the next one', async () => {
    const host = await serve((_, response) => response.end('second'))
    const port = host.split(':')[1]
    const web = openWeb({ allowHosts: ['name.example'], lookup: async () => ['127.0.0.2', '127.0.0.1'] })
    expect(toText((await web.fetch(`http://name.example:${port}/`)).body)).toBe('second')
  })

  test('that stays silent leaves time for the next one', async () => {
    const host = await serve((_, response) => response.end('second'))
    const port = host.split(':')[1]
    const silent = new Socket()
    const web = openWeb({
      allowHosts: ['name.example'],
      lookup: async () => ['127.0.0.2', '127.0.0.1'],
      dial: (address) => (address === '127.0.0.2' ? silent : connect(Number(port), address)),
    })
    const found = await web.fetch(`http://name.example:${port}/`, { timeoutMs: 2000 })
    expect(toText(found.body)).toBe('second')
    expect(silent.destroyed).toBe(true)
  })

  test('is the same in both of its spellings', async () => {
    const host = await serve((_, response) => response.end('same'))
    const web = openWeb({ allowHosts: [host], dial: (address, port) => connect(port, `::ffff:${address}`) })
    expect(toText((await web.fetch(`http://${host}/`)).body)).toBe('same')
  })

  test('that is closed, or cannot be resolved, is explained in words', async () => {
    const server = createServer()
    const host = await listen(server)
    await closeServer(server)
    await expect(fetchFrom(host)).rejects.toMatchObject({
      code: 'fetch_failed',
      message: 'Failed to fetch - connection refused',
    })
    const missing = Object.assign(new Error('x'), { code: 'ENOTFOUND' })
    for (const lookup of [() => Promise.reject(missing), async () => []])
      await expect(openWeb({ lookup }).fetch('http://nowhere.example/')).rejects.toMatchObject({
        message: 'Failed to fetch - host not found',
      })
  })
})

describe('a redirect', () => {
  test('is followed, five times at most, and the last part of a URL stays', async () => {
    const host = await serve((request, response) => {
      const count = Number(request.url?.slice(1))
      if (count === 0) response.end('arrived')
      else response.writeHead([301, 302, 303, 307, 308][count % 5]!, { location: `/${count - 1}` }).end('moved')
    })
    const found = await fetchFrom(host, '/5#part')
    expect(toText(found.body)).toBe('arrived')
    expect(found.finalUrl).toBe(`http://${host}/0#part`)
    expect(found.redirects).toHaveLength(5)
    await expect(fetchFrom(host, '/6')).rejects.toMatchObject({ message: 'Failed to fetch - more than 5 redirects' })
  })

  test('in a circle ends', async () => {
    const host = await serve((_, response) => response.writeHead(302, { location: '/' }).end())
    await expect(fetchFrom(host)).rejects.toMatchObject({ message: expect.stringContaining('redirects') })
  })

  test.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://10.0.0.1/',
    'http://metadata.google.internal/',
    '//127.0.0.1:1/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,x',
    'javascript:x',
    'http://user:pass@example.com/',
    'http://',
  ])('to %s is refused, also after others', async (location) => {
    const host = await serve((request, response) => {
      response.writeHead(302, { location: request.url === '/direct' ? location : '/direct' }).end()
    })
    for (const path of ['/direct', '/first'])
      await expect(fetchFrom(host, path)).rejects.toMatchObject({ code: 'fetch_failed' })
  })

  test('carries further headers to the same origin only', async () => {
    const seen: unknown[] = []
    const other = await serve((request, response) => {
      seen.push(request.headers['if-none-match'])
      response.end()
    })
    const host = await serve((request, response) => {
      seen.push(request.headers['if-none-match'])
      response.writeHead(302, { location: request.url === '/' ? '/next' : `http://${other}/` }).end()
    })
    const web = openWeb({ allowHosts: [host, other] })
    await web.fetch(`http://${host}/`, { headers: { 'if-none-match': '"x"' } })
    expect(seen).toEqual(['"x"', '"x"', undefined])
  })

  test('to a name beyond ASCII is followed', async () => {
    const host = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: Buffer.from('/é').toString('latin1') }).end()
      else response.end(request.url)
    })
    expect(toText((await fetchFrom(host)).body)).toBe('/%C3%A9')
  })

  test('without a place to go is an answer', async () => {
    const host = await serve((_, response) => response.writeHead(302).end('here'))
    expect(await fetchFrom(host)).toMatchObject({ status: 302, redirects: [] })
  })
})

const hasOpenSsl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenSsl)('over TLS (skipped without openssl)', () => {
  test('the certificate must be trusted and fit the name', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolpact-tls-'))
    try {
      const [key, cert] = [join(directory, 'key'), join(directory, 'cert')]
      const subject = ['-subj', '/CN=secure.example', '-addext', 'subjectAltName=DNS:secure.example']
      const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
      execFileSync('openssl', ['req', '-x509', ...form, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
      const identity = { key: readFileSync(key), cert: readFileSync(cert, 'utf8') }
      const host = await listen(createSecureServer(identity, (_, response) => response.end('secure')))
      const port = host.split(':')[1]
      const options = { lookup: async () => ['127.0.0.1'], allowHosts: ['secure.example', 'other.example'] }
      const trusting = openWeb({ ...options, certificateAuthorities: identity.cert })
      expect(toText((await trusting.fetch(`https://secure.example:${port}/`)).body)).toBe('secure')
      for (const [web, name] of [
        [trusting, 'other.example'],
        [openWeb(options), 'secure.example'],
      ] as const)
        await expect(web.fetch(`https://${name}:${port}/`)).rejects.toMatchObject({
          code: 'fetch_failed',
          message: expect.stringContaining('certificate'),
        })
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

test('neither proxies nor other variables of the environment change where it goes', async () => {
  let visits = 0
  const proxy = await serve((_, response) => {
    visits++
    response.end('proxy')
  })
  const host = await serve((_, response) => response.end('direct'))
  const code = `
    import { openWeb } from ${JSON.stringify(new URL('../web.ts', import.meta.url).href)}
    const { body } = await openWeb({ allowHosts: ['${host}'] }).fetch('http://${host}/')
    console.log(Buffer.from(body).toString())
  `
  const proxies = Object.fromEntries(
    ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, `http://${proxy}`]),
  )
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  expect(output).toBe('direct\n')
  expect(visits).toBe(0)
})
