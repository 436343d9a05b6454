import { parse as parseToml } from 'smol-toml'
import { expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { openHttp, rightToken, type SendOptions, send } from '../../../../test/helpers/open-http.ts'
import { defineTool } from '../../../contract/define-tool.ts'
import { defineToolset } from '../../../contract/define-toolset.ts'
import { createCatalog } from '../../../runtime/pipeline/catalog.ts'
import { type ClientConfig, toClientConfigs } from '../../client-configs.ts'
import { connectable } from '../../clients/clients.ts'
import { type Credentials, noToken } from '../credentials.ts'
import { openHttpServer } from '../open-http-server.ts'
import { createPageLinks } from './page-links.ts'
import { createStartPage } from './start-page.ts'

const asBrowser = { Accept: 'text/html,application/xhtml+xml' }

async function visit(url: string): Promise<{ cookie: string; status: number; location: string | undefined }> {
  const { status, headers } = await send(url, { token: null, headers: asBrowser })
  const [cookie = ''] = headers['set-cookie'] ?? []
  return { status, cookie, location: headers.location }
}

async function makeLink(url: string): Promise<string> {
  return (await send(`${url}/link`, { method: 'POST' })).json.url
}

test('a link opens the page once, and leaves a cookie that only the browser sees and only this site gets', async () => {
  const { url, port } = await openHttp()
  const link = await makeLink(url)
  expect(link).toMatch(new RegExp(`^${url}/\\?once=[\\w-]{43}$`))
  const { status, cookie, location } = await visit(link)
  expect({ status, location }).toEqual({ status: 303, location: '/' })
  expect(cookie).toMatch(new RegExp(`^toolpact-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`))
  const headers = { ...asBrowser, Cookie: `other=1; ${cookie.split(';')[0]}` }
  const page = await send(`${url}/`, { token: null, headers })
  expect(page.status).toBe(200)
  expect(page.text).toContain('learning_hello')
  const again = await send(link, { token: null, headers: asBrowser })
  expect(again.status).toBe(401)
  expect(again.text).toContain('used before')
  expect(again.text).toContain('toolpact token link')
  expect(again.headers['set-cookie']).toBeUndefined()
})

test('if two visitors open one link at once, one gets in', async () => {
  const { url } = await openHttp()
  const link = await makeLink(url)
  const found = await Promise.all(Array.from({ length: 8 }, () => visit(link)))
  expect(found.filter(({ cookie }) => cookie !== '')).toHaveLength(1)
})

test('a look at the link by HEAD does not use it up', async () => {
  const { url } = await openHttp()
  const link = await makeLink(url)
  expect((await send(link, { method: 'HEAD', token: null })).status).toBe(401)
  expect((await visit(link)).status).toBe(303)
})

test('the cookie opens the page and nothing else', async () => {
  const { url, routes } = await openHttp()
  const { cookie } = await visit(await makeLink(url))
  const headers = { Cookie: cookie.split(';')[0]! }
  for (const { path, methods, needs } of routes.filter((route) => route.needs === 'token'))
    for (const method of methods) {
      const { status } = await send(`${url}${path.replace('{name}', 'learning.hello')}`, {
        method,
        headers,
        token: null,
      })
      expect(status, `${method} ${path} ${needs}`).toBe(401)
    }
})

test('without link, cookie or token the page says how to get one, to people and to programs', async () => {
  const { url } = await openHttp()
  const page = await send(`${url}/`, { token: null, headers: asBrowser })
  expect(page.status).toBe(401)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.text).toContain('toolpact token link')
  expect(page.text).not.toContain(rightToken)
  expect((await send(`${url}/`, { token: null })).json).toMatchObject({ code: 'unauthorized' })
  for (const query of ['once=', 'once=x', `once=${'x'.repeat(43)}`, `once=${'x'.repeat(44)}`])
    expect((await send(`${url}/?${query}`, { token: null, headers: asBrowser })).status).toBe(401)
  for (const cookie of ['', 'x', 'x'.repeat(43)])
    expect((await send(`${url}/`, { token: null, headers: { Cookie: `toolpact-${new URL(url).port}=${cookie}` } })).status).toBe(401) // biome-ignore format: one line
})

