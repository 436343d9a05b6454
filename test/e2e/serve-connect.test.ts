import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { openIdentityProvider, toSignInConfig } from '../helpers/identity-provider.ts'
import { type Browser, openBrowser } from '../helpers/open-console.ts'
import { send } from '../helpers/open-http.ts'
import { type LoginStage, openLoginStage } from '../helpers/open-login-stage.ts'
import { useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()

/** `toolpact serve` with a server that callers log in to. Callers have tokens of an issuer, where people sign in as well. */
async function open() {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const people = await openIdentityProvider({ redirectUris: [`${url}/console/sign-in/callback`] })
  const stage = await openLoginStage()
  const folder = openServeFolder()
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  writeFileSync(join(folder.folder, 'keys.json'), JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256' }] })) // biome-ignore format: one line
  const auth = { jwks: 'keys.json', issuer: people.issuer, audience: 'tools' }
  const signIn = toSignInConfig(people, { rights: { '*': ['connect'] } })
  writeFileSync(join(folder.folder, 'own.json'), JSON.stringify({ ...stage.toConfig(), http: { auth, signIn } }))
  const server = await folder.start(['--config', 'own.json', '--show-link', '--port', String(port)])
  const sign = (subject: string) => new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).setSubject(subject).setIssuer(people.issuer).setAudience('tools').setExpirationTime('5 min').sign(privateKey) // biome-ignore format: one line
  const call = (token: string, tool = 'whoami') => send(`${url}/v1/tools/mail.${tool}`, { token, body: '{}' })

  /** Signs a person in to the console at the issuer. */
  async function signInAs(login: string): Promise<Browser> {
    const begun = await send(`${url}/console/sign-in`, { token: null })
    const back = await people.logIn(begun.headers.location!, login)
    const { headers } = await send(back.href, { token: null, headers: { Cookie: begun.headers['set-cookie']![0]!.split(';')[0]! } }) // biome-ignore format: one line
    return openBrowser(url, headers['set-cookie']!.find((one) => /^toolpact-\d/.test(one))!.split(';')[0]!)
  }

  async function signInOperator(): Promise<Browser> {
    const { headers } = await send(server.console, { token: null })
    return openBrowser(url, headers['set-cookie']![0]!.split(';')[0]!)
  }

  return { ...folder, server, url, people, stage, sign, call, signInAs, signInOperator }
}

/** What the page of a link does: begins, sends the person to the issuer, and brings back its answer. */
async function connect(browser: Browser, link: string, { issuer }: LoginStage, person: string) {
  const asked = Object.fromEntries(new URL(link).searchParams)
  const { json } = await browser.post('connections/mail/begin', asked)
  const back = await issuer.logIn(json.url, person)
  return browser.post('connected', { pending: json.pending, answer: back.search.slice(1) })
}

test('each person sees their own data, a third is asked to connect, and nothing secret is left behind', async () => {
  const { url, stage, sign, call, signInAs, signInOperator, server, people, run, folder } = await open()
  const [adaToken, graceToken, eveToken] = [await sign('ada'), await sign('grace'), await sign('eve')]
  const operator = await signInOperator()
  expect((await connect(operator, `${url}/console/connect/mail`, stage, 'olga')).status).toBe(200)
  await expect.poll(async () => (await operator.get('servers/mail')).json.state).toBe('ready')

  const asked = await call(adaToken)
  expect(asked).toMatchObject({ status: 403, headers: { 'content-type': 'application/problem+json' } })
  expect(asked.json).toMatchObject({ type: 'urn:toolpact:error:credential_required', connect: expect.stringContaining(`${url}/console/connect/mail?for=`) }) // biome-ignore format: one line
  const link: string = asked.json.connect

  // Whoever has the link and is somebody else connects nothing: not even the operator.
  const grace = await signInAs('grace')
  for (const other of [operator, grace]) {
    const refused = await other.get(`connections/mail${new URL(link).search}`)
    expect(refused).toMatchObject({ status: 403, json: { detail: expect.stringContaining(`signed in at ${people.issuer}`) } }) // biome-ignore format: one line
  }
  expect((await send(`${url}/console/api/connections/mail${new URL(link).search}`, { token: null })).status).toBe(401)
  const ada = await signInAs('ada')
  expect((await ada.get('calls')).status).toBe(403)
  expect((await connect(ada, link, stage, 'ada-at-mail')).json).toMatchObject({ server: 'mail', owner: 'ada' })
  expect((await connect(grace, (await call(graceToken)).json.connect, stage, 'grace-at-mail')).status).toBe(200)

  expect((await call(adaToken)).text).toContain('You are ada-at-mail.')
  expect((await call(graceToken)).text).toContain('You are grace-at-mail.')
  expect((await call(eveToken)).json.code).toBe('credential_required')
  const lacking = (await call(graceToken, 'drafts')).json.connect
  expect(new URL(lacking).searchParams.get('scope')).toBe('write')

  const printed = [await run(['mcp', 'inspect', 'mail', '--json', '--config', 'own.json']), await run(['ledger', '--json']), await run(['connections', '--json', '--config', 'own.json'])] // biome-ignore format: one line
  const shown = [await operator.get('servers/mail'), await operator.get('calls'), await ada.get('connections'), await operator.get('connections')] // biome-ignore format: one line
  server.kill('SIGTERM')
  await server.exited
  const left = [readAll(folder), server.output.stdout, server.output.stderr, ...printed.map(({ stdout, stderr }) => stdout + stderr), ...shown.map(({ text }) => text)].join('\n') // biome-ignore format: one line
  expect(left).toContain('mail.whoami')
  expect(stage.mail.seen.length).toBeGreaterThan(3)
  const cookies = [ada, grace, operator].map(({ cookie }) => cookie.split('=')[1]!)
  for (const secret of [adaToken, graceToken, eveToken, ...stage.mail.seen, ...stage.issuer.issued, ...cookies]) expect(left.includes(secret), secret.slice(0, 20)).toBe(false) // biome-ignore format: one line
}, 60_000)

test.each([
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['2025-11-25', {}],
] as const)(
  'a client of %s opens the page for its user, and the call goes on once they have connected',
  async (_, options) => {
    const { url, stage, sign, signInAs, signInOperator } = await open()
    const operator = await signInOperator()
    await connect(operator, `${url}/console/connect/mail`, stage, 'olga')
    await expect.poll(async () => (await operator.get('servers/mail')).json.state).toBe('ready')
    const ada = await signInAs('ada')
    const headers = { Authorization: `Bearer ${await sign('ada')}` }
    const client = new Client({ name: 'a test', version: '1' }, { capabilities: { elicitation: { url: {} } }, ...options } as never) // biome-ignore format: one line
    let answer: 'accept' | 'decline' = 'decline'
    const opened: { url: string; message: string; mode: string; elicitationId?: string }[] = []
    const completed: unknown[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const page = params as unknown as (typeof opened)[number]
      opened.push(page)
      if (answer === 'accept') setTimeout(() => connect(ada, page.url, stage, 'ada-at-mail'), 300)
      return { action: answer }
    })
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void completed.push(params))
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
    onTestFinished(() => client.close())
    const declined = await client.callTool({ name: 'whoami', arguments: {} })
    expect(JSON.stringify(declined)).toContain('credential_required')
    answer = 'accept'
    const result = await client.callTool({ name: 'whoami', arguments: {} })
    expect(JSON.stringify(result)).toContain('You are ada-at-mail.')
    expect(opened).toHaveLength(2)
    expect(opened[1]).toMatchObject({ mode: 'url', message: expect.stringContaining('The server mail requires a login.'), url: expect.stringContaining('/console/connect/mail?for=') }) // biome-ignore format: one line
    const isLegacy = !('versionNegotiation' in options)
    expect(opened[1]!.elicitationId !== undefined).toBe(isLegacy)
    if (isLegacy) await expect.poll(() => completed).toEqual([{ elicitationId: opened[1]!.elicitationId }])
  },
  60_000,
)

/** Everything in a folder, as one text. */
function readAll(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return paths.map((path) => (statSync(path).isFile() ? readFileSync(path, 'latin1') : '')).join('\n')
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
