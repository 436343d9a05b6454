import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { legitimate, smuggling } from '../../../test/data/invisible-text.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'
import { findHiddenStrings } from '../../contract/text/hidden-strings.ts'

/** A local test server and a workspace that is allowed to reach it. */
async function serve(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { call } = openWorkspace({ root: makeFolder(), web: { allowHosts: [host] } })
  return {
    origin: `http://${host}`,
    call,
    fetch: (path = '/', more = {}) => call('fetch_webpage', { url: `http://${host}${path}`, ...more }),
  }
}

const say =
  (type: string | undefined, body: string | Buffer, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body)

const page = `<!doctype html><html><head><title>Tea</title><style>p { color: green }</style></head>
<body><script>alert("no")</script><h1>How to make tea</h1><p>Boil &amp; pour &#8212; then <b>wait</b>.</p></body></html>`

test('returns the text of a page, with status, type and length', async () => {
  const { origin, fetch } = await serve(say('text/html; charset=utf-8', page))
  expect(await fetch('/tea?x=1')).toMatchObject({
    success: true,
    output: {
      success: true,
      output: `Fetched content from ${origin}/tea?x=1 (${page.length} bytes)\nTea\n\nHow to make tea\n\nBoil & pour — then wait.`,
      files_affected: [],
      execution_time_ms: expect.any(Number),
      metadata: {
        url: `${origin}/tea?x=1`,
        final_url: `${origin}/tea?x=1`,
        status_code: 200,
        content_length: page.length,
        content_type: 'text/html',
        truncated: false,
      },
    },
  })
})

test.each([
  ['plain text', 'text/plain', 'a <b> &amp;\n', 'a <b> &amp;\n'],
  ['JSON', 'application/json', '{"a": "<b>"}', '{"a": "<b>"}'],
  ['another JSON', 'application/ld+json; profile=x', '{}', '{}'],
  ['XML', 'application/rss+xml', '<a>x</a>', '<a>x</a>'],
  ['a script', 'Application/JavaScript', 'x < y', 'x < y'],
  ['XHTML', 'application/xhtml+xml', '<p>x</p>', 'x'],
  ['text of the most general type', 'application/octet-stream', '<p>x</p>', '<p>x</p>'],
  ['a page without a type', undefined, '<!DOCTYPE html><p>x</p>', 'x'],
  ['text without a type', undefined, 'x < y', 'x < y'],
  ['nothing', 'text/html', '', ''],
])('%s becomes text', async (_what, type, body, text) => {
  const { origin, fetch } = await serve(say(type, body))
  expect(await fetch()).toMatchObject({
    success: true,
    output: {
      output: `Fetched content from ${origin}/ (${body.length === 1 ? '1 byte' : `${body.length} bytes`})\n${text}`,
    },
  })
})

test.each([
  ['in UTF-8 with a byte order mark', 'text/plain', Buffer.from('\ufeffnaïve')],
  ['in Latin 1, as the server says', 'text/plain; charset=iso-8859-1', Buffer.from('naïve', 'latin1')],
  ['in Latin 1, as the page says', 'text/html', Buffer.from('<meta charset="latin1">naïve', 'latin1')],
  ['in UTF-16', 'text/plain; charset=utf-16le', Buffer.from('naïve', 'utf16le')],
])('text %s is decoded', async (_what, type, body) => {
  const { fetch } = await serve(say(type, body))
  expect(await fetch()).toMatchObject({ success: true, output: { output: expect.stringMatching(/\)\nnaïve$/) } })
})

