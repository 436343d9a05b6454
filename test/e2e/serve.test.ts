import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { listen } from '../helpers/local-servers.ts'
import { twoToolsets, until, useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()

const hello = { body: '{"name":"Ada"}' }
const path = '/v1/tools/learning.hello'

test.concurrent('a caller needs a token, which the command creates', async () => {
  const { start, run, folder, env } = openServeFolder()
  const { url, send, tools, workspace, console } = await start(twoToolsets)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(tools).toBeGreaterThanOrEqual(12)
  expect(workspace).toBe(folder)
  expect(console).toBe(`${url}/console`)
  const { stdout, code } = await run(['token'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^toolpact_[\w-]{43}\n$/)
  expect((await send(path, { ...hello, token: null })).status).toBe(401)
  expect((await send(path, { ...hello, token: stdout.trim() })).json).toEqual({ greeting: 'Hello, Ada!' })
  expect((await send('/openapi.json')).json.openapi).toMatch(/^3\.1/)
  expect((await send('/healthz')).json).toEqual({ status: 'ok' })
  const ledger = await run(['ledger', '--json'], { env })
  expect(JSON.parse(ledger.stdout.split('\n')[0]!)).toMatchObject({ tool: 'learning.hello', caller: { name: 'local' } })
})

test.concurrent('callers have names, and a running server notices what happens to their tokens', async () => {
  const { start, run } = openServeFolder()
  const { send } = await start(['--toolset', 'learning'])
  const ci = (await run(['token', 'ci'])).stdout.trim()
  const status = async (token: string) => (await send(path, { ...hello, token })).status
  await until(async () => (await status(ci)) === 200)
  const renewed = (await run(['token', 'rotate', 'ci'])).stdout.trim()
  expect(renewed).not.toBe(ci)
  await until(async () => (await status(ci)) === 401)
  expect(await status(renewed)).toBe(200)
  await run(['token', 'remove', 'ci'])
  await until(async () => (await status(renewed)) === 401)
  expect((await send(path, hello)).status).toBe(200)
  const ledger = (await run(['ledger', '--json'])).stdout.trim().split('\n')
  expect(new Set(ledger.map((line) => JSON.parse(line).caller.name))).toEqual(new Set(['ci', 'local']))
})

test.concurrent('a token with a scope sees and calls only what it permits, and the last use of tokens appears', async () => {
  const { start, run, folder } = openServeFolder()
  writeFileSync(
    join(folder, 'own.json'),
    JSON.stringify({
      toolsets: ['learning', 'workspace'],
      callers: { ci: { tools: ['learning.*', 'workspace.list_dir'] } },
    }),
  )
  const create = async (...options: string[]) => (await run(['token', 'create', ...options])).stdout.trim()
  const readOnly = await create('ci', '--read-only')
  const learning = await create('ci', '--toolsets', 'learning')
  const both = await create('local', '--toolsets', 'workspace', '--read-only')
  const { send, url } = await start(['--config', 'own.json'])
  const names = async (token: string) => (await send('/v1/tools', { token })).json.tools.map(({ name }: { name: string }) => name) // biome-ignore format: one line
  expect(await names(readOnly)).toEqual(['learning_hello', 'learning_read_repo_file', 'workspace_list_dir'])
  expect(await names(learning)).toEqual(['learning_hello', 'learning_read_repo_file', 'learning_write_memory_entry'])
  expect(await names(both)).not.toContain('workspace_create_file')
  expect(await names(both)).toContain('workspace_read_file')
  const call = async (tool: string, token: string) => (await send(`/v1/tools/${tool}`, { body: '{}', token })).json.code
  expect(await call('workspace.list_dir', learning)).toBe('tool_not_found')
  expect(await call('learning.write_memory_entry', readOnly)).toBe('tool_not_found')
  expect(await call('write_memory_entry', readOnly)).toBe('tool_not_found')
  expect(await call('workspace_create_file', both)).toBe('tool_not_found')
  expect(await call('learning.write_memory_entry', learning)).toBe('invalid_input')
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${readOnly}` } } }) // biome-ignore format: one line
  const client = new Client({ name: 'scoped', version: '1' })
  await client.connect(transport)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(await names(readOnly))
  await expect(client.callTool({ name: 'learning_write_memory_entry', arguments: {} })).rejects.toThrow('There is no tool') // biome-ignore format: one line
  await client.close()
  await until(async () => {
    const listed = JSON.parse((await run(['token', 'list', '--json'])).stdout)
    return listed.every(({ last_used_at }: { last_used_at: string | null }) => last_used_at !== null)
  })
})

test.concurrent('an expired token is refused with the reason, and a scoped token answers no question', async () => {
  const { start, run, folder } = openServeFolder()
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ toolsets: ['learning'], approvers: [{ who: ['bob'] }] }))
  const { token: bob } = JSON.parse((await run(['token', 'create', 'bob', '--read-only', '--json'])).stdout)
  const { stdout } = await run(['token', 'create', 'ci', '--expires', '1s'])
  const { send } = await start(['--config', 'own.json'])
  await until(async () => (await send(path, { ...hello, token: stdout.trim() })).status === 401)
  const refused = await send(path, { ...hello, token: stdout.trim() })
  expect(refused.json.detail).toMatch(/^The token expired at .* Run toolpact token rotate ci for a new one\.$/)
  expect(refused.headers['www-authenticate']).toContain('error="invalid_token"')
  const answer = await send('/v1/approvals/x', { body: '{"answer":"yes"}', token: bob })
  expect(answer).toMatchObject({ status: 403, json: { code: 'may_not_answer' } })
})

test.concurrent('a caller sees and calls only what the config gives it', async () => {
  const { start, run, folder } = openServeFolder()
  writeFileSync(
    join(folder, 'own.json'),
    JSON.stringify({ toolsets: ['learning', 'workspace'], callers: { ci: { tools: ['learning.*'] } } }),
  )
  const token = (await run(['token', 'ci'])).stdout.trim()
  const { send } = await start(['--config', 'own.json'])
  const names = async (caller: string | undefined) => (await send('/v1/tools', caller ? { token: caller } : {})).json.tools.map(({ name }: { name: string }) => name) // biome-ignore format: one line
  expect(await names(token)).toEqual(['learning_hello', 'learning_read_repo_file', 'learning_write_memory_entry'])
  expect((await names(undefined)).length).toBeGreaterThan(5)
  expect((await send('/v1/tools/workspace.list_dir', { body: '{}', token })).status).toBe(404)
})

test.concurrent('one toolset is served under bare names, and as an MCP server of its name', async () => {
  const { start } = openServeFolder()
  const { send } = await start(['--toolset', 'learning'])
  expect((await send('/v1/tools')).json.tools).toMatchObject([
    { name: 'hello' },
    { name: 'read_repo_file' },
    { name: 'write_memory_entry' },
  ])
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const { text } = await send('/mcp', { body, headers: { Accept: 'application/json, text/event-stream' } })
  expect(text).toContain('"name":"learning"')
})

test.concurrent('a port in use is reported in two lines that say what to do', async () => {
  const { start, run } = openServeFolder()
  const { port, send } = await start()
  const second = await run(['serve', '--port', `${port}`])
  expect(second.code).toBe(2)
  expect(second.stderr).toBe(
    `Error: Port ${port} of 127.0.0.1 is in use.\nStop the program that uses it, or use --port ${port + 1}. See toolpact serve --help.\n`,
  )
  expect((await send('/healthz')).status).toBe(200)
})

test.concurrent('of several that start at once on one port, one serves', async () => {
  const { run } = openServeFolder()
  const probe = createServer()
  const port = (await listen(probe)).split(':')[1]!
  await new Promise((resolve) => probe.close(resolve))
  const started: { stop: () => void }[] = []
  const ended = await Promise.all(
    Array.from({ length: 3 }, () =>
      run(['serve', '--port', port], {
        during(child) {
          child.stdout!.once('data', () => {
            started.push({ stop: () => child.kill('SIGTERM') })
            // Long enough for the others to try.
            setTimeout(() => child.kill('SIGTERM'), 5000)
          })
        },
      }),
    ),
  )
  expect(started).toHaveLength(1)
  expect(ended.map(({ code }) => code).sort()).toEqual([143, 2, 2])
})

test.concurrent.each<[string, string[], string]>([
  ['a name', ['learning'], "serve takes no name, but got 'learning'."],
  ['no port', ['--port', 'http'], "--port cannot be 'http'."],
  ['a port too high', ['--port', '65536'], "--port cannot be '65536'."],
  ['stdio with a port', ['--stdio', '--port', '1'], '--stdio and --port exclude each other'],
  ['no token for all', ['--no-token', '--host', '0.0.0.0'], '--no-token works only on an address that no other machine can reach.'], // biome-ignore format: one line
  ['a foreign address', ['--host', '192.0.2.1'], '192.0.2.1 is not an address of this machine.'],
  ['an unknown host', ['--host', 'nowhere.invalid'], "There is no address for the host 'nowhere.invalid'."],
  ['a missing workspace', ['--workspace', 'nowhere'], 'The workspace nowhere is not a folder.'],
  ['an unknown toolset', ['--toolset', 'nothing'], "There is no toolset 'nothing'."],
  ['a missing config', ['--config', 'nowhere.json'], 'The config nowhere.json cannot be read (ENOENT).'],
  ['a wrong wait', ['--wait', 'long'], "--wait cannot be 'long'."],
])('wrong usage is told in a line or two: %s', async (_what, args, words) => {
  const { run } = openServeFolder()
  const { code, stdout, stderr } = await run(['serve', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
})

test.concurrent('a broken config is reported in a line, and nothing is served', async () => {
  const { run, folder } = openServeFolder()
  for (const [text, words] of [
    ['{', 'is not valid'],
    ['{"http":{"ports":1}}', 'ports'],
    ['{"http":{"auth":{"jwks":"http://issuer.example","issuer":"x","audience":"y"}}}', 'Use https in http.auth.jwks'],
  ]) {
    writeFileSync(join(folder, 'broken.json'), text!)
    const { code, stderr } = await run(['serve', '--port', '0', '--config', 'broken.json'])
    expect(code).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  }
})

test.concurrent('--no-token admits every caller on this machine, warns, and still refuses foreign pages', async () => {
  const { start, folder } = openServeFolder()
  const { send, output } = await start(['--no-token', '--toolset', 'learning'])
  expect(output.stderr).toContain('Warning: --no-token')
  expect((await send(path, { ...hello, token: null })).status).toBe(200)
  expect((await send('/console/api/session', { token: null })).status).toBe(401)
  expect((await send(path, { ...hello, token: null, headers: { Origin: 'https://attacker.example' } })).status).toBe(
    403,
  )
  expect((await send('/healthz', { token: null, headers: { Host: 'attacker.example' } })).status).toBe(403)
  expect(existsSync(join(folder, 'state/tokens.json'))).toBe(false)
})

test.concurrent('an address that other machines reach is warned about', async () => {
  const { start } = openServeFolder()
  const { output, url } = await start(['--host', '0.0.0.0'])
  expect(output.stderr).toMatch(/^Warning: 0\.0\.0\.0 can be reached from other machines/)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
})

test.concurrent('what is printed without a terminal says where everything is, and holds neither a token nor a link', async () => {
  const { run } = openServeFolder()
  const { stdout } = await run(['serve', '--port', '0'], {
    during: (child) => child.stdout!.once('data', () => setTimeout(() => child.kill('SIGINT'), 200)),
  })
  expect(stdout).toMatch(/MCP +http:\/\/127\.0\.0\.1:\d+\/mcp\n/)
  expect(stdout).toMatch(/REST +http:\/\/127\.0\.0\.1:\d+\/v1\/tools\n/)
  expect(stdout).toMatch(/Console +(?:npx )?toolpact open --port \d+\n/)
  expect(stdout).not.toContain('once=')
  expect(stdout).toMatch(/Client +(?:npx )?toolpact connect CLIENT --http --port \d+\n/)
  expect(stdout).toMatch(/Callers need a token: (?:npx )?toolpact token create NAME\.\n/)
  expect(stdout).not.toContain('toolpact_')
})

test.concurrent('a call that needs approval returns the command that approves it, and runs when repeated', async () => {
  const { start, run, folder } = openServeFolder()
  mkdirSync(join(folder, 'project'))
  const { send, untilTold, output } = await start(['--workspace', 'project'])
  const call = { body: JSON.stringify({ path: 'a.txt', content: 'hello' }) }
  const asked = await send('/v1/tools/workspace.create_file', call)
  expect(asked.json).toMatchObject({ status: 403, code: 'approval_required' })
  await untilTold('toolpact approvals approve')
  expect(output.stderr).toBe(`Waiting: workspace.create_file (a.txt) by local needs approval. Run toolpact approvals approve ${asked.json.approval_id.slice(0, 8)}, or show, or deny.\n`) // biome-ignore format: one line
  expect((await run(['approvals', 'approve', asked.json.approval_id.slice(0, 8)])).code).toBe(0)
  const headers = { 'Toolpact-Approval-Id': asked.json.approval_id }
  expect((await send('/v1/tools/workspace.create_file', { ...call, headers })).status).toBe(200)
  expect(existsSync(join(folder, 'project/a.txt'))).toBe(true)
})

test.concurrent('--yes approves what asks, warns about it, and the ledger says so; --read-only denies it all the same', async () => {
  const { start, run, folder } = openServeFolder()
  const free = await start(['--yes'])
  expect(free.output.stderr).toContain('Warning: --yes approves every call')
  const call = { body: JSON.stringify({ path: 'a.txt', content: 'hello' }) }
  expect((await free.send('/v1/tools/workspace.create_file', call)).status).toBe(200)
  expect(existsSync(join(folder, 'a.txt'))).toBe(true)
  const [record] = (await run(['ledger', '--json'])).stdout.split('\n')
  expect(JSON.parse(record!)).toMatchObject({ approval: { answer: 'yes', via: '--yes' } })
  const strict = await start(['--yes', '--read-only'])
  const refused = await strict.send('/v1/tools/workspace.create_file', { body: JSON.stringify({ path: 'b.txt', content: '' }) }) // biome-ignore format: one line
  expect(refused.json.code).toBe('denied')
})

test.concurrent('on stdio it answers messages, and ends when its input does', async () => {
  const { run } = openServeFolder()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'hello', arguments: { name: 'Ada' } } },
  ]
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const { code, stdout, stderr } = await run(['serve', '--stdio', '--toolset', 'learning'], { input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(answers[1].result.structuredContent).toEqual({ greeting: 'Hello, Ada!' })
})
