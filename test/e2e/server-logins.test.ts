import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openToolpact, type Toolpact } from '../../src/app/app.ts'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from '../helpers/authorization-server.ts'
import { type ProtectedServer, startProtectedServer } from '../helpers/protected-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Stage {
  readonly issuer: AuthorizationServer
  readonly mail: ProtectedServer
  readonly state: string
  open(more?: object): Promise<Toolpact>
}

async function setUp(options: AuthorizationServerOptions = {}): Promise<Stage> {
  const issuer = await startAuthorizationServer(options)
  const mail = await startProtectedServer({ issuer: () => issuer.issuer })
  const state = mkdtempSync(join(tmpdir(), 'toolpact-logins-'))
  closing.push(() => rmSync(state, { recursive: true, force: true }), issuer.close, mail.close)
  return {
    issuer,
    mail,
    state,
    async open(more = {}) {
      const server = { url: mail.url, authorization: {}, withoutOutputSchema: 'opaque', approval: 'reads', ...more }
      const toolpact = await openToolpact({ config: { mcpServers: { mail: server } } as never, toolsets: ['mail'], stateDirectory: state, workspace: state }) // biome-ignore format: one line
      closing.push(() => toolpact.close())
      return toolpact
    },
  }
}

const redirectUri = 'http://127.0.0.1:7421/callback'

async function logIn(toolpact: Toolpact, { issuer }: Stage, person: string, owner?: string) {
  const login = await toolpact.connections!.begin('mail', { redirectUri, owner })
  return login.finish((await issuer.logIn(login.url, person)).searchParams)
}

async function whoami(toolpact: Toolpact, caller?: string) {
  const result = await toolpact.call('mail.whoami', {}, caller === undefined ? {} : { caller: { name: caller } })
  return result.success ? JSON.stringify(result.output) : `${result.error.code}: ${result.error.message}`
}

test('each caller uses their own connection, and one without is asked to connect', async () => {
  const stage = await setUp()
  const toolpact = await stage.open()
  await logIn(toolpact, stage, 'olga')
  await logIn(toolpact, stage, 'ada', 'ada@example')
  await logIn(toolpact, stage, 'grace', 'grace@example')
  expect(await whoami(toolpact)).toContain('You are olga.')
  expect(await whoami(toolpact, 'ada@example')).toContain('You are ada.')
  expect(await whoami(toolpact, 'grace@example')).toContain('You are grace.')
  expect(await whoami(toolpact, 'eve@example')).toMatch(
    /^credential_required: eve@example is not connected to mail.* toolpact connections add mail --owner eve@example/,
  )
  expect((await toolpact.connections!.list()).map(({ owner, server, issuer }) => [owner, server, issuer])).toEqual(
    ['ada@example', 'grace@example', 'local'].map((owner) => [owner, 'mail', stage.issuer.issuer]),
  )
})

test('tokens are not stored in plain text, and survive a restart', async () => {
  const stage = await setUp()
  const first = await stage.open()
  await logIn(first, stage, 'olga')
  expect(await whoami(first)).toContain('You are olga.')
  await first.close()
  const bytes = ['toolpact.db', 'toolpact.db-wal'].map((name) => readIfAny(join(stage.state, name))).join('')
  for (const token of stage.mail.seen) expect(bytes).not.toContain(token)
  expect(await whoami(await stage.open())).toContain('You are olga.')
})

test('a token is renewed before it expires, and once if the server rejects it', async () => {
  const stage = await setUp({ accessTokenSeconds: 2 })
  const toolpact = await stage.open()
  await logIn(toolpact, stage, 'olga')
  expect(await whoami(toolpact)).toContain('You are olga.')
  const [first] = stage.mail.seen
  stage.mail.reject(first!)
  expect(await whoami(toolpact)).toContain('You are olga.')
  expect(stage.mail.seen.at(-1)).not.toBe(first)
  expect(stage.issuer.count('refresh_token')).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 2100))
  expect(await whoami(toolpact)).toContain('You are olga.')
  expect(stage.issuer.count('refresh_token')).toBe(2)
})

test('a connection that the issuer has ended says to connect again, and works after that', async () => {
  const stage = await setUp({ accessTokenSeconds: 1 })
  const toolpact = await stage.open()
  await logIn(toolpact, stage, 'olga')
  expect(await toolpact.connections!.remove('mail')).toEqual({ removed: true, revoked: true })
  expect(await whoami(toolpact)).toMatch(
    /^toolset_unavailable: .*local is not connected to mail, which requires a login\. Connect: toolpact connections add mail/,
  )
  await logIn(toolpact, stage, 'olga')
  expect(await whoami(toolpact)).toContain('You are olga.')
})

test('in service mode Toolpact logs in itself, for all callers', async () => {
  const service = { client_id: 'toolpact-service', client_secret: 'a secret of the service', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] } // biome-ignore format: one line
  const stage = await setUp({ configuration: { clients: [service as never] } })
  const authorization = { mode: 'service', clientId: service.client_id, clientSecret: service.client_secret, scopes: ['read'] } // biome-ignore format: one line
  const toolpact = await stage.open({ authorization })
  expect(await whoami(toolpact)).toContain('You are toolpact-service.')
  expect(await whoami(toolpact, 'ada@example')).toContain('You are toolpact-service.')
  stage.mail.reject(stage.mail.seen[0]!)
  expect(await whoami(toolpact)).toContain('You are toolpact-service.')
  expect(stage.issuer.count('client_credentials')).toBe(2)
})

function readIfAny(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
