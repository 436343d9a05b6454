import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()
const path = '/v1/tools/practitioner_hello'
const info = { name: 'a test', version: '1' }

async function start(http: object, args: readonly string[] = []) {
  const folder = openFolder()
  const toolsets = ['practitioner', 'learning', 'workspace']
  writeFileSync(join(folder.folder, 'own.json'), JSON.stringify({ toolsets, http }))
  const server = await folder.start(['--config', 'own.json', ...args])
  return { ...folder, ...server, ask: (path: string, more: object = {}) => server.send(path, { token: null, ...more }) }
}

describe('with http.public', () => {
  test('a tool whose contract declares public access needs no token, and its caller is public', async () => {
    const { ask, run, output } = await start({ public: true })
    expect(output.stderr).toContain('Public: practitioner_hello can be called without a token.')
    const { status, json } = await ask(path, { body: '{"name":"Learner"}' })
    expect({ status, json }).toMatchObject({ status: 200, json: { message: 'Hello, Learner!' } })
    const named = { tool: 'hello', parameters: { name: 'Learner' } }
    expect((await ask('/v1/call', { body: JSON.stringify(named) })).json).toMatchObject({ message: 'Hello, Learner!' })
    const [entry] = (await run(['ledger', '--json'])).stdout.split('\n')
    expect(JSON.parse(entry!)).toMatchObject({ tool: 'practitioner.hello', caller: { name: 'public' } })
  })

  test('nothing else is visible or callable without a token', async () => {
    const { ask } = await start({ public: true })
    const names = (json: { tools: { name: string }[] }) => json.tools.map(({ name }) => name)
    expect(names((await ask('/v1/tools')).json)).toEqual(['practitioner_hello'])
    expect(names((await ask('/v1/tools?q=file')).json)).not.toContain('workspace_read_file')
    const document = (await ask('/openapi.json')).json
    const runs = ['', '/{id}', '/{id}/cancel', '/{id}/retry', '/{id}/resume'].map((rest) => `/v1/runs${rest}`)
    const general = ['/v1/tools', '/v1/tools/{name}', '/v1/call', '/v1/approvals/{id}', ...runs, '/v1/checkpoints']
    expect(Object.keys(document.paths)).toEqual([...general, path])
    expect(document.paths[path].post.security).toEqual([{}, { bearer: [] }])
    for (const closed of ['/v1/approvals/{id}', '/v1/runs', '/v1/runs/{id}'])
      expect(document.paths[closed].get.security ?? document.security).toEqual([{ bearer: [] }])
    for (const tool of [
      'learning_hello',
      'workspace.read_file',
      'read_file',
      'practitioner_hell',
      'catalogue.search_tools',
    ]) {
      const called = await ask(`/v1/tools/${tool}`, { body: '{}' })
      expect(called, tool).toMatchObject({ status: 404, json: { code: 'tool_not_found' } })
      expect(called.text).not.toContain('Did you mean')
      expect((await ask(`/v1/tools/${tool}`)).status, tool).toBe(404)
    }
    for (const other of ['/console/api/session', '/v1/approvals/3f2a91c4', '/nothing'])
      expect((await ask(other)).status, other).toBe(401)
    expect((await ask('/link', { method: 'POST' })).status).toBe(401)
  })

  test('wrong credentials, foreign pages and large bodies are refused as ever', async () => {
    const { ask, port } = await start({ public: true })
    expect((await ask(path, { body: '{}', token: 'wrong' })).status).toBe(401)
    expect((await ask(path, { body: '{}', headers: { Authorization: 'Basic YTpi' } })).status).toBe(401)
    expect((await ask(path, { body: '{}', headers: { Host: `attacker.example:${port}` } })).status).toBe(403)
    expect((await ask(path, { body: '{}', headers: { Origin: 'https://attacker.example' } })).status).toBe(403)
    expect((await ask(path, { body: `{"name":"${'x'.repeat(140_000)}"}` })).status).toBe(413)
  })

  test('all requests without a token share the limit of the contract, and callers with one keep theirs', async () => {
    const { ask, send } = await start({ public: true })
    const askAtOnce = (count: number) => Promise.all(Array.from({ length: count }, () => ask(path, { body: '{}' })))
    const statuses = (await askAtOnce(101)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(100).fill(200), 429])
    expect(await ask(path, { body: '{}' })).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    expect((await send(path, { body: '{}' })).status).toBe(200)
    // The server allows 200 of these requests per 10 s. In a burst of 401 one window gets 201, even if they span two.
    let codes: string[] = []
    for (let burst = 0; burst < 20 && !codes.includes('too_many_attempts'); burst++)
      codes = (await askAtOnce(401)).map(({ json }) => json.code)
    expect(codes).toContain('too_many_attempts')
    expect((await send(path, { body: '{}' })).status).toBe(200)
  })

  test.each([
    ['all', []],
    ['search', ['--catalogue', 'search']],
  ])('MCP clients without a token list and call the public tool alone (catalogue: %s)', async (_, args) => {
    const { url } = await start({ public: true }, args)
    const client = new Client(info)
    onTestFinished(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never)
    const modern = new ModernClient(info, { versionNegotiation: { mode: 'auto' } })
    onTestFinished(() => modern.close())
    await modern.connect(new ModernHttp(new URL(`${url}/mcp`)))
    const params = { name: 'practitioner_hello', arguments: { name: 'Learner' } }
    for (const each of [client, modern]) {
      expect((await each.listTools()).tools.map(({ name }) => name)).toEqual(['practitioner_hello'])
      expect((await each.callTool(params)).structuredContent).toMatchObject({ message: 'Hello, Learner!' })
      await expect(each.callTool({ name: 'learning_hello', arguments: { name: 'A' } })).rejects.toThrow(
        'learning_hello',
      )
    }
  })
})

test('without http.public a token is needed, and nothing that is served says otherwise', async () => {
  const { ask, send } = await start({})
  expect((await ask(path, { body: '{}' })).status).toBe(401)
  const contract = (await send(path)).json
  expect(contract.summary.access).toBe('Callers with a token')
  expect(JSON.stringify(contract)).not.toMatch(/Public|No authentication/)
  const document = (await send('/openapi.json')).json
  expect(document.security).toEqual([{ bearer: [] }])
  expect(document.paths[path].post).not.toHaveProperty('security')
})

test('with http.public the contract says that no authentication is required', async () => {
  const { ask } = await start({ public: true })
  expect((await ask(path)).json).toMatchObject({
    summary: { access: 'Public' },
    constraints: expect.arrayContaining(['No authentication required']),
  })
})
