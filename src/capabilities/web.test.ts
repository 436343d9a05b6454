import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeServersAfterEach, serve, serveRaw } from '../../test/helpers/local-servers.ts'
import { exchange, type FetchOptions, openWeb } from './web.ts'

/** Fetches from a host that the operator allows. */
function fetchFrom(host: string, path = '/', options: FetchOptions = {}) {
  return openWeb({ allowHosts: [host] }).fetch(`http://${host}${path}`, { timeoutMs: 20_000, ...options })
}

const toText = (body: Uint8Array) => Buffer.from(body).toString()

closeServersAfterEach()

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
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
    const bombs = {
      gzip: gzipSync(Buffer.alloc(200_000_000), { level: 1 }),
      br: brotliCompressSync(Buffer.alloc(50_000_000), quick),
    }
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
    const nothing = Buffer.concat(Array<Buffer>(20_000).fill(gzipSync('')))
    const host = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(nothing))
    expect(await fetchFrom(host, '/', { maxBytes: 1000 })).toMatchObject({ truncated: true })
  })

  test.each(['gzip, gzip, gzip', 'zstd', 'compress', 'x'.repeat(100)])('in %s is refused', async (encoding) => {
    const host = await serve((_, response) => response.setHeader('content-encoding', encoding).end('x'))
    await expect(fetchFrom(host)).rejects.toMatchObject({ code: 'fetch_failed' })
  })

  test('with a wrong encoding, or truncated, is refused', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const garbage = await serve((_, response) => response.setHeader('content-encoding', encoding).end('no gzip'))
      await expect(fetchFrom(garbage)).rejects.toMatchObject({
        message: 'Failed to fetch - the answer cannot be decompressed',
      })
    }
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

  test('preceded by endless interim responses is refused', async () => {
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
