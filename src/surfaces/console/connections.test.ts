import { expect, test } from 'vitest'
import { type Browser, openConsole } from '../../../test/helpers/open-console.ts'
import { openLoginStage } from '../../../test/helpers/open-login-stage.ts'
import type { Caller } from '../../contract/tool.ts'

async function open(http?: object) {
  const stage = await openLoginStage()
  const config = { ...stage.toConfig(), ...(http && { http }) } as never
  const opened = await openConsole({ config, toolsets: ['mail'], stateDirectory: stage.state })
  await opened.toolpact.consoleAddress.announce(opened.url)
  const { toolpact, url } = opened

  /** What the page does: begins, sends the person to the issuer, and brings back what that answers. */
  async function connect(browser: Browser, person: string, body: object = {}) {
    const begun = await browser.post('connections/mail/begin', body)
    expect(begun.status, begun.text).toBe(200)
    const back = await stage.issuer.logIn(begun.json.url, person)
    expect(back.href.startsWith(`${url}/console/connected?`)).toBe(true)
    return { pending: begun.json.pending as string, answer: back.search.slice(1) }
  }
  const call = (caller: Caller | undefined, tool = 'mail.whoami') => toolpact.call(tool, {}, caller && { caller })
  /** The query of the link that a call answers with. */
  const linkOf = async (caller: Caller, tool?: string) => {
    const result = await call(caller, tool)
    if (result.success || result.error.connect === undefined) throw new Error(JSON.stringify(result))
    const link = new URL(result.error.connect)
    expect(link.href.startsWith(`${url}/console/connect/mail?`)).toBe(true)
    expect(result.error).toMatchObject({ code: 'credential_required', status: 403, suggestion: expect.stringContaining(link.href) }) // biome-ignore format: one line
    return Object.fromEntries(link.searchParams) as { for?: string; scope?: string }
  }
  return { ...opened, stage, connect, call, linkOf }
}

type Opened = Awaited<ReturnType<typeof open>>

async function connectOperator({ signIn, connect }: Opened) {
  const ada = await signIn('Ada')
  expect((await ada.post('connected', await connect(ada, 'olga'))).status).toBe(200)
  return ada
}

test('the operator connects in the console, is shown as connected, and disconnects', async () => {
  const opened = await open()
  const { signIn, connect, call, stage } = opened
  const ada = await signIn('Ada')
  const missing = { server: 'mail', state: 'missing', issuer: null, connectedAt: null, renewedAt: null }
  expect((await ada.get('connections')).json).toEqual({ owner: 'local', connections: [missing] })
  expect((await ada.get('connections/mail')).json).toEqual({
    ...{ server: 'mail', owner: 'local', isOwn: true, issuer: stage.issuer.issuer, missing: [], state: 'missing' },
    scopes: expect.arrayContaining(['read']),
  })
  const login = await connect(ada, 'olga')
  expect(login.pending).not.toMatch(/verifier|client/)
  const { status, json } = await ada.post('connected', login)
  expect({ status, json }).toEqual({ status: 200, json: { server: 'mail', owner: 'local', issuer: stage.issuer.issuer } }) // biome-ignore format: one line
  expect(await call(undefined)).toMatchObject({ success: true })
  expect((await ada.get('connections')).json.connections[0]).toMatchObject({ state: 'connected', issuer: stage.issuer.issuer }) // biome-ignore format: one line
  // An answer is used once.
  expect((await ada.post('connected', login)).status).toBe(409)
  expect((await ada.post('connections/mail/remove')).json).toEqual({ message: 'You are no longer connected to mail.' })
  expect((await ada.post('connections/mail/remove')).status).toBe(404)
})

test('a call of a client answers with a link by which the operator connects it, and no one else', async () => {
  const opened = await open()
  const { signIn, connect, call, linkOf } = opened
  const ada = await connectOperator(opened)
  const query = await linkOf({ name: 'cursor', via: 'token' })
  const target = `connections/mail?${new URLSearchParams(query)}`
  expect((await ada.get(target)).json).toMatchObject({ owner: 'cursor', isOwn: false, state: 'missing' })
  for (const rights of [['view', 'approve'], ['connect']]) {
    const other = await signIn('Grace', rights)
    const refused = { status: 403, json: { detail: 'This link is for cursor, and you are signed in as Grace. The operator must open it.' } } // biome-ignore format: one line
    expect(await other.get(target)).toMatchObject(refused)
    expect(await other.post('connections/mail/begin', query)).toMatchObject(refused)
    expect(await other.get('connections/mail')).toMatchObject({ status: 403 })
    expect((await other.get('connections')).json).toEqual({ owner: null, connections: [] })
    expect(await other.post('connections/mail/remove')).toMatchObject({ status: 403 })
  }
  const login = await connect(ada, 'cleo', query)
  // Nobody else can finish it.
  const grace = await signIn('Grace')
  expect(await grace.post('connected', login)).toMatchObject({ status: 409, json: { detail: expect.stringContaining('was not begun here') } }) // biome-ignore format: one line
  expect((await ada.post('connected', login)).json).toMatchObject({ owner: 'cursor' })
  expect(JSON.stringify(await call({ name: 'cursor', via: 'token' }))).toContain('You are cleo.')
  expect(JSON.stringify(await call(undefined))).toContain('You are olga.')
})

