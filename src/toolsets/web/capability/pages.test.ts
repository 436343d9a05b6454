import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { closeServersAfterEach, serve } from '../../../../test/helpers/local-servers.ts'
import { openWeb, type Web } from '../../../capabilities/web.ts'
import { openPages, type PagesOptions } from './pages.ts'

closeServersAfterEach()

type Answers = { readonly [path: string]: RequestListener | string }

/** A site that counts what it is asked for, and pages that may be fetched from it. */
async function open(answers: Answers, options: PagesOptions = {}) {
  const asked: string[] = []
  const host = await serve((request, response) => {
    asked.push(request.url!)
    const answer = answers[request.url!]
    if (typeof answer === 'function') return answer(request, response)
    response.writeHead(answer === undefined ? 404 : 200).end(answer)
  })
  const web = openWeb({ allowHosts: [host] })
  const pages = openPages(options)
  const get = (path: string, { signal = new AbortController().signal, timeoutMs = 10_000 } = {}) =>
    pages.get(`http://${host}${path}`, { web, signal, timeoutMs, maxBytes: 1_000_000 })
  const read = async (path: string) => new TextDecoder().decode((await get(path)).body)
  return { asked, host, get, read }
}

test('pages that robots.txt disallows are not fetched, and robots.txt itself only once', async () => {
  const { asked, get, read } = await open({ '/robots.txt': 'User-agent: *\nDisallow: /private', '/a': 'A', '/b': 'B' })
  expect([await read('/a'), await read('/b')]).toEqual(['A', 'B'])
  await expect(get('/private/x')).rejects.toThrow("the site's robots.txt disallows this page for toolpact")
  expect(asked).toEqual(['/robots.txt', '/a', '/b'])
})

test('pages that robots.txt disallows are not fetched through a redirect either', async () => {
  const { asked, get } = await open({
    '/robots.txt': 'User-agent: toolpact\nDisallow: /private',
    '/a': (_, response) => response.writeHead(302, { location: '/private' }).end(),
    '/private': 'secret',
  })
  await expect(get('/a')).rejects.toMatchObject({ code: 'fetch_failed' })
  expect(asked).toEqual(['/robots.txt', '/a'])
})

test('a site without robots.txt is open, one that cannot give it is closed for now', async () => {
  expect(await (await open({ '/a': 'A' })).read('/a')).toBe('A')
  const failing = await open({ '/robots.txt': (_, response) => response.writeHead(503).end(), '/a': 'A' })
  await expect(failing.get('/a')).rejects.toThrow('robots.txt cannot be read (status 503)')
  const broken = await open({ '/robots.txt': (request) => request.destroy(), '/a': 'A' })
  await expect(broken.get('/a')).rejects.toThrow('robots.txt cannot be read')
})

test('a host that is not there, or is closed to tools, fails for that reason and not for its robots.txt', async () => {
  const get = (url: string, web: Web) =>
    openPages().get(url, { web, signal: new AbortController().signal, timeoutMs: 10_000, maxBytes: 1000 })
  const closed = openWeb({ lookup: async () => ['10.0.0.1'] })
  await expect(get('http://intranet.example/', closed)).rejects.toThrow(
    /^Failed to fetch - intranet.example resolves to/,
  )
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  const gone = openWeb({ allowHosts: [host] })
  await expect(get(`http://${host}/`, gone)).rejects.toThrow(/^Failed to fetch - connection refused$/)
  const redirected = await open({
    '/robots.txt': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  })
  await expect(redirected.get('/a')).rejects.toThrow('robots.txt cannot be read (Failed to fetch - the redirect target')
})

test('robots.txt is not fetched if the settings ignore it', async () => {
  const { asked, read } = await open({ '/robots.txt': 'User-agent: *\nDisallow: /', '/a': 'A' }, { robots: false })
  expect(await read('/a')).toBe('A')
  expect(asked).toEqual(['/a'])
})

test('an unchanged page is not downloaded again', async () => {
  let sent = 0
  const { read } = await open({
    '/a': ({ headers }, response) => {
      if (headers['if-none-match'] === '"1"') return response.writeHead(304, { etag: '"1"' }).end()
      sent++
      return response.writeHead(200, { etag: '"1"' }).end('A')
    },
  })
  expect([await read('/a'), await read('/a#part'), await read('/a')]).toEqual(['A', 'A', 'A'])
  expect(sent).toBe(1)
})

