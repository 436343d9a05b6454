import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBrowser, openConsole } from '../../../test/helpers/open-console.ts'
import { rightToken, send } from '../../../test/helpers/open-http.ts'
import { makeFolder, openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import { maxSignIns } from '../../runtime/storage/sign-ins.ts'
import { hashToken } from '../../runtime/storage/tokens.ts'
import { createTokenCredentials } from '../http/token-credentials.ts'
import { addLink } from './add-link.ts'
import { endpoints } from './endpoints.ts'
import { allRights } from './person.ts'
import { createSignIn } from './sign-in.ts'

const browser = { isHttps: false, agent: undefined }
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

test('a link signs in once, with a cookie that scripts cannot read and other sites do not send', async () => {
  const { url, port, console } = await openConsole()
  const link = await console.makeLink({ name: 'Ada', rights: ['view'] })
  expect(link).toMatch(new RegExp(`^${url}/console\\?once=[\\w-]{43}$`))
  expect((await send(link, { method: 'HEAD', token: null })).status).toBe(200)
  const first = await send(link, { token: null })
  expect(first).toMatchObject({ status: 303, headers: { location: '/console', 'cache-control': 'no-store' } })
  const [cookie = ''] = first.headers['set-cookie']!
  expect(cookie).toMatch(new RegExp(`^toolpact-${port}=[\\w-]{43}; Path=/console; Max-Age=43200; HttpOnly; SameSite=Strict$`)) // biome-ignore format: one line
  const again = await send(link, { token: null })
  expect(again.status).toBe(401)
  expect(again.headers['set-cookie']).toBeUndefined()
  expect(again.text).toContain('toolpact open')
  const { get } = openBrowser(url, `other=1; ${cookie.split(';')[0]}`)
  expect((await get('session')).json).toMatchObject({ person: 'Ada', rights: ['view'], version: '1.2.3', url })
  const back = await send(link, { token: null, headers: { Cookie: cookie } })
  expect(back).toMatchObject({ status: 303, headers: { location: '/console' } })
})

test('behind a trusted proxy with TLS, the cookie is only sent over TLS; others cannot claim to be one', async () => {
  for (const trustedProxies of [['127.0.0.0/8'], ['192.0.2.1'], []]) {
    const { console } = await openConsole({ trustedProxies })
    const link = await console.makeLink({ name: 'Ada', rights: ['view'] })
    const { headers } = await send(link, { token: null, headers: { 'X-Forwarded-Proto': 'https' } })
    const isTrusted = trustedProxies[0] === '127.0.0.0/8'
    expect(/; Secure$/.test(headers['set-cookie']![0]!)).toBe(isTrusted)
    expect(headers['strict-transport-security']).toBe(isTrusted ? 'max-age=31536000' : undefined)
  }
})

test('two browsers that race for a link: one is signed in', async () => {
  const { console } = await openConsole()
  const link = await console.makeLink({ name: 'Ada', rights: ['view'] })
  const both = await Promise.all([send(link, { token: null }), send(link, { token: null })])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 401])
})

test('while the storage fails a person can sign in and see that, and later sessions are stored again', async () => {
  const { toolpact, stateDirectory, close, signIn } = await openConsole()
  const database = join(stateDirectory, 'toolpact.db')
  renameSync(database, `${database}.elsewhere`)
  await expect.poll(async () => (await toolpact.health()).isWritable).toBe(false)
  const { get, cookie } = await signIn()
  expect((await get('session')).json).toMatchObject({ person: 'Ada' })
  expect((await get('overview')).json).toMatchObject({ storage: { isWritable: false }, questions: 0 })
  renameSync(`${database}.elsewhere`, database)
  await expect.poll(async () => (await toolpact.health()).isWritable).toBe(true)
  expect((await get('session')).json).toMatchObject({ person: 'Ada' })
  const grace = await signIn('Grace')
  await close(0)
  const { url } = await openConsole({ stateDirectory })
  expect((await openBrowser(url, cookie).get('session')).status).toBe(401)
  expect((await openBrowser(url, grace.cookie).get('session')).json).toMatchObject({ person: 'Grace' })
})

test('without a valid cookie the API answers nothing, also to bearer tokens of callers', async () => {
  const { url, port, signIn } = await openConsole()
  const other = await openConsole()
  const { cookie } = await other.signIn()
  const cookies = ['', 'x=1', `toolpact-${port}=`, `toolpact-${port}=${'x'.repeat(43)}`, cookie, cookie.replace(/^[^=]+/, `toolpact-${port}`)] // biome-ignore format: one line
  for (const given of cookies) {
    const { get } = openBrowser(url, given)
    expect(await get('session')).toMatchObject({ status: 401, json: { code: 'not_signed_in' } })
    expect((await get('stream')).status).toBe(401)
  }
  expect((await send(`${url}/console/api/session`, { token: rightToken })).status).toBe(401)
  expect((await (await signIn()).get('session')).status).toBe(200)
})