test.each([
  ['an image', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png'],
  ['an archive', 'application/zip', Buffer.from('PK'), 'application/zip'],
  ['binary content declared as text', 'text/plain', Buffer.from('a\0b'), 'text/plain'],
  ['what has no name', undefined, Buffer.from([0, 1, 2]), 'unknown type'],
])('%s is described and not shown', async (_what, type, body, shown) => {
  const { origin, fetch } = await serve(say(type, body))
  const warning = `Content is not text (${shown}), not showing it`
  expect(await fetch()).toMatchObject({
    success: true,
    output: {
      output: `Warning: ${warning}\nFetched content from ${origin}/ (${body.length} bytes)`,
      metadata: { warnings: [warning], content_length: body.length },
    },
  })
})

test('a PDF is not shown, and the warning says what reads it', async () => {
  const { fetch } = await serve(say('application/pdf', '%PDF-1.4'))
  const warning = 'Content is not text (application/pdf), not showing it: web.fetch reads PDF'
  expect(await fetch()).toMatchObject({ success: true, output: { metadata: { warnings: [warning] } } })
})

test.each([204, 304, 404, 500, 503])('status %s is a success with a warning', async (status) => {
  const { fetch } = await serve(say('text/plain', status === 304 || status === 204 ? '' : 'sorry', status))
  const result = await fetch()
  expect(result).toMatchObject({ success: true, output: { metadata: { status_code: status } } })
  const { warnings } = (result.success ? result.output.metadata : {}) as { warnings?: string[] }
  expect(warnings).toEqual(status === 204 ? undefined : [`Server answered with status ${status}`])
})

test.each([
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KB'],
  [5324, '5.2 KB'],
  [1_048_570, '1.0 MB'],
  [1_048_576, '1.0 MB'],
])('%s bytes are %s', async (bytes, size) => {
  const { fetch } = await serve(say('text/plain', 'x'.repeat(bytes)))
  const result = await fetch()
  expect(String(result.success && result.output.output).split('\n')[0]).toMatch(new RegExp(`\\(${size}\\)$`))
  expect(result).toMatchObject({ success: true, output: { metadata: { content_length: bytes, truncated: false } } })
})

test('above 1MB the first 1MB is returned after the error', async () => {
  const { fetch } = await serve(say('text/plain', 'é'.repeat(524_289)))
  const result = await fetch()
  expect(result).toMatchObject({
    success: true,
    output: {
      output: expect.stringMatching(
        /^Error: Response too large \(>1MB\), truncating\nFetched content from .* \(1\.0 MB\)\né/,
      ),
      metadata: { truncated: true, content_length: 1_048_576, warnings: ['Response too large (>1MB), truncating'] },
    },
  })
  expect(String(result.success && result.output.output)).not.toContain('\ufffd')
})

test('a body that decompresses to a thousand times its size is cut too', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'))
  const { fetch } = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
  )
  expect(await fetch()).toMatchObject({
    success: true,
    output: { metadata: { truncated: true, content_length: 1_048_576 } },
  })
})

test('a megabyte of characters that JSON writes with six is returned', async () => {
  const { fetch } = await serve(say('text/plain', '\u0001'.repeat(1_048_576)))
  expect(await fetch()).toMatchObject({ success: true, output: { metadata: { truncated: false } } })
})

test('follows a redirect and returns the final URL', async () => {
  const { origin, fetch } = await serve((request, response) =>
    request.url === '/old'
      ? response.writeHead(301, { location: '/new' }).end()
      : say('text/plain', 'here')(request, response),
  )
  expect(await fetch('/old')).toMatchObject({
    success: true,
    output: {
      output: `Fetched content from ${origin}/old (4 bytes)\nRedirected to ${origin}/new\nhere`,
      metadata: { url: `${origin}/old`, final_url: `${origin}/new`, status_code: 200 },
    },
  })
})

test.each(['http://169.254.169.254/latest/meta-data/', 'http://localhost/', 'http://[::1]/', 'file:///etc/passwd'])(
  'does not follow a redirect to %s',
  async (location) => {
    const { fetch } = await serve((_request, response) => response.writeHead(302, { location }).end())
    expect(await fetch()).toMatchObject({ success: false, error: { code: 'fetch_failed' } })
  },
)