test('a changed link and invalid scopes are refused', async () => {
  const opened = await open()
  const ada = await connectOperator(opened)
  const { for: link = '' } = await opened.linkOf({ name: 'cursor', via: 'token' })
  const [body = '', mac] = link.split('.')
  const other = Buffer.from(JSON.stringify({ owner: 'eve' })).toString('base64url')
  for (const forged of [`${other}.${mac}`, `${body}.${'A'.repeat(43)}`, body, 'cursor', ''])
    expect((await ada.get(`connections/mail?for=${forged}`)).status, forged).toBe(400)
  expect((await ada.get('connections/mail?scope=%22%3Cb%3E')).status).toBe(400)
  expect((await ada.get('connections/post')).status).toBe(404)
})

test('a link of a caller of an issuer is for the person who signed in there with the same subject', async () => {
  const opened = await open()
  const ada = await connectOperator(opened)
  const caller = { name: 'grace@acme.example', issuer: 'https://id.example', subject: 'grace', via: 'jwt' } as const
  const query = await opened.linkOf(caller)
  expect(await ada.get(`connections/mail?${new URLSearchParams(query)}`)).toMatchObject({
    status: 403,
    json: { detail: expect.stringContaining('It must be opened by that person, signed in at https://id.example.') },
  })
})

test('a call that lacks a scope answers with a link that asks for it', async () => {
  const opened = await open()
  const ada = await connectOperator(opened)
  const caller = { name: 'cursor', via: 'token' } as const
  await ada.post('connected', await opened.connect(ada, 'cleo', await opened.linkOf(caller)))
  const query = await opened.linkOf(caller, 'mail.drafts')
  expect(query.scope).toBe('write')
  expect((await ada.get(`connections/mail?${new URLSearchParams(query)}`)).json).toMatchObject({ missing: ['write'], scopes: expect.arrayContaining(['read', 'write']), state: 'connected' }) // biome-ignore format: one line
  expect((await ada.post('connected', await opened.connect(ada, 'cleo', query))).status).toBe(200)
  expect(JSON.stringify(await opened.call(caller, 'mail.drafts'))).toContain('Drafts of cleo.')
})

test('a server with an https address is a client by the metadata that it publishes, without registration', async () => {
  let console = ''
  const publicUrl = 'https://tools.example'
  const fetched: string[] = []
  const stage = await openLoginStage({
    configuration: {
      features: { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } } as never,
      // The issuer reads the document at this machine instead.
      fetch: (async (url: string | URL) => {
        fetched.push(String(url))
        return fetch(String(url).replace(publicUrl, console))
      }) as never,
    },
  })
  const opened = await openConsole({ config: { ...stage.toConfig(), http: { publicUrl } } as never, publicUrl, shownUrl: publicUrl, toolsets: ['mail'], stateDirectory: stage.state }) // biome-ignore format: one line
  console = opened.url
  const document = (await (await fetch(`${console}/.well-known/oauth-client.json`)).json()) as { client_id: string }
  expect(document).toMatchObject({ client_id: `${publicUrl}/.well-known/oauth-client.json`, redirect_uris: [`${publicUrl}/console/connected`], token_endpoint_auth_method: 'none' }) // biome-ignore format: one line
  const ada = await opened.signIn('Ada')
  const { url, pending } = (await ada.post('connections/mail/begin', {})).json
  expect(new URL(url).searchParams.get('client_id')).toBe(document.client_id)
  const back = await stage.issuer.logIn(url, 'olga')
  expect(back.origin + back.pathname).toBe(`${publicUrl}/console/connected`)
  expect(await ada.post('connected', { pending, answer: back.search.slice(1) })).toMatchObject({ status: 200 })
  expect(JSON.stringify(await opened.toolpact.call('mail.whoami', {}))).toContain('You are olga.')
  expect(fetched).toContain(document.client_id)
  expect(stage.issuer.requests.filter((request) => request.startsWith('POST /reg'))).toEqual([])
})

test('without an https address no client metadata are published', async () => {
  const { url } = await open()
  expect((await fetch(`${url}/.well-known/oauth-client.json`)).status).toBe(404)
})