test.each([
  ['max-age=100', 1],
  ['max-age=0', 2],
  ['no-store, max-age=100', 2],
  ['no-cache, max-age=100', 2],
])('a page with %s is asked for as often as %i', async (control, count) => {
  const { asked, read } = await open(
    { '/a': (_, response) => response.writeHead(200, { 'cache-control': control }).end('A') },
    { robots: false },
  )
  expect([await read('/a'), await read('/a')]).toEqual(['A', 'A'])
  expect(asked).toHaveLength(count)
})

test('failures are not cached, and new content replaces old', async () => {
  let turn = 0
  const { get, read } = await open(
    { '/a': (_, response) => response.writeHead(++turn === 1 ? 500 : 200, { etag: `"${turn}"` }).end(`A${turn}`) },
    { robots: false },
  )
  expect((await get('/a')).status).toBe(500)
  expect([await read('/a'), await read('/a')]).toEqual(['A2', 'A3'])
})

test('one host is asked two things at a time', async () => {
  let now = 0
  let most = 0
  const slow: RequestListener = (_, response) => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      response.end('x')
    }, 30)
  }
  const paths = ['/1', '/2', '/3', '/4', '/5']
  const { get } = await open(Object.fromEntries(paths.map((path) => [path, slow])), { robots: false })
  await Promise.all(paths.map((path) => get(path)))
  expect(most).toBe(2)
})

test('who waits for a turn can give up, and the time runs while waiting', async () => {
  const { get } = await open({ '/1': () => {}, '/2': () => {}, '/3': 'x' }, { robots: false })
  const controller = new AbortController()
  const first = [get('/1', { signal: controller.signal }), get('/2', { signal: controller.signal })]
  await expect(get('/3', { timeoutMs: 60 })).rejects.toMatchObject({ code: 'timeout' })
  const waiting = new AbortController()
  const third = get('/3', { signal: waiting.signal })
  waiting.abort(new Error('never mind'))
  await expect(third).rejects.toThrow('never mind')
  controller.abort(new Error('enough'))
  for (const one of first) await expect(one).rejects.toThrow('enough')
  expect((await get('/3')).status).toBe(200)
})

test('of many pages the oldest are forgotten', async () => {
  const body = 'x'.repeat(900_000)
  const answer: RequestListener = (_, response) => response.writeHead(200, { 'cache-control': 'max-age=100' }).end(body)
  const paths = Array.from({ length: 40 }, (_, index) => `/${index}`)
  const { asked, get } = await open(Object.fromEntries(paths.map((path) => [path, answer])), { robots: false })
  for (const path of paths) await get(path)
  await get('/39')
  expect(asked).toHaveLength(40)
  await get('/0')
  expect(asked).toHaveLength(41)
})

test('a robots.txt on an origin that one call may not reach is asked for again by the next call', async () => {
  const other = await serve((_, response) => void response.end('User-agent: *\nDisallow: /private'))
  const host = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(302, { location: `http://${other}/robots.txt` }).end()
    else response.end(url)
  })
  const web = openWeb({ allowHosts: [host, other] })
  const held = { ...web, fetch: (url, options) => web.fetch(url, { ...options, mayReach: async () => false }) } as Web
  const pages = openPages()
  const request = { signal: new AbortController().signal, timeoutMs: 10_000, maxBytes: 1000 }
  await expect(pages.get(`http://${host}/a`, { ...request, web: held })).rejects.toThrow(`redirects to http://${other}`)
  expect(await pages.get(`http://${host}/a`, { ...request, web })).toMatchObject({ status: 200 })
  await expect(pages.get(`http://${host}/private`, { ...request, web: held })).rejects.toThrow('disallows this page')
})

test('the user agent comes from the environment, else from the settings', async () => {
  const told: string[] = []
  const host = await serve(({ headers }, response) => {
    told.push(headers['user-agent']!)
    response.end('x')
  })
  const web = openWeb({ allowHosts: [host] })
  const request = { web, signal: new AbortController().signal, timeoutMs: 10_000, maxBytes: 1000 }
  const settings = { robots: false, userAgent: 'settings/1' }
  for (const options of [settings, { ...settings, environment: { WEB_FETCH_USER_AGENT: 'environment/1' } }, {}])
    await openPages(options).get(`http://${host}/`, request)
  expect([...new Set(told)]).toEqual(['settings/1', 'environment/1', 'toolpact'])
})