test.each([
  'http://127.0.0.1/',
  'http://localhost:8080/',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://2130706433/',
  'http://0x7f.1/',
])('%s is closed to tools', async (url) => {
  const { call } = openWorkspace({ root: makeFolder() })
  expect(await call('fetch_webpage', { url })).toMatchObject({
    success: false,
    error: {
      code: 'fetch_failed',
      status: 502,
      message: expect.stringMatching(/^Failed to fetch - /),
      suggestion: expect.stringContaining('operator'),
    },
  })
})

test.each([
  'example.com',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  'http://a b/',
  'x',
])('%s is no URL', async (url) => {
  const { call } = openWorkspace({ root: makeFolder() })
  expect(await call('fetch_webpage', { url })).toMatchObject({
    success: false,
    error: {
      code: 'invalid_url',
      status: 400,
      message: 'Invalid URL format',
      suggestion: expect.stringContaining('http'),
    },
  })
})

test('an unreachable server is a connection error', async () => {
  const server = createPlainServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  const { call } = openWorkspace({ root: makeFolder(), web: { allowHosts: [host] } })
  expect(await call('fetch_webpage', { url: `http://${host}/` })).toMatchObject({
    success: false,
    error: { code: 'fetch_failed', message: 'Failed to fetch - connection refused' },
  })
})

test('a dropped connection fails the fetch', async () => {
  const { fetch } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x')
    setTimeout(() => response.destroy(), 50)
  })
  expect(await fetch()).toMatchObject({ success: false, error: { code: 'fetch_failed' } })
})

test('a response that never ends times out', async () => {
  const { fetch } = await serve((_request, response) => response.writeHead(200).write('x'))
  expect(await fetch('/', { timeout_seconds: 1 })).toMatchObject({
    success: false,
    error: {
      code: 'timeout',
      status: 504,
      message: expect.stringMatching(/^Request timed out after 1 seconds?$/),
      suggestion: expect.stringMatching(/./),
    },
  })
})

test('a cancelled fetch ends', async () => {
  const { origin, call } = await serve(() => {})
  const cancel = new AbortController()
  const running = call('fetch_webpage', { url: `${origin}/` }, { signal: cancel.signal })
  setTimeout(() => cancel.abort(), 50)
  expect(await running).toMatchObject({ success: false, error: { code: 'cancelled' } })
})

test.each([
  ['no URL', {}, expect.any(String), 'required'],
  ['an empty URL', { url: '' }, '/url', 'minLength'],
  ['a URL that is too long', { url: `http://example.com/${'x'.repeat(8192)}` }, '/url', 'maxLength'],
  ['a list', { url: ['http://example.com/'] }, '/url', 'type'],
  ['no time', { url: 'http://example.com/', timeout_seconds: 0 }, '/timeout_seconds', 'minimum'],
  ['61 seconds', { url: 'http://example.com/', timeout_seconds: 61 }, '/timeout_seconds', 'maximum'],
  ['one and a half seconds', { url: 'http://example.com/', timeout_seconds: 1.5 }, '/timeout_seconds', 'type'],
  ['an unknown parameter', { url: 'http://example.com/', headers: {} }, expect.any(String), 'additionalProperties'],
])('%s is refused', async (_what, input, pointer, keyword) => {
  expect(await openWorkspace({ root: makeFolder() }).call('fetch_webpage', input)).toMatchObject({
    success: false,
    error: { code: 'invalid_input', problems: [{ pointer, keyword }] },
  })
})

test.each([
  ['text/html; charset=utf-8', `<title>${smuggling}</title><p>${smuggling}</p>`],
  ['text/plain; charset=utf-8', smuggling],
])('no invisible character of %s gets through, and emoji and joined letters stay', async (type, body) => {
  const { fetch } = await serve(say(type, body))
  const result = await fetch()
  expect(result).toMatchObject({ success: true, output: { output: expect.stringContaining(legitimate) } })
  expect(result.success && findHiddenStrings(result.output)).toEqual([])
})
