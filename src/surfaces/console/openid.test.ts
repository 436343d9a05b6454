import { expect, test } from 'vitest'
import type { AuthorizationServer } from '../../../test/helpers/authorization-server.ts'
import { findFreePort } from '../../../test/helpers/find-free-port.ts'
import { client, openIdentityProvider, toSignInConfig } from '../../../test/helpers/identity-provider.ts'
import { openBrowser, openConsole } from '../../../test/helpers/open-console.ts'
import { send } from '../../../test/helpers/open-http.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { toReturnPath } from './openid-routes.ts'

test('a person signs in at the issuer with the rights of their groups, and goes on where they wanted to', async () => {
  const { url, provider, begin, logIn } = await open()
  const { location, cookie } = await begin('/console/calls/7?tool=x')
  expect(location.origin).toBe(provider.issuer)
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: `${url}/console/sign-in/callback`,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(cookie).toMatch(/^toolpact-login-\d+=[\w.-]+; Path=\/console\/sign-in; Max-Age=600; HttpOnly; SameSite=Lax$/)
  const back = await provider.logIn(location.href, 'ada')
  const { status, headers } = await send(back.href, { token: null, headers: { Cookie: cookie } })
  expect({ status, to: headers.location }).toEqual({ status: 303, to: '/console/calls/7?tool=x' })
  const [session = '', used = ''] = headers['set-cookie']!
  expect(session).toMatch(/^toolpact-\d+=[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/)
  expect(used).toMatch(/^toolpact-login-\d+=; Path=\/console\/sign-in; Max-Age=0; /)
  const ada = openBrowser(url, session.split(';')[0]!)
  expect((await ada.get('session')).json).toMatchObject({ person: 'ada@acme.example', rights: ['view', 'approve', 'manage'] }) // biome-ignore format: one line
  const grace = await logIn('grace')
  expect((await grace!.get('session')).json).toMatchObject({ person: 'grace@acme.example', rights: ['view'] })
  expect((await grace!.post('rules/create', { tool: 'learning.hello', pattern: '*', action: 'allow' })).status).toBe(
    403,
  )
})

test('claims that only userinfo tells count too', async () => {
  const { logIn } = await open({ inIdToken: false })
  expect((await (await logIn('ada'))!.get('session')).json).toMatchObject({ person: 'ada@acme.example', rights: ['view', 'approve', 'manage'] }) // biome-ignore format: one line
})

test('who has no right, or a name that Toolpact uses itself, is told so and gets no session', async () => {
  const { finishAs } = await open()
  const eve = await finishAs('eve')
  expect(eve).toMatchObject({ status: 403, text: expect.stringContaining('Your groups: <code>guests</code>.') })
  const cli = await finishAs('cli')
  expect(cli).toMatchObject({ status: 403, text: expect.stringContaining('one that Toolpact uses itself') })
  for (const { headers } of [eve, cli]) expect(headers['set-cookie']!.join()).toMatch(/^toolpact-login-\d+=;/)
})

test.each<[string, object, object, RegExp]>([
  ['no name', {}, {}, /sent no claim preferred_username/],
  ['an address that is not verified', { email: 'ada@acme.example' }, { nameClaim: 'email' }, /does not say that the address ada@acme.example is verified/], // biome-ignore format: one line
  ['a name with hidden characters', { preferred_username: 'ada\u202e' }, {}, /cannot be seen/],
  ['markup', { preferred_username: '<b>x', groups: ['<i>'] }, {}, /You are &lt;b&gt;x, .*<code>&lt;i&gt;<\/code>/],
])('an issuer that sends %s signs nobody in', async (_, claims, settings, words) => {
  const { finishAs } = await open({ claimsOf: () => claims, settings })
  const { text, headers } = await finishAs('ada')
  expect(text).toMatch(words)
  expect(headers['set-cookie']!.join()).not.toMatch(/toolpact-\d+=\w/)
})

test('a dot in a claim leads into an object, and a verified address is a name', async () => {
  const claims = { email: 'ada@acme.example', email_verified: true, profile: { roles: ['ops'] } }
  const { logIn } = await open({ claimsOf: () => claims, settings: { nameClaim: 'email', groupsClaim: 'profile.roles' }, claimNames: ['profile'] }) // biome-ignore format: one line
  expect((await (await logIn('ada'))!.get('session')).json).toMatchObject({ person: 'ada@acme.example', rights: ['view', 'approve', 'manage'] }) // biome-ignore format: one line
})

test('a browser that did not begin the login cannot finish it: not with the code of somebody else', async () => {
  const { provider, begin } = await open()
  const mallory = await begin()
  const back = await provider.logIn(mallory.location.href, 'eve')
  expect(await send(back.href, { token: null })).toMatchObject({ status: 401, text: expect.stringContaining('This browser has not begun to sign in here') }) // biome-ignore format: one line
  const victim = await begin()
  const injected = await send(back.href, { token: null, headers: { Cookie: victim.cookie } })
  expect(injected).toMatchObject({ status: 401, text: expect.stringContaining('another sign-in than the one that this browser began last') }) // biome-ignore format: one line
  const state = victim.location.searchParams.get('state')!
  back.searchParams.set('state', state)
  const forged = await send(back.href, { token: null, headers: { Cookie: victim.cookie } })
  expect(forged.status).toBe(401)
  expect(forged.headers['set-cookie']!.join()).not.toMatch(/toolpact-\d+=\w/)
})

test('an answer is used once: code, state and cookie together sign in once only', async () => {
  const { provider, begin } = await open()
  const { location, cookie } = await begin()
  const back = await provider.logIn(location.href, 'ada')
  const headers = { Cookie: cookie }
  expect((await send(back.href, { token: null, headers })).status).toBe(303)
  const again = await send(back.href, { token: null, headers })
  expect(again).toMatchObject({ status: 401, text: expect.stringContaining('invalid_grant') })
})

test('an answer of another issuer, an error, and a changed cookie end the login', async () => {
  const { provider, begin, url } = await open()
  const { location, cookie } = await begin()
  const back = await provider.logIn(location.href, 'ada')
  const ask = async (change: (to: URL) => void, sent = cookie) => {
    const to = new URL(back)
    change(to)
    return (await send(to.href, { token: null, headers: { Cookie: sent } })).text
  }
  expect(await ask((to) => to.searchParams.set('iss', 'https://evil.example'))).toContain('could not sign you in')
  expect(await ask((to) => to.searchParams.delete('iss'))).toContain('could not sign you in')
  expect(await ask((to) => to.searchParams.append('state', 'x'))).toContain('could not sign you in')
  expect(await ask(() => {}, cookie.replace(/\.[\w-]{4}/, '.AAAA'))).toContain('has not begun')
  const state = location.searchParams.get('state')!
  const denied = `${url}/console/sign-in/callback?${new URLSearchParams({ error: 'access_denied', error_description: '<script>', state, iss: provider.issuer })}` // biome-ignore format: one line
  const { text } = await send(denied, { token: null, headers: { Cookie: cookie } })
  expect(text).toContain('it answered access_denied: &lt;script&gt;')
})

test('a login that one replica begins is finished by another, and its session is valid at both', async () => {
  const one = await open()
  const two = await openConsole({ stateDirectory: one.stateDirectory, config: one.config })
  const { location, cookie } = await one.begin()
  const back = await one.provider.logIn(location.href, 'ada')
  const there = back.href.replace(one.url, two.url)
  // The port is part of the name of the cookie, and replicas behind a load balancer have the same one.
  const sent = cookie.replace(/^toolpact-login-\d+/, `toolpact-login-${two.port}`)
  const { headers, status } = await send(there, { token: null, headers: { Cookie: sent } })
  expect(status).toBe(303)
  for (const { url } of [one, two])
    expect((await openBrowser(url, headers['set-cookie']![0]!.split(';')[0]!).get('session')).json).toMatchObject({ person: 'ada@acme.example' }) // biome-ignore format: one line
})

test('without an issuer, or if it cannot be reached, the page says so, and links still work', async () => {
  const none = await openConsole()
  expect((await send(`${none.url}/console/sign-in`, { token: null })).headers.location).toBe('/console')
  expect((await send(`${none.url}/console/sign-in/ways`, { token: null })).json).toEqual({ issuer: null })
  const { provider, url, signIn } = await open()
  expect((await send(`${url}/console/sign-in/ways`, { token: null })).json).toEqual({ issuer: new URL(provider.issuer).host }) // biome-ignore format: one line
  await provider.close()
  const down = await send(`${url}/console/sign-in`, { token: null })
  expect(down).toMatchObject({ status: 401, text: expect.stringContaining('could not be read') })
  expect((await (await signIn()).get('session')).json).toMatchObject({ person: 'Ada' })
})

test('an address that tries too often has to wait', async () => {
  const { url } = await openConsole()
  const tried = await Promise.all(Array.from({ length: 40 }, () => send(`${url}/console/sign-in`, { token: null })))
  expect(tried.filter(({ status }) => status === 303)).toHaveLength(30)
  expect(tried.find(({ status }) => status === 429)?.headers['retry-after']).toBeDefined()
})

test.each<[string | null, string]>([
  [null, '/console'],
  ['/console', '/console'],
  ['/console/', '/console/'],
  ['/console/inbox/7?x=1&once=secret#f', '/console/inbox/7?x=1'],
  ['https://evil.example/console/inbox', '/console'],
  ['//evil.example/console/inbox', '/console'],
  ['/\\evil.example/console/', '/console'],
  ['\\\\evil.example', '/console'],
  ['/console/../evil', '/console'],
  ['/console/..//evil.example', '/console'],
  ['/console//evil.example', '/console'],
  ['/console/%2e%2e/x', '/console'],
  ['/consolex', '/console'],
  ['/console/api/sign-out', '/console'],
  ['/console/sign-in?to=x', '/console'],
  ['javascript:alert(1)', '/console'],
  ['/console/inbox\r\nSet-Cookie: x=1', '/console'],
])('after a login to %j the browser goes to %s', (wanted, to) => {
  expect(toReturnPath(wanted)).toBe(to)
})

interface Options {
  readonly inIdToken?: boolean
  readonly claimsOf?: (login: string) => object
  readonly claimNames?: readonly string[]
  readonly settings?: object
}

/** A console on a known port, whose people sign in at a real issuer. */
async function open({ settings = {}, ...more }: Options = {}) {
  const port = await findFreePort()
  const provider = await openIdentityProvider({ redirectUris: [`http://127.0.0.1:${port}/console/sign-in/callback`], ...more }) // biome-ignore format: one line
  const config = { http: { signIn: toSignInConfig(provider, settings) } }
  const console = await openConsole({ port, stateDirectory: makeFolder(), config: config as never })
  const begin = (to?: string) => beginLogin(console.url, to)
  const finishAs = (login: string) => finishLogin(provider, console.url, login)
  return {
    ...console,
    ...{ provider, config: config as never, begin, finishAs },
    async logIn(login: string) {
      const { headers } = await finishAs(login)
      const session = headers['set-cookie']?.find((one) => /^toolpact-\d/.test(one))
      return session === undefined ? undefined : openBrowser(console.url, session.split(';')[0]!)
    },
  }
}

async function beginLogin(url: string, to?: string) {
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
  const { headers } = await send(`${url}/console/sign-in${query}`, { token: null })
  return { location: new URL(headers.location!), cookie: headers['set-cookie']![0]! }
}

async function finishLogin(provider: AuthorizationServer, url: string, login: string) {
  const { location, cookie } = await beginLogin(url)
  const back = await provider.logIn(location.href, login)
  return send(back.href, { token: null, headers: { Cookie: cookie.split(';')[0]! } })
}
