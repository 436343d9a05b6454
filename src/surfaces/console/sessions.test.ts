import { request as sendRequest } from 'node:http'
import { expect, test } from 'vitest'
import { openBrowser, openConsole } from '../../../test/helpers/open-console.ts'
import { openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import { describeBrowser } from './describe-browser.ts'
import { createSignIn } from './sign-in.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const browser = { isHttps: false, agent: firefox }
const ada = { name: 'ada', issuer: 'https://id.example', subject: '7', groups: ['ops'] }

/** Sign-ins of a moving clock, with the rights of `ops`. */
function open(kind: 'memory' | 'sqlite' = 'memory') {
  const clock = { now: 1_000_000 }
  const { signIns } = openTestStorage(kind)
  let by: { issuer: string; rightsOf: (person: { groups: readonly string[] }) => ('view' | 'manage')[] } | undefined = {
    issuer: ada.issuer,
    rightsOf: ({ groups }) => (groups.includes('ops') ? ['view', 'manage'] : []),
  }
  const options = { port: 1, signIns, signInBy: () => by, now: () => clock.now }
  const signIn = createSignIn({ ...options, lasts: () => ({ sessionMs: 1_000_000, sessionIdleMs: 300_000 }) })
  const other = createSignIn(options)
  const toRequest = (cookie: string) => ({ headers: { cookie: cookie.split(';')[0]! } }) as never
  return {
    ...{ signIn, other, clock, signIns: signIns! },
    begin: async (person = ada) => toRequest(await signIn.begin(person, browser)),
    setIssuer(next: typeof by) {
      by = next
    },
  }
}

test('a session expires when it is idle, or when its time is over, however much it is used', async () => {
  for (const kind of ['memory', 'sqlite'] as const) {
    const { signIn, clock, begin } = open(kind)
    const [idle, used, looked] = [await begin(), await begin(), await begin()]
    for (let minutes = 0; minutes < 4; minutes++) {
      clock.now += 70_000
      expect(await signIn.find(used)).toMatchObject({ name: 'ada' })
      expect(await signIn.find(looked, { isLook: true })).toMatchObject({ name: 'ada' })
    }
    clock.now += 30_000
    expect(await signIn.find(idle)).toBeUndefined()
    expect(await signIn.find(looked, { isLook: true })).toBeUndefined()
    for (let minutes = 0; minutes < 9; minutes++) {
      expect(await signIn.find(used)).toMatchObject({ name: 'ada' })
      clock.now += 70_000
    }
    clock.now = 1_000_000 + 999_999
    expect(await signIn.find(used)).toMatchObject({ name: 'ada' })
    clock.now += 1
    expect(await signIn.find(used)).toBeUndefined()
  }
})

test('a session of an issuer follows the config: other groups, another issuer, none', async () => {
  const { signIn, begin, setIssuer } = open()
  const request = await begin()
  expect(await signIn.find(request)).toMatchObject({ ...ada, rights: ['view', 'manage'] })
  setIssuer({ issuer: ada.issuer, rightsOf: () => ['view'] })
  expect(await signIn.find(request)).toMatchObject({ rights: ['view'] })
  setIssuer({ issuer: ada.issuer, rightsOf: () => [] })
  expect(await signIn.find(request)).toBeUndefined()
  setIssuer({ issuer: 'https://other.example', rightsOf: () => ['view'] })
  expect(await signIn.find(request)).toBeUndefined()
  setIssuer(undefined)
  expect(await signIn.find(request)).toBeUndefined()
  expect(await signIn.list()).toEqual([])
})

test('sessions of all servers are listed and ended by name, and nothing brings them back', async () => {
  const { signIn, other, begin, clock } = open('sqlite')
  const [one, two] = [await begin(), await begin({ ...ada, name: 'bob', subject: '8' })]
  const listed = await other.list()
  expect(listed).toMatchObject([
    { ...ada, facts: { startedAt: 1_000_000, seenAt: 1_000_000, endsAt: 2_000_000, browser: 'Firefox on Linux' } },
    { name: 'bob' },
  ])
  const { session } = (await signIn.find(one))!
  expect(listed[0]!.session).toBe(session)
  clock.now += 61_000
  const [ended] = await Promise.all([other.revoke(session), signIn.find(one)])
  expect(ended).toBe(true)
  expect(await signIn.find(one)).toBeUndefined()
  expect(await other.revoke(session)).toBe(false)
  expect(await signIn.find(two)).toMatchObject({ name: 'bob' })
})

test('people see and end their own sessions, and those who may manage all', async () => {
  const { signIn, url } = await openConsole()
  const [first, second] = [await signIn('Ada', ['view']), await signIn('Ada', ['view'])]
  const grace = await signIn('Grace', ['view'])
  const root = await signIn('Root')
  const list = async ({ get }: typeof first) => (await get('sessions')).json.sessions
  const own = await list(first)
  expect(own).toMatchObject([{ person: 'Ada', isOwn: true, isThis: false, issuer: null }, { person: 'Ada', isThis: true }]) // biome-ignore format: one line
  expect((await list(root)).map(({ person, isOwn }: { person: string; isOwn: boolean }) => [person, isOwn])).toEqual([['Root', true], ['Grace', false], ['Ada', false], ['Ada', false]]) // biome-ignore format: one line
  const [graces] = await list(grace)
  expect(await first.post('sessions/end', { ids: [graces.id] })).toMatchObject({ status: 404 })
  expect((await grace.get('session')).status).toBe(200)
  expect((await first.post('sessions/end', { others: true })).json).toEqual({ message: 'Ended 1 session.' })
  expect((await first.post('sessions/end', { others: true })).json).toEqual({ message: 'There was no other session.' })
  expect((await second.get('session')).status).toBe(401)
  expect((await first.get('session')).status).toBe(200)
  expect((await root.post('sessions/end', { ids: [graces.id] })).json).toEqual({ message: 'Ended 1 session.' })
  expect((await grace.get('session')).status).toBe(401)
  for (const body of [{}, { ids: [] }, { ids: ['x'], others: true }]) expect((await first.post('sessions/end', body)).status).toBe(400) // biome-ignore format: one line
  expect((await openBrowser(url, '').get('sessions')).status).toBe(401)
})

test('a stream ends soon after its session was ended at another server', async () => {
  const one = await openConsole()
  const two = await openConsole({ stateDirectory: one.stateDirectory })
  const [ada, root] = [await one.signIn('Ada'), await two.signIn('Root')]
  const ended = new Promise<void>((resolve, reject) => {
    const sent = sendRequest(`${one.url}/console/api/stream`, { headers: { Cookie: ada.cookie } }, (response) => {
      response.once('data', async () => {
        const { sessions } = (await root.get('sessions')).json
        const { id } = sessions.find(({ person }: { person: string }) => person === 'Ada')
        await root.post('sessions/end', { ids: [id] })
      })
      response.on('end', resolve)
    })
    sent.on('error', reject).end()
  })
  await ended
  expect((await ada.get('session')).status).toBe(401)
})

test.each<[string | undefined, string]>([
  [firefox, 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'Chrome on Windows'], // biome-ignore format: one line
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari on Mac',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1', 'Chrome on iPhone'], // biome-ignore format: one line
  ['curl/8.0', 'An unknown browser'],
  ['x (Android)', 'An unknown browser on Android'],
  ['Firefox/1', 'Firefox'],
  ['<script>', 'An unknown browser'],
  [undefined, 'An unknown browser'],
])('the browser %j is %s', (agent, words) => {
  expect(describeBrowser(agent)).toBe(words)
})
