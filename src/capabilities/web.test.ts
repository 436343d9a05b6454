import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { openWeb, type WebOptions } from './web.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))))
})

async function listen(server: Server, host = '127.0.0.1'): Promise<string> {
  servers.push(server)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.listen(0, host)
  await once(server, 'listening')
  return `${host}:${(server.address() as AddressInfo).port}`
}

const serve = (listener: RequestListener) => listen(createServer(listener))
const serveRaw = (answer: (socket: Socket) => void) =>
  listen(createRawServer((socket) => socket.once('data', () => answer(socket))))

/** Fetches from a host that the operator allows. */
function fetchFrom(host: string, path = '/', options: Parameters<ReturnType<typeof openWeb>['fetch']>[1] = {}) {
  return openWeb({ allowHosts: [host] }).fetch(`http://${host}${path}`, { timeoutMs: 20_000, ...options })
}

const toText = (body: Uint8Array) => Buffer.from(body).toString()

describe('an answer', () => {
  test('comes with its status, type, headers and body', async () => {
    let asked: IncomingMessage | undefined
    const host = await serve((request, response) => {
      asked = request
      response.writeHead(404, { 'content-type': 'text/plain', 'x-one': ['a', 'b'] }).end('nothing here')
    })
    const web = openWeb({ allowHosts: [host], userAgent: 'tester/1' })
    const found = await web.fetch(`http://${host}/a?b=c#d`, {
      headers: { accept: 'text/html', 'if-none-match': '"x"' },
    })
    expect(found).toMatchObject({
      finalUrl: `http://${host}/a?b=c#d`,
      status: 404,
      contentType: 'text/plain',
      headers: { 'x-one': 'a, b' },
      truncated: false,
      redirects: [],
    })
    expect(toText(found.body)).toBe('nothing here')
    expect(asked?.url).toBe('/a?b=c')
    expect(asked?.headers).toMatchObject({
      host,
      'user-agent': 'tester/1',
      accept: 'text/html',
      'if-none-match': '"x"',
      connection: 'close',
    })
  })

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
    ['identity', (text: string) => Buffer.from(text)],
  ])('is decompressed from %s', async (encoding, compress) => {
    const text = 'text '.repeat(1000)
    const host = await serve((_, response) => response.setHeader('content-encoding', encoding).end(compress(text)))
    expect(toText((await fetchFrom(host)).body)).toBe(text)
  })

  test('that is longer than wanted is cut', async () => {
    const host = await serve((_, response) => response.end('x'.repeat(5000)))
    expect(await fetchFrom(host, '/', { maxBytes: 5000 })).toMatchObject({ truncated: false })
    const cut = await fetchFrom(host, '/', { maxBytes: 4999 })
    expect(cut.truncated).toBe(true)
    expect(cut.body).toHaveLength(4999)
  })

  test('that never ends is cut', async () => {
    const host = await serve((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', write)
      write()
    })
    expect(await fetchFrom(host, '/', { maxBytes: 100_000 })).toMatchObject({ truncated: true })
  })

  test('that would fill the memory when decompressed is cut', async () => {
    const bombs = { gzip: gzipSync(Buffer.alloc(200_000_000)), br: brotliCompressSync(Buffer.alloc(50_000_000)) }
    const host = await serve((request, response) => {
      const encoding = request.url === '/gzip' ? 'gzip' : 'br'
      response.setHeader('content-encoding', encoding).end(bombs[encoding])
    })
    for (const path of ['/gzip', '/br']) {
      const before = process.memoryUsage.rss()
      const found = await fetchFrom(host, path, { maxBytes: 1_000_000 })
      expect(found).toMatchObject({ truncated: true })
      expect(found.body).toHaveLength(1_000_000)
      expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000)
    }
  })

  test('that comes to nothing however much is sent is cut', async () => {
    const nothing = Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync('')))
    const host = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(nothing))
    expect(await fetchFrom(host, '/', { maxBytes: 1000 })).toMatchObject({ truncated: true })
  })

  test.each(['gzip, gzip, gzip', 'zstd', 'compress', 'x'.repeat(100)])('in %s is refused', async (encoding) => {
    const host = await serve((_, response) => response.setHeader('content-encoding', encoding).end('x'))
    await expect(fetchFrom(host)).rejects.toMatchObject({ code: 'fetch_failed' })
  })

  test('that is not what it says, or breaks off, is refused', async () => {
    const garbage = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip'))
    await expect(fetchFrom(garbage)).rejects.toMatchObject({
      message: 'Failed to fetch - the answer cannot be decompressed',
    })
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('begun')
      setTimeout(() => response.destroy(), 50)
    })
    await expect(fetchFrom(broken)).rejects.toMatchObject({ message: 'Failed to fetch - connection closed early' })
    const nonsense = await serveRaw((socket) => socket.end('NONSENSE\r\n\r\n'))
    await expect(fetchFrom(nonsense)).rejects.toMatchObject({
      code: 'fetch_failed',
      message: expect.stringContaining('not valid HTTP'),
    })
  })

  test('with a flood of headers is refused', async () => {
    const host = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write(`x-${'a'.repeat(1000)}: ${'b'.repeat(1000)}\r\n`), 1)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(fetchFrom(host)).rejects.toMatchObject({
      message: "Failed to fetch - the answer's headers are too large",
    })
  })

  test('that is put off for ever is refused', async () => {
    const host = await serveRaw((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)))
    await expect(fetchFrom(host)).rejects.toMatchObject({ code: 'fetch_failed' })
    const upgrade = await serveRaw((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    )
    await expect(fetchFrom(upgrade)).rejects.toMatchObject({ code: 'fetch_failed' })
  })
})