test('every route of the API needs a person, and what changes something more than looking needs more', async () => {
  const { url, routes, signIn } = await openConsole()
  const looks = await signIn('Ada', ['view'])
  const api = routes.filter(({ path }) => path.startsWith('/console/api/'))
  expect(api.length).toBeGreaterThan(10)
  for (const { path, methods, needs } of api) {
    const target = path.replace(/\{\w+\}/g, 'x').slice('/console/api/'.length)
    const { get, post } = openBrowser(url, '')
    const ask = methods[0] === 'POST' ? post : get
    expect({ needs, status: (await ask(target)).status }, path).toEqual({ needs: 'person', status: 401 })
    const { right } = endpoints.find((one) => path.endsWith(`/api/${one.path}`)) ?? { right: 'view' }
    // Everyone who is signed in manages their own connections.
    if (right === 'view' || right === undefined) continue
    expect((await looks.post(target)).status, path).toBe(403)
  }
})

test('what changes something needs the header that a foreign page cannot send', async () => {
  const { url, signIn } = await openConsole()
  const { cookie, post, get } = await signIn()
  const path = `${url}/console/api/ledger/verify`
  const bare = await send(path, { method: 'POST', token: null, headers: { Cookie: cookie } })
  expect(bare).toMatchObject({ status: 403, json: { code: 'not_from_console' } })
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'Sec-Fetch-Site': site }
    expect((await post('ledger/verify', undefined, { headers })).json).toMatchObject({ code: 'not_from_console' })
    expect((await get('session', { headers })).json).toMatchObject({ code: 'not_from_console' })
  }
  const foreign = { headers: { Origin: 'https://evil.example' } }
  expect((await post('ledger/verify', undefined, foreign)).json).toMatchObject({ code: 'foreign_origin' })
  expect((await post('ledger/verify', undefined, { headers: { Host: 'evil.example' } })).json).toMatchObject({ code: 'foreign_host' }) // biome-ignore format: one line
  const own = { headers: { Origin: url, 'Sec-Fetch-Site': 'same-origin' } }
  expect(await post('ledger/verify', undefined, own)).toMatchObject({ status: 200, json: { intact: true } })
})

test('signing out ends the session of this browser alone', async () => {
  const { signIn } = await openConsole()
  const [ada, grace] = [await signIn('Ada'), await signIn('Grace')]
  const out = await ada.post('sign-out')
  expect(out.status).toBe(204)
  expect(out.headers['set-cookie']![0]).toMatch(/=; Path=\/console; Max-Age=0; HttpOnly; SameSite=Strict$/)
  expect((await ada.get('session')).status).toBe(401)
  expect((await grace.get('session')).json).toMatchObject({ person: 'Grace' })
})

test('a link that is added to the storage signs in, with its rights alone, and no request makes one', async () => {
  const { url, toolpact } = await openConsole()
  const open = async (rights: readonly string[]) => {
    const code = await addLink({ signIns: toolpact.signIns! }, { name: 'Grace', rights })
    const { headers } = await send(`${url}/console?once=${code}`, { token: null })
    return (await openBrowser(url, headers['set-cookie']![0]!).get('session')).json
  }
  expect(await open(['view'])).toMatchObject({ person: 'Grace', rights: ['view'] })
  expect(await open(allRights)).toMatchObject({ person: 'Grace', rights: ['view', 'approve', 'manage'] })
  for (const token of [rightToken, null]) expect((await send(`${url}/link`, { method: 'POST', token })).json.url).toBeUndefined() // biome-ignore format: one line
})

test('a token for a client is created by those who manage, where tokens are used', async () => {
  const { toolpact, signIn } = await openConsole()
  const [ada, grace] = [await signIn('Ada'), await signIn('Grace', ['view', 'approve'])]
  expect((await ada.get('clients')).json).toMatchObject({ canCreateToken: false })
  expect(await ada.post('clients/token', {})).toMatchObject({ status: 409 })
  expect((await grace.post('clients/token', {})).status).toBe(403)
  const own = await openConsole({ credentials: createTokenCredentials({ tokens: toolpact.tokens }) })
  const { get, post } = await own.signIn('Ada')
  expect((await get('clients')).json).toMatchObject({ canCreateToken: true })
  const { json } = await post('clients/token', { client: 'cursor' })
  expect(json).toMatchObject({ caller: 'local', token: expect.stringMatching(/^toolpact_[\w-]{43}$/) })
  expect(await toolpact.tokens.load()).toMatchObject([
    { caller: 'local', label: 'cursor', hash: hashToken(json.token) },
  ])
  expect((await post('clients/token', { client: 'a\u0007b' })).status).toBe(400)
  expect((await (await own.signIn('Grace', ['view', 'approve'])).post('clients/token', {})).status).toBe(403)
})

