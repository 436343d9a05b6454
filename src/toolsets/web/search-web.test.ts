import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { legitimate, smuggling } from '../../../test/data/invisible-text.ts'
import { openToolpact } from '../../app/app.ts'
import type { ConfigSource } from '../../app/config/config.ts'
import { findHiddenStrings } from '../../contract/text/hidden-strings.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly key: string | undefined
  readonly body: Record<string, unknown>
}

type Answer = (response: ServerResponse) => void

/** A search server of either kind that records its requests, and a Toolpact that uses it. */
async function open(answer: unknown | Answer, search: Partial<NonNullable<ConfigSource['web-fetch']>['search']> = {}) {
  const asked: Asked[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    asked.push({ method, url, key: headers.authorization, body: body ? JSON.parse(body) : {} })
    if (typeof answer === 'function') return (answer as Answer)(response)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const toolpact = await openToolpact({
    toolsets: ['web-fetch'],
    storage: 'memory',
    config: { 'web-fetch': { search: { provider: 'litellm', url, ...search } } },
  })
  onTestFinished(async () => {
    await toolpact.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { asked, url, find: (input: unknown) => toolpact.call('web-fetch.search.web', input) }
}

const page = (url: string, more: object = {}) => ({ title: 'A page', url, snippet: 'About it.', date: null, ...more })
const fails = (status: number, body: unknown): Answer => {
  return (response) => response.writeHead(status).end(JSON.stringify(body))
}

test('LiteLLM receives the query, and its results are returned', async () => {
  const results = [page('https://example.com/a', { title: 'First', date: '2026-03-04' })]
  const { asked, find } = await open({ object: 'search', results }, { tool: 'my-search' })
  expect(await find({ query: '  json\n schema ', max_results: 3 })).toMatchObject({
    success: true,
    output: {
      results: [{ title: 'First', url: 'https://example.com/a', snippet: 'About it.', date: '2026-03-04' }],
    },
  })
  const body = { query: 'json schema', max_results: 3, search_tool_name: 'my-search' }
  expect(asked).toEqual([{ method: 'POST', url: '/v1/search', key: undefined, body }])
})

test.each([
  ['/v1', '/v1/search'],
  ['/proxy/v1/search/', '/proxy/v1/search'],
  ['/proxy/', '/proxy/v1/search'],
])('an address that ends in %s is understood', async (path, endpoint) => {
  const { asked, url } = await open({ results: [] })
  const toolpact = await openToolpact({
    toolsets: ['web-fetch'],
    storage: 'memory',
    config: { 'web-fetch': { search: { provider: 'litellm', url: url + path } } },
  })
  onTestFinished(() => toolpact.close())
  expect(await toolpact.call('search.web', { query: 'x' })).toMatchObject({ success: true, output: { results: [] } })
  expect(asked[0]!.url).toBe(endpoint)
})

test('SearXNG is asked in its own way', async () => {
  const results = [{ title: 'A', url: 'https://a.example/', content: 'Text', publishedDate: '2025-01-02T03:04:05' }]
  const { asked, find } = await open({ results }, { provider: 'searxng' })
  expect(await find({ query: 'a&b=c' })).toMatchObject({
    output: { results: [{ title: 'A', url: 'https://a.example/', snippet: 'Text', date: '2025-01-02' }] },
  })
  expect(asked).toMatchObject([{ method: 'GET', url: '/search?q=a%26b%3Dc&format=json', body: {} }])
})

test('never more results than requested, even if the provider sends more', async () => {
  const results = Array.from({ length: 60 }, (_, index) => page(`https://example.com/${index}`))
  const { asked, find } = await open({ results })
  const counts = []
  for (const most of [1, 25, undefined]) {
    const result = await find({ query: 'x', ...(most && { max_results: most }) })
    counts.push(result.success && (result.output.results as unknown[]).length)
  }
  expect(counts).toEqual([1, 25, 10])
  expect(asked.map(({ body }) => body.max_results)).toEqual([1, 20, 10])
})

test('duplicates and results that are not web pages are dropped', async () => {
  const { find } = await open({
    results: [
      page('https://www.example.com/a/'),
      page('https://example.com/a'),
      page('https://example.com/a?b'),
      page('javascript:alert(1)'),
      page('file:///etc/passwd'),
      page('https://user:secret@example.com/'),
      page('not an address'),
      { title: 5 },
      'text',
      null,
    ],
  })
  const result = await find({ query: 'x' })
  expect(result.success && (result.output.results as { url: string }[]).map(({ url }) => url)).toEqual([
    'https://www.example.com/a/',
    'https://example.com/a?b',
  ])
})

test('titles and snippets are plain text of a bounded length', async () => {
  const long = 'word '.repeat(5000)
  const { find } = await open({
    results: [
      page('https://a.example/', {
        title: '<b>Tom</b> &amp; Jerry\u001b[31m',
        snippet: `1 < 2 <script>x</script>${long}`,
      }),
      page('https://b.example/x', { title: ' ', snippet: '<'.repeat(50_000) }),
    ],
  })
  const result = await find({ query: 'x' })
  const [first, second] = (result.success ? result.output.results : []) as { title: string; snippet: string }[]
  expect(first!.title).toMatch(/^Tom & Jerry/)
  expect(first!.title).not.toContain('\u001b')
  expect(first!.snippet).toMatch(/^1 < 2 x word word/)
  expect(first!.snippet.length).toBeLessThanOrEqual(1000)
  expect(second!.title).toBe('b.example')
})

test.each([
  ['Mar 4, 2025', '2025-03-04'],
  ['2025-03-04T10:11:12Z', '2025-03-04T10:11:12Z'],
  ['1741046400', '2025-03-04'],
  ['yesterday', null],
  ['', null],
  [null, null],
])('the date %j becomes %j', async (date, expected) => {
  const { find } = await open({ results: [page('https://a.example/', { date })] })
  const result = await find({ query: 'x' })
  const [found] = (result.success ? result.output.results : []) as { date: string | null }[]
  expect(expected === null ? found!.date : found!.date?.slice(0, expected.length)).toBe(expected)
})

test.each([
  ['an empty query', { query: '' }],
  ['a blank query', { query: ' \t\n ' }],
  ['a query of what cannot be seen', { query: '\u0007' }],
  ['a query that is no text', { query: 5 }],
])('%s is an invalid query', async (_what, input) => {
  const { asked, find } = await open({ results: [] })
  expect(await find(input)).toMatchObject({ error: { code: 'invalid_query', status: 400 } })
  expect(asked).toEqual([])
})

test.each([
  ['no query', {}],
  ['no result at most', { query: 'x', max_results: 0 }],
  ['too many results', { query: 'x', max_results: 26 }],
  ['half a result', { query: 'x', max_results: 1.5 }],
  ['an unknown key', { query: 'x', country: 'de' }],
])('%s is refused', async (_what, input) => {
  const { asked, find } = await open({ results: [] })
  expect(await find(input)).toMatchObject({ error: { code: 'invalid_input', status: 400 } })
  expect(asked).toEqual([])
})

test.each<[string, unknown | Answer, RegExp, RegExp]>([
  ['a refused key', fails(401, { error: { message: 'bad key' } }), /refused the key/, /LITELLM_SEARCH_API_KEY/],
  [
    'an unknown tool',
    fails(500, { error: { message: 'Search tool x not found' } }),
    /search tool/,
    /web-fetch\.search\.tool/,
  ],
  ['no such endpoint', fails(404, { detail: 'Not Found' }), /no \/v1\/search/, /LITELLM_SEARCH_API_BASE/],
  ['too many requests', fails(429, { error: 'slow down' }), /rate limiting/, /limits/],
  ['any other failure', fails(500, { detail: { error: 'boom' } }), /failed \(500\): boom/, /log/],
  [
    'a page',
    (response: ServerResponse) => response.end('<html>'),
    /did not return a list of results/,
    /address of LiteLLM/,
  ],
  ['a list of nothing known', ['x'], /did not return a list of results/, /address/],
  [
    'a redirect',
    (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(),
    /failed \(302\)/,
    /log/,
  ],
  ['a broken connection', (response: ServerResponse) => response.destroy(), /cannot be reached/, /it runs/],
])('%s is a failure of the search that says what to check', async (_what, answer, message, check) => {
  const { find } = await open(answer)
  expect(await find({ query: 'x' })).toMatchObject({
    error: {
      code: 'upstream_failure',
      status: 502,
      message: expect.stringMatching(message),
      suggestion: expect.stringMatching(check),
    },
  })
})

test('a key in an error of the search server is redacted before the error is shortened', async () => {
  const key = `sk-${'k'.repeat(40)}`
  vi.stubEnv('TEST_SEARCH_KEY', key)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const before of [150, 180, 190, 200, 230]) {
    const { find } = await open(fails(500, { error: `${'x'.repeat(before)}${key}` }), { keyEnv: 'TEST_SEARCH_KEY' })
    const result = await find({ query: 'x' })
    expect(result).toMatchObject({ error: { message: expect.stringMatching(/x{100}/) } })
    expect(JSON.stringify(result)).not.toContain('sk-')
  }
})

test.each([
  [403, /settings\.yml/],
  [429, /limiter/],
  [500, /web-fetch\.search\.url/],
])('SearXNG says %i: the failure says what to check', async (status, check) => {
  const { find } = await open(fails(status, {}), { provider: 'searxng' })
  expect(await find({ query: 'x' })).toMatchObject({
    error: { code: 'upstream_failure', suggestion: expect.stringMatching(check) },
  })
})

test('a search that takes too long is a timeout', async () => {
  const { find } = await open(() => {}, { timeoutMs: 50 })
  expect(await find({ query: 'x' })).toMatchObject({ error: { code: 'timeout', status: 504 } })
})

test('without a configured search, the error names the settings', async () => {
  const toolpact = await openToolpact({ toolsets: ['web-fetch'], storage: 'memory' })
  onTestFinished(() => toolpact.close())
  expect(await toolpact.call('search.web', { query: 'x' })).toMatchObject({
    error: { code: 'upstream_failure', suggestion: expect.stringContaining('LITELLM_SEARCH_API_BASE') },
  })
})

test('no invisible character of a title or snippet gets through, and emoji and joined letters stay', async () => {
  const escaped = [...smuggling].map((character) => `&#${character.codePointAt(0)};`).join('')
  const results = [smuggling, escaped].map((text, index) =>
    page(`https://example.com/${index}`, { title: text, snippet: text }),
  )
  const { find } = await open({ results })
  const result = await find({ query: 'tea' })
  const clean = { title: expect.stringContaining(legitimate), snippet: expect.stringContaining(legitimate) }
  expect(result).toMatchObject({ success: true, output: { results: [clean, clean] } })
  expect(result.success && findHiddenStrings(result.output)).toEqual([])
})