test('a bearer token opens the page too, and so does no token where none is needed', async () => {
  const { url } = await openHttp()
  expect((await send(`${url}/`)).text).toContain('learning_hello')
  const open = await openHttp({ credentials: noToken })
  expect((await send(`${open.url}/`, { token: null })).text).toContain('for the caller <code>local</code>')
})

test('a visit is over when the token of its caller is replaced', async () => {
  let token = rightToken
  const credentials: Credentials = {
    identify: (given) => (given === token ? { kind: 'caller', caller: { name: 'ada' } } : { kind: 'missing' }),
    tokenOf: () => token,
  }
  const { url } = await openHttp({ credentials })
  const { cookie } = await visit(await makeLink(url))
  const look = async () => (await send(`${url}/`, { token: null, headers: { Cookie: cookie.split(';')[0]! } })).status
  expect(await look()).toBe(200)
  token = `${rightToken}2`
  expect(await look()).toBe(401)
})

test('the token is in the page once, masked, and copy buttons put it in place of the placeholder', async () => {
  const { url } = await openHttp({ toClients: () => [{ client: 'curl', where: 'here', text: 'Bearer YOUR_TOKEN' }] })
  const { text } = await send(`${url}/`)
  expect(text.split(rightToken)).toHaveLength(2)
  expect(text).toContain(`<code id="token" data-token="${rightToken}">${'•'.repeat(16)}</code>`)
  expect(text).toContain('Bearer YOUR_TOKEN')
  expect(text).toMatch(/<button type="button" id="reveal">.*<button type="button" id="copy-token">/)
})

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"' onload="x" \u202e\u200b\x1b[31m </code></pre>&lt;`

async function openHostile(options: SendOptions = {}) {
  const object = { type: 'object', additionalProperties: false, properties: { text: { type: 'string', description: hostile } } } as const // biome-ignore format: one line
  const tool = defineTool(
    {
      name: 'trap',
      title: hostile,
      description: `Does nothing. ${hostile}`,
      risk: 'dangerous',
      limits: { calls: { count: 5, windowMs: 1000 }, concurrency: 2 },
      input: object,
      output: object,
      errors: [{ code: 'trapped', status: 422, when: hostile, suggestion: hostile }],
    },
    () => ({}),
  )
  const clients: ClientConfig[] = [{ client: hostile, where: hostile, text: hostile }]
  const catalog = createCatalog({ odd: async () => defineToolset('odd', [tool]) })
  const server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    credentials: noToken,
    toSurfaces: (address) => {
      return [createStartPage({ served: { catalog }, credentials: noToken, address, toClients: () => clients })]
    },
  })
  onTestFinished(() => server.close(0))
  return send(`${server.url}/`, { token: null, headers: asBrowser, ...options })
}

test('nothing that a contract says becomes markup, hides or turns text around', async () => {
  const { text, headers } = await openHostile()
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text).not.toMatch(/<img|<script>alert| onload="x"/)
  expect(text).not.toMatch(/[\u202e\u200b\x1b]/)
  expect(text).toContain('\\u{202e}\\u{200b}\\x1b[31m')
  const tags = new Set([...text.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag))
  expect([...tags].sort()).toEqual(['article', 'body', 'button', 'code', 'details', 'div', 'footer', 'h1', 'h2', 'h3', 'head', 'header', 'html', 'link', 'main', 'meta', 'p', 'pre', 'script', 'section', 'small', 'span', 'style', 'summary', 'table', 'tbody', 'td', 'title', 'tr']) // biome-ignore format: one line
  expect(text).toMatch(/asks first/)
  expect(text).toMatch(/5 in 1 s, per caller/)
  const policy = headers['content-security-policy'] as string
  const [, nonce] = /'nonce-([^']+)'/.exec(policy)!
  expect(policy).toBe(`default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`) // biome-ignore format: one line
  expect(text).toContain(`<script nonce="${nonce}">`)
  expect((await openHostile()).headers['content-security-policy']).not.toBe(policy)
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }) // biome-ignore format: one line
})