test('links and sessions survive a restart of the server', async () => {
  const first = await openConsole()
  const { cookie } = await first.signIn('Ada')
  const link = await first.console.makeLink({ name: 'Ada', rights: ['view'] })
  await first.close(0)
  const { url } = await openConsole({ stateDirectory: first.stateDirectory })
  expect((await openBrowser(url, cookie).get('session')).json).toMatchObject({ person: 'Ada' })
  const elsewhere = link.replace(first.url, url)
  expect((await send(elsewhere, { token: null })).status).toBe(303)
  expect((await send(elsewhere, { token: null })).status).toBe(401)
})

test('at two servers of one state, a link signs in once at either, and signing out ends the session at both', async () => {
  const a = await openConsole()
  const b = await openConsole({ stateDirectory: a.stateDirectory })
  const link = await a.console.makeLink({ name: 'Ada', rights: ['view'] })
  const both = [link, link.replace(a.url, b.url)]
  const [first, second] = await Promise.all(both.map((target) => send(target, { token: null })))
  expect([first!.status, second!.status].sort()).toEqual([303, 401])
  const [cookie = ''] = (first!.headers['set-cookie'] ?? second!.headers['set-cookie'])!
  const pair = cookie.split(';')[0]!
  for (const { url } of [a, b])
    expect((await openBrowser(url, pair).get('session')).json).toMatchObject({ person: 'Ada' })
  expect((await openBrowser(b.url, pair).post('sign-out')).headers['set-cookie']![0]).toContain(
    `${pair.split('=')[0]}=;`,
  )
  for (const { url } of [a, b]) expect((await openBrowser(url, pair).get('session')).status).toBe(401)
})

test('links and sessions expire, and there are never many', async () => {
  let now = 0
  const { signIns } = openTestStorage('memory')
  const signIn = createSignIn({ port: 1, signIns, now: () => now })
  const ada = { name: 'Ada', rights: ['view'] }
  const old = await signIn.makeCode(ada)
  const cookie = (await signIn.redeem(await signIn.makeCode(ada), browser))!
  const request = { headers: { cookie: cookie.split(';')[0]! } } as never
  now += 3_600_000
  expect(await signIn.redeem(old, browser)).toBeUndefined()
  expect(await signIn.find(request)).toMatchObject(ada)
  now += 43_200_000
  expect(await signIn.find(request)).toBeUndefined()
  const codes = await Promise.all(Array.from({ length: 300 }, () => signIn.makeCode(ada)))
  const redeemed = await Promise.all(codes.map((code) => signIn.redeem(code, browser)))
  expect(redeemed.filter((one) => one !== undefined)).toHaveLength(maxSignIns)
})

test('every route has the content security policy, and nothing of the page comes from elsewhere', async () => {
  const { url, routes, signIn } = await openConsole()
  const { cookie } = await signIn()
  expect(routes.length).toBeGreaterThan(20)
  for (const { path, methods } of routes) {
    const target = `${url}${path.replace(/\{\w+\}/g, 'x')}`
    if (path.endsWith('/stream')) continue
    for (const headers of [
      { Cookie: '', 'Toolpact-Console': '1' },
      { Cookie: cookie, 'Toolpact-Console': '1' },
    ])
      expect((await send(target, { method: methods[0]!, token: null, headers })).headers, path).toMatchObject({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
  }
})

test('the page is compressed, and its files are cached for good under the hash of their content', async () => {
  const { url } = await openConsole()
  const page = await send(`${url}/console/inbox`, { token: null })
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  expect(page.text).toMatch(/<script type="module" src="\/console\/assets\/[^"]+\.js" integrity="sha384-[\w+/=]{64}"/)
  const [, script] = /<link rel="modulepreload" href="(\/console\/assets\/[^"]+\.js)" integrity="sha384-/.exec(
    page.text,
  )!
  expect(page.text).toMatch(/<link rel="stylesheet" href="\/console\/assets\/[^"]+\.css" integrity="sha384-/)
  expect(page.text).not.toMatch(/<script(?! type="module" src)|style=|https?:/)
  const file = await send(`${url}${script}`, { token: null })
  expect(file.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }) // biome-ignore format: one line
  const zipped = await send(`${url}${script}`, { token: null, headers: { 'Accept-Encoding': 'br, gzip' } })
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/javascript; charset=utf-8' })
  expect(Number(zipped.headers['content-length'])).toBeLessThan(Number(file.headers['content-length']))
  const known = await send(`${url}/console`, { token: null, headers: { 'If-None-Match': page.headers.etag! } })
  expect({ status: known.status, text: known.text }).toEqual({ status: 304, text: '' })
  for (const name of ['x.js', '..%2fmanifest.json', 'manifest.json'])
    expect((await send(`${url}/console/assets/${name}`, { token: null })).status).toBe(404)
  expect((await send(`${url}/console/unknown`, { token: null })).status).toBe(401)
  expect((await send(`${url}/`, { token: null })).headers.location).toBe('/console')
})

test('a page that was not built says what to run', async () => {
  const { createAssets } = await import('./assets.ts')
  const assets = createAssets(new URL(`file://${makeFolder()}/`))
  expect(assets.page()).toBeUndefined()
  expect(assets.find('console.js')).toBeUndefined()
})