describe('time', () => {
  const slow = { timeoutMs: 300 }

  test.each([
    ['a server that says nothing', () => serveRaw(() => {})],
    ['a server that drips headers', () => serveRaw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'))],
    ['a server that drips a body', () => serveRaw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x'))],
  ])('is bounded against %s', async (_, start) => {
    await expect(fetchFrom(await start(), '/', slow)).rejects.toMatchObject({
      code: 'timeout',
      message: 'Request timed out after 0.3 seconds',
    })
  })

  test('is bounded over all redirects and names together', async () => {
    const host = await serve((request, response) => {
      const count = Number(request.url?.slice(1) ?? 0)
      setTimeout(() => response.writeHead(302, { location: `/${count + 1}` }).end(), 150)
    })
    await expect(fetchFrom(host, '/0', slow)).rejects.toMatchObject({ code: 'timeout' })
    const stuck = openWeb({ lookup: () => new Promise(() => {}) })
    await expect(stuck.fetch('http://example.com/', slow)).rejects.toMatchObject({ code: 'timeout' })
  })

  test('ends when the caller gives up', async () => {
    const host = await serveRaw(() => {})
    const controller = new AbortController()
    const fetching = fetchFrom(host, '/', { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('given up')), 50)
    await expect(fetching).rejects.toThrow('given up')
    await expect(fetchFrom(host, '/', { signal: AbortSignal.abort(new Error('never begun')) })).rejects.toThrow(
      'never begun',
    )
  })

  function drip(socket: Socket, first: string, next: string) {
    socket.write(first)
    const timer = setInterval(() => socket.write(next), 20)
    socket.on('close', () => clearInterval(timer))
  }
})

describe('an address', () => {
  /** Counts connections; none may come. */
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
      message: expect.stringContaining('public.example leads to an address that is closed to tools'),
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
      // As if the name were resolved again here, and led elsewhere by now.
      dial: (address) => {
        dialled.push(address)
        return connect(Number(port), '127.0.0.1')
      },
    }
    await expect(openWeb(options).fetch(`http://rebind.example:${port}/`)).rejects.toMatchObject({
      code: 'fetch_failed',
      message: 'Failed to fetch - the connection to 93.184.216.34 leads to 127.0.0.1',
    })
    expect(names).toEqual(['rebind.example'])
    expect(dialled).toEqual(['93.184.216.34'])
    expect(visits()).toBe(0)
  })

  test('that does not answer is followed by the next one', async () => {
    const host = await serve((_, response) => response.end('second'))
    const port = host.split(':')[1]
    const web = openWeb({ allowHosts: ['name.example'], lookup: async () => ['127.0.0.2', '127.0.0.1'] })
    expect(toText((await web.fetch(`http://name.example:${port}/`)).body)).toBe('second')
  })

  test('that nobody listens on, or that has no name, is told in words', async () => {
    const server = createServer()
    const host = await listen(server)
    await new Promise((done) => servers.pop()!.close(done))
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
    import { openWeb } from ${JSON.stringify(new URL('web.ts', import.meta.url).href)}
    const { body } = await openWeb({ allowHosts: ['${host}'] }).fetch('http://${host}/')
    console.log(Buffer.from(body).toString())
  `
  const proxies = Object.fromEntries(
    ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, `http://${proxy}`]),
  )
  const { spawn } = await import('node:child_process')
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