test('the page loads nothing from elsewhere', async () => {
  const { text } = await openHostile()
  const addresses = [...text.matchAll(/(?:src|href|url|action|@import)\s*[=(]\s*["']?([^"')\s>]+)/g)].map(
    ([, at]) => at,
  )
  expect(addresses.filter((at) => !at!.startsWith('x') && at !== 'data:,')).toEqual([])
})

test('links and visits end by themselves, and there are never many', () => {
  let now = 0
  const links = createPageLinks(() => now)
  const visitor = { caller: { name: 'ada' }, token: 't' }
  const old = links.makeCode(visitor)
  const cookie = links.redeem(links.makeCode(visitor))!
  now += 3_600_000
  expect(links.redeem(old)).toBeUndefined()
  expect(links.find(cookie)).toEqual(visitor)
  now += 43_200_000
  expect(links.find(cookie)).toBeUndefined()
  const codes = Array.from({ length: 100 }, () => links.makeCode(visitor))
  expect(codes.filter((code) => links.redeem(code) !== undefined)).toHaveLength(64)
})

test('what is to be pasted is well-formed for every client, whatever the paths hold', () => {
  const stdio = ['/usr/bin/node', '/home/o\'neil/my "tools"/toolpact.js', 'serve', '--stdio']
  const options = { name: 'toolpact', url: 'http://127.0.0.1:7420', token: 'abc', stdio }
  const configs = toClientConfigs({ ...options, example: { name: 'learning.hello', input: { name: "O'Neil" } } })
  const of = (client: string) => configs.find((config) => config.client.startsWith(client))!.text
  expect(of('Any of these')).toBe('toolpact connect CLIENT --http')
  expect(of('Claude Code')).toBe(`claude mcp add --transport http toolpact http://127.0.0.1:7420/mcp --header 'Authorization: Bearer abc'`) // biome-ignore format: one line
  expect(JSON.parse(of('Cursor')).mcpServers.toolpact.headers).toEqual({ Authorization: 'Bearer abc' })
  expect(JSON.parse(of('VS Code')).servers.toolpact).toMatchObject({ type: 'http', url: 'http://127.0.0.1:7420/mcp' })
  expect(JSON.parse(of('Claude Desktop')).mcpServers.toolpact).toEqual({ command: stdio[0], args: stdio.slice(1) })
  expect(parseToml(of('Codex')).mcp_servers).toMatchObject({
    toolpact: { http_headers: { Authorization: 'Bearer abc' }, required: true },
  })
  expect(parseYaml(of('Goose')).extensions.toolpact).toMatchObject({ uri: 'http://127.0.0.1:7420/mcp', enabled: true })
  expect(parseYaml(of('Continue')).mcpServers).toEqual([{ name: 'toolpact', type: 'streamable-http', url: 'http://127.0.0.1:7420/mcp', requestOptions: { headers: { Authorization: 'Bearer abc' } } }]) // biome-ignore format: one line
  expect(JSON.parse(of('opencode')).mcp.toolpact).toMatchObject({
    oauth: false,
    headers: { Authorization: 'Bearer abc' },
  })
  // Every client is on the page, with the token or with the command.
  for (const { title } of connectable) expect(of(title)).toMatch(/Bearer abc|my \\"tools/)
  expect(of('curl')).toContain(`-d '{"name":"O'\\''Neil"}' http://127.0.0.1:7420/v1/tools/learning.hello`)
  const open = toClientConfigs({ ...options, url: 'http://192.0.2.1:8000', token: undefined })
  expect(JSON.stringify(open)).not.toMatch(/Authorization|Bearer/)
  expect(open[0]!.text).toBe('toolpact connect CLIENT --http --port 8000 --host 192.0.2.1')
})
