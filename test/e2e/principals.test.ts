import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthorizationServer, startAuthorizationServer } from '../helpers/authorization-server.ts'
import { useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()
const audience = 'https://tools.example/mcp'
const redirect = 'http://127.0.0.1:1/callback'

/** The people of the issuer, and their groups. */
const groups: { readonly [person: string]: readonly string[] } = { ada: ['ops'], amy: ['ops', 'staff'], bob: ['dev'] }

let issuer: AuthorizationServer
let client: string

beforeAll(async () => {
  issuer = await startAuthorizationServer({
    resources: [audience],
    scopes: ['tools:danger'],
    configuration: {
      extraTokenClaims: (_context, token) => ({ groups: groups[(token as { accountId?: string }).accountId ?? ''] }),
    },
  })
  const registered = await fetch(`${issuer.issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirect], application_type: 'native', token_endpoint_auth_method: 'none' }),
  })
  client = ((await registered.json()) as { client_id: string }).client_id
})

afterAll(() => issuer.close())

/** Logs in at the issuer as a person would, and gets an access token for this server. */
async function logIn(person: string, scope = 'openid'): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const question = new URLSearchParams({
    ...{ client_id: client, redirect_uri: redirect, response_type: 'code', scope, resource: audience },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = await issuer.logIn(`${issuer.issuer}/auth?${question}`, person)
  const answer = await fetch(`${issuer.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: client, redirect_uri: redirect, resource: audience },
      ...{ code: back.searchParams.get('code')!, code_verifier: verifier },
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return token
}

/** Serves two toolsets to two groups; only the first may answer questions, and dangerous calls need a scope. */
async function open() {
  const folder = openServeFolder()
  const config = {
    toolsets: ['learning', 'workspace'],
    http: { auth: { issuer: issuer.issuer, audience, scopes: { dangerous: 'tools:danger' } } },
    callers: {
      'group:ops': { tools: ['learning.*', 'workspace.*'] },
      'group:dev': { tools: ['learning.hello', 'workspace.create_file'] },
    },
    approvers: [{ who: ['group:ops'] }],
    approval: { waitMs: 0 },
  }
  const path = join(folder.folder, 'principals.json')
  writeFileSync(path, JSON.stringify(config))
  const server = await folder.start(['--config', path])
  const call = (token: string, tool: string, input: object, headers = {}) =>
    server.send(`/v1/tools/${tool}`, { method: 'POST', token, body: JSON.stringify(input), headers: { 'Content-Type': 'application/json', ...headers } }) // biome-ignore format: one line
  return { ...folder, ...server, path, call }
}

async function connect(url: string, token: string) {
  const mcp = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as never)
  return mcp
}

test('two groups of a real issuer have different tools, over REST and MCP, and no group none', async () => {
  const { send, call, url } = await open()
  const [ada, bob, eve] = await Promise.all(['ada', 'bob', 'eve'].map((person) => logIn(person)))
  const list = async (token: string) =>
    (await send('/v1/tools', { token })).json.tools.map(({ name }: { name: string }) => name).sort()
  expect(await list(bob!)).toEqual(['learning_hello', 'workspace_create_file'])
  expect(await list(ada!)).toContain('workspace_read_file')
  expect(await list(eve!)).toEqual([])
  expect(await call(bob!, 'learning_hello', { name: 'Bob' })).toMatchObject({ status: 200 })
  expect(await call(bob!, 'workspace_read_file', { path: 'a' })).toMatchObject({ status: 404 })
  expect(await call(eve!, 'learning_hello', { name: 'Eve' })).toMatchObject({ status: 404 })

  const clients = await Promise.all([ada!, bob!].map((token) => connect(url, token)))
  const [ofAda, ofBob] = await Promise.all(clients.map(async (mcp) => (await mcp.listTools()).tools.map(({ name }) => name))) // biome-ignore format: one line
  expect(ofBob!.sort()).toEqual(['learning_hello', 'workspace_create_file'])
  expect(ofAda).toContain('workspace_read_file')
  expect(await clients[1]!.callTool({ name: 'learning_hello', arguments: { name: 'Bob' } })).not.toMatchObject({ isError: true }) // biome-ignore format: one line
  await expect(clients[1]!.callTool({ name: 'workspace_read_file', arguments: { path: 'a' } })).rejects.toThrow()
  for (const mcp of clients) await mcp.close()
})

test('a question is answered by members of the group of approvers, never by others or the caller, and for the caller alone', async () => {
  const { send, call, run, path } = await open()
  const [ada, amy, bob, eve] = await Promise.all(['ada', 'amy', 'bob', 'eve'].map((person) => logIn(person)))
  const answer = (token: string, id: string) =>
    send(`/v1/approvals/${id}`, { method: 'POST', token, body: '{"answer":"yes"}', headers: { 'Content-Type': 'application/json' } }) // biome-ignore format: one line
  const file = { path: 'a.txt', content: 'a' }
  const asked = await call(bob!, 'workspace_create_file', file)
  expect(asked.json).toMatchObject({ code: 'approval_required' })
  const id = asked.json.approval_id
  for (const token of [bob!, eve!]) expect([403, 404]).toContain((await answer(token, id)).status)
  expect(await answer(ada!, id)).toMatchObject({ status: 200, json: { result: 'approved' } })
  const withId = { 'Toolpact-Approval-Id': id }
  // The approval is Bob's. Somebody else who knows its id is asked about.
  expect((await call(ada!, 'workspace_create_file', file, withId)).status).toBe(403)
  expect(await call(bob!, 'workspace_create_file', file, withId)).toMatchObject({ status: 200 })

  const own = (await call(ada!, 'workspace_create_file', { path: 'b.txt', content: 'b' })).json.approval_id
  expect(await answer(ada!, own)).toMatchObject({ status: 403, json: { code: 'may_not_answer' } })
  expect(await answer(amy!, own)).toMatchObject({ status: 200, json: { result: 'approved' } })

  const { stdout } = await run(['ledger', '--json', '--config', path])
  const calls = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const created = calls.filter(({ tool, state }) => tool === 'workspace.create_file' && state === 'succeeded')
  expect(created).toMatchObject([
    {
      caller: { name: 'bob', via: 'jwt', issuer: issuer.issuer, groups: ['dev'] },
      approval: { answer: 'yes', by: 'ada', via: 'rest' },
    },
  ])
  const shown = (await run(['ledger', 'show', created[0].callId, '--config', path])).stdout
  expect(shown).toContain(`a token of ${issuer.issuer}`)
  expect(shown).toMatch(/Groups\s+dev/)
})

test('a dangerous call needs a token with its scope, which the answer names over REST and MCP', async () => {
  const { send, call, url } = await open()
  const [plain, stepped] = [await logIn('ada'), await logIn('ada', 'openid tools:danger')]
  const input = { command: 'true', explanation: 'Nothing.', goal: 'None', mode: 'sync', timeout: 1000 }
  const refused = await call(plain, 'workspace_run_in_terminal', { command: 'true' })
  expect(refused).toMatchObject({ status: 403, json: { code: 'scope_required', scope: 'tools:danger' } })
  const challenge = [
    'Bearer realm="toolpact"',
    'error="insufficient_scope"',
    'error_description="The token lacks the scope tools:danger."',
    'scope="tools:danger"',
    `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
  ].join(', ')
  expect(refused.headers['www-authenticate']).toBe(challenge)
  expect((await call(stepped, 'workspace_run_in_terminal', input)).json.code).not.toBe('scope_required')
  expect((await call(plain, 'learning_hello', { name: 'Ada' })).status).toBe(200)

  const post = (token: string, message: object, headers = {}) =>
    send('/mcp', { method: 'POST', token, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }), headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers } }) // biome-ignore format: one line
  const begun = await post(plain, { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }) // biome-ignore format: one line
  const session = { 'Mcp-Session-Id': String(begun.headers['mcp-session-id']) }
  const danger = { method: 'tools/call', params: { name: 'workspace_run_in_terminal', arguments: { command: 'true' } } }
  const over = await post(plain, danger, session)
  expect([over.status, over.headers['www-authenticate']]).toEqual([403, challenge])
  expect(over.json.result).toMatchObject({ isError: true })
  // The same session goes on with the token that the client got for the scope.
  expect((await post(stepped, danger, session)).status).toBe(200)
  const bob = await logIn('bob')
  expect((await post(bob, danger, session)).status).toBe(404)

  const described = (await send('/.well-known/oauth-protected-resource/mcp', { token: null })).json
  expect(described).toMatchObject({ authorization_servers: [issuer.issuer], scopes_supported: ['tools:danger'] })
  expect((await send('/v1/tools', { token: null })).headers['www-authenticate']).toContain('resource_metadata=')
})
