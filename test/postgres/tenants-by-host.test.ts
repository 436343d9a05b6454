import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../helpers/open-console.ts'
import { until } from '../helpers/open-serve.ts'
import { hasPostgres } from '../helpers/postgres-cluster.ts'
import { usePostgresTenants } from './open-tenants.ts'

const { openTenantFolder, cluster } = await usePostgresTenants()

const acme = 'acme.example'
const globex = 'globex.example'
const config = {
  toolsets: ['workspace', 'learning'],
  telemetry: { metrics: {} },
  tenants: { by: 'host', names: { acme: { url: `https://${acme}` }, globex: { url: `https://${globex}` } } },
} as const
const hello = { body: '{"name":"Ada"}' }
const helloPath = '/v1/tools/learning.hello'
const createPath = '/v1/tools/workspace.create_file'
const toLines = (text: string) => text.trim().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line

/** A server with two tenants, and a request to each by its host with the token of its caller `local`. */
async function openTwo(own = {}, args: readonly string[] = []) {
  const opened = openTenantFolder(config, own)
  const server = await opened.start(args)
  const tokens = { acme: await opened.token('acme'), globex: await opened.token('globex') }
  const at = (name: 'acme' | 'globex', path: string, more: Parameters<typeof server.sendTo>[2] = {}) =>
    server.sendTo(`${name}.example`, path, { token: tokens[name], ...more })
  return { ...opened, ...server, tokens, at }
}

const both = ['acme', 'globex'] as const

/** An MCP server with one tool, which tells where it runs. */
const whereServer = `
import { createInterface } from 'node:readline'
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'where', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'where', description: 'Tells where this server runs.', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: process.cwd() + ' pid ' + process.pid }] }),
}
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const result = answers[method]?.(params)
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }))
}
`

describe.skipIf(!hasPostgres)('two tenants of one server, by host', () => {
  test('have tools, tokens, keys, ledgers and files of their own', async () => {
    const { at, run, tokens, folder, sql, output } = await openTwo({ globex: { toolsets: ['workspace'] } })
    const list = async (name: 'acme' | 'globex') => (await at(name, '/v1/tools')).text
    expect(await list('acme')).toContain('learning.hello')
    expect(await list('globex')).not.toContain('learning')
    expect((await at('globex', helloPath, hello)).status).toBe(404)
    expect((await at('acme', helloPath, hello)).json).toEqual({ greeting: 'Hello, Ada!' })
    // The same caller, tool and key in both: each runs.
    const rule = ['rules', 'add', 'workspace.create_file', 'path: notes/**/*.txt', '--scope', 'everywhere']
    for (const name of both) expect((await run(rule, name)).code).toBe(0)
    const create = (name: 'acme' | 'globex', content: string) => at(name, createPath, { body: JSON.stringify({ path: 'notes/a.txt', content }), headers: { 'Idempotency-Key': 'one' } }) // biome-ignore format: one line
    // A rule of another process applies within a second.
    for (const name of both)
      await expect.poll(async () => (await create(name, name)).status, { timeout: 10_000 }).toBe(200)
    expect((await create('acme', 'other')).status).toBe(422)
    for (const name of both)
      expect(readFileSync(join(folder, 'tenants', name, 'workspace/notes/a.txt'), 'utf8')).toBe(name)
    const ledgers = await Promise.all(both.map(async (name) => toLines((await run(['ledger', '--json'], name)).stdout)))
    const ids = ledgers.map((calls) => calls.map(({ callId }) => callId))
    for (const own of ids) expect(own.length).toBeGreaterThanOrEqual(2)
    expect(new Set(ids.flat()).size).toBe(ids.flat().length)
    const found = ledgers[0]!.find(({ tool }) => tool === 'learning.hello')
    const foreign = await run(['ledger', found.callId], 'globex')
    expect(foreign.code).not.toBe(0)
    expect(foreign.stdout).not.toContain('learning')
    // The second wall: as the user of the servers, each sees only its own rows.
    const count =
      "SELECT count(*) > 0, count(*) FILTER (WHERE tenant <> current_setting('toolpact.tenant')) FROM ledger"
    for (const name of both) expect(sql(name, count)).toBe('t|0')
    expect(sql('nobody', count)).toBe('f|0')
    // Asked before the rules applied.
    expect(output.stderr.replaceAll(/^\w+: Waiting: workspace\.create_file .*\n/gm, '')).toBe('')
    expect(tokens.acme).not.toBe(tokens.globex)
  })

  test('refuse the credentials of the other, of strangers and of unknown hosts alike', async () => {
    const { at, sendTo, tokens, url } = await openTwo()
    const refused = await Promise.all([
      at('acme', helloPath, { ...hello, token: tokens.globex }),
      at('globex', helloPath, { ...hello, token: tokens.acme }),
      at('acme', helloPath, { ...hello, token: `toolpact_${'x'.repeat(43)}` }),
      at('acme', '/no/such/path', { token: tokens.globex }),
      // The address of the server itself has no tenant.
      sendTo(new URL(url).host, helloPath, { ...hello, token: tokens.acme }),
    ])
    for (const { status, text } of refused) expect([status, text]).toEqual([401, refused[0]!.text])
    const unknown = await Promise.all(
      ['unknown.example', 'acme', 'acme.example.', 'x.acme.example', 'acme.example@globex.example'].map((host) =>
        sendTo(host, helloPath, { ...hello, token: tokens.acme }),
      ),
    )
    for (const { status, text } of unknown) expect([status, text]).toEqual([unknown[0]!.status, unknown[0]!.text])
    expect(unknown[0]!.status).not.toBe(200)
    expect(`${refused[0]!.text}${unknown[0]!.text}`).not.toMatch(/acme|globex/)
    // A host is the same in any case, and at any port.
    for (const host of ['ACME.example', 'acme.example:8443'])
      expect((await sendTo(host, helloPath, { ...hello, token: tokens.acme })).status).toBe(200)
  })

  test('ask and answer apart: questions, consoles and their sessions', async () => {
    const { at, run, port, sendTo } = await openTwo({}, ['--ask-in', 'queue', '--wait', '0'])
    const asked = await at('acme', createPath, { body: '{"path":"a.txt","content":"x"}' })
    expect(asked.status).toBe(403)
    const [question] = JSON.parse((await run(['approvals', '--json'], 'acme')).stdout)
    expect(question.tool).toBe('workspace.create_file')
    expect((await run(['approvals', '--json'], 'globex')).stdout.trim()).toBe('[]')
    const foreign = await run(['approvals', 'approve', question.id], 'globex')
    expect(foreign.code).not.toBe(0)
    expect(foreign.stderr).not.toContain('create_file')

    const links = await Promise.all(both.map(async (name) => (await run(['open', '--print', '--port', `${port}`], name)).stdout.trim())) // biome-ignore format: one line
    expect(links[0]).toMatch(/^https:\/\/acme\.example\/console\?once=[\w-]{43}$/)
    const redeem = (host: string, link: string) => sendTo(host, link.slice(link.indexOf('/console')))
    expect((await redeem(globex, links[0]!)).status).toBe(401)
    const cookies = await Promise.all([redeem(acme, links[0]!), redeem(globex, links[1]!)].map(async (answer) => (await answer).headers['set-cookie']![0]!.split(';')[0]!)) // biome-ignore format: one line
    const browse = (host: string, cookie: string, path: string) => sendTo(host, `/console/api/${path}`, { headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' } }) // biome-ignore format: one line
    expect((await browse(acme, cookies[0]!, 'questions')).text).toContain(question.id)
    expect((await browse(globex, cookies[1]!, 'questions')).text).not.toContain(question.id)
    for (const path of ['questions', 'calls', 'overview', `questions/${question.id}`]) {
      expect((await browse(globex, cookies[0]!, path)).status).toBe(401)
      expect((await browse(globex, cookies[1]!, path)).text).not.toContain('create_file')
    }
    const answered = await run(['approvals', 'approve', question.id, '--yes'], 'acme')
    expect(answered).toMatchObject({ code: 0 })
    expect((await at('acme', createPath, { body: '{"path":"a.txt","content":"x"}' })).status).toBe(200)
  })

  test('have limits of their own', async () => {
    const limits = { 'learning.hello': { calls: { count: 2, windowMs: 600_000 } } }
    const { at } = await openTwo({ acme: { limits } })
    const statuses: { [name: string]: number[] } = { acme: [], globex: [] }
    for (let count = 0; count < 4; count++)
      for (const name of both) statuses[name]!.push((await at(name, helloPath, hello)).status)
    expect(statuses).toEqual({ acme: [200, 200, 429, 429], globex: [200, 200, 200, 200] })
  })

  test('have chains and keys of their own, which verify apart', async () => {
    const { at, run, exited, kill, sql } = await openTwo()
    for (const name of both) expect((await at(name, helloPath, hello)).status).toBe(200)
    kill('SIGTERM')
    expect(await exited).toBe(143)
    const verified = await Promise.all(both.map((name) => run(['verify', '--json'], name)))
    for (const { code } of verified) expect(code).toBe(0)
    const origins = both.map((name) =>
      sql(name, 'SELECT DISTINCT split_part(note, chr(10), 1) FROM ledger_checkpoints'),
    )
    expect(origins[0]).toMatch(/^toolpact\/ledger\/[0-9a-f]{32}$/)
    expect(origins[1]).toMatch(/^toolpact\/ledger\/[0-9a-f]{32}$/)
    expect(origins[0]).not.toBe(origins[1])
    // Someone who can write the rows of one leaves the other intact.
    sql('globex', "UPDATE ledger SET text = replace(text, 'Ada', 'Eve')")
    expect((await run(['verify'], 'globex')).code).not.toBe(0)
    expect((await run(['verify'], 'acme')).code).toBe(0)
  })

  test('are counted in the metrics of the server, which none of their callers can read', async () => {
    const { at, sendTo, token, tokens, url, run } = await openTwo()
    await Promise.all([run(['token', 'metrics'], 'acme'), at('acme', helloPath, hello), at('globex', helloPath, hello)])
    const server = new URL(url).host
    const scraped = await sendTo(server, '/metrics', { token: await token('default', 'metrics') })
    expect(scraped.status).toBe(200)
    for (const name of both) expect(scraped.text).toMatch(new RegExp(`^toolpact_calls_total\\{tenant="${name}",.*learning.hello.* 1$`, 'm')) // biome-ignore format: one line
    expect(scraped.text.match(/^# TYPE toolpact_calls_total /gm)).toHaveLength(1)
    for (const wrong of [tokens.acme, await token('acme', 'metrics'), null]) {
      expect((await sendTo(server, '/metrics', { token: wrong })).status).toBe(401)
      expect((await sendTo(acme, '/metrics', { token: wrong })).text).not.toContain('tenant=')
    }
    expect((await sendTo(acme, '/readyz')).json).toEqual({ status: 'ready' })
  })

  test('two servers share each tenant, and a question asked at one is answered at the other', async () => {
    const { at, start, tokens, run, folder } = await openTwo({}, ['--wait', '0'])
    const other = await start(['--wait', '0'])
    const create = () => at('acme', createPath, { body: '{"path":"b.txt","content":"x"}' })
    expect((await create()).status).toBe(403)
    const link = (await run(['open', '--print', '--port', `${other.port}`], 'acme')).stdout.trim()
    const signed = await other.sendTo(acme, link.slice(link.indexOf('/console')))
    const cookie = signed.headers['set-cookie']![0]!.split(';')[0]!
    const [{ id }] = JSON.parse((await run(['approvals', '--json'], 'acme')).stdout)
    const headers = { Host: acme, Cookie: cookie }
    expect((await openBrowser(other.url, cookie).post('questions/answer', { ids: [id], answer: 'yes' }, { headers })).status).toBeLessThan(300) // biome-ignore format: one line
    expect((await create()).status).toBe(200)
    expect(existsSync(join(folder, 'tenants/acme/workspace/b.txt'))).toBe(true)
    expect((await other.sendTo(globex, helloPath, { ...hello, token: tokens.globex })).status).toBe(200)
  })

  test('are opened by their own callers alone', async () => {
    const { at, sendTo, tokens, folder } = await openTwo()
    const session = { Cookie: `toolpact-7420=${'x'.repeat(43)}` }
    for (const path of ['/', '/console', '/v1/tools', '/mcp', '/healthz', '/readyz', '/console/api/calls', '/openapi.json']) // biome-ignore format: one line
      for (const token of [null, tokens.globex, 'wrong']) await sendTo(acme, path, { token, headers: session })
    expect(existsSync(join(folder, 'tenants/acme'))).toBe(false)
    expect((await at('acme', helloPath, hello)).status).toBe(200)
    expect(existsSync(join(folder, 'tenants/acme/workspace'))).toBe(true)
    expect(existsSync(join(folder, 'tenants/globex'))).toBe(false)
  })

  test('follow changes of their own configs, and one that is wrong harms no other', async () => {
    const { at, write, untilTold } = await openTwo({ globex: { toolsets: ['nowhere'] }, acme: {} })
    expect((await at('globex', helloPath, hello)).status).toBe(500)
    await untilTold('The tenant globex cannot be opened.')
    expect((await at('acme', helloPath, hello)).status).toBe(200)
    write('tenants/acme/toolpact.json', { toolsets: ['workspace'] })
    await until(async () => (await at('acme', helloPath, hello)).status === 404)
    write('tenants/globex/toolpact.json', {})
    await until(async () => (await at('globex', helloPath, hello)).status === 200)
  })

  test('recover by themselves when Postgres was away', async () => {
    const { at, output } = await openTwo()
    expect((await at('acme', helloPath, hello)).status).toBe(200)
    cluster!.stop('immediate')
    expect((await at('acme', helloPath, hello)).status).toBe(503)
    expect((await at('globex', helloPath, hello)).status).toBe(503)
    cluster!.start()
    for (const name of both) await until(async () => (await at(name, helloPath, hello)).status === 200)
    expect(output.stderr).toContain('Storage: acme:')
  })

  test('continue to read while Postgres is away, each with a journal of its own, if the server allows it', async () => {
    const opened = openTenantFolder({ ...config, ledger: { whenUnavailable: 'journal' } })
    const { sendTo } = await opened.start()
    const tokens = await Promise.all(both.map((name) => opened.token(name)))
    const call = (index: number) => sendTo(`${both[index]}.example`, helloPath, { ...hello, token: tokens[index]! })
    for (const index of [0, 1]) expect((await call(index)).status).toBe(200)
    cluster!.stop('fast')
    expect((await call(0)).status).toBe(200)
    const folder = join(opened.folder, 'state/tenants')
    await until(() => existsSync(join(folder, 'acme')))
    expect(existsSync(join(folder, 'globex'))).toBe(false)
    cluster!.start()
    const count = async (name: string) => toLines((await opened.run(['ledger', '--json'], name)).stdout).length
    await until(async () => (await count('acme')) === 2)
    expect(await count('globex')).toBe(1)
    for (const name of both) expect((await opened.run(['verify'], name)).code).toBe(0)
  })

  test('let streams end when the server stops', async () => {
    const { at, kill, exited, tokens, url } = await openTwo()
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } } // biome-ignore format: one line
    const headers = { Accept: 'application/json, text/event-stream' }
    const begun = await at('acme', '/mcp', { body: JSON.stringify(initialize), headers })
    const stream = await new Promise<IncomingMessage>((resolve) => {
      const more = { Host: acme, Authorization: `Bearer ${tokens.acme}`, 'Mcp-Session-Id': begun.headers['mcp-session-id'] as string } // biome-ignore format: one line
      request(`${url}/mcp`, { headers: { ...headers, ...more, Accept: 'text/event-stream' } }, resolve).end()
    })
    expect(stream.statusCode).toBe(200)
    const ended = once(stream.resume(), 'close')
    kill('SIGTERM')
    await ended
    expect(await exited).toBe(143)
  })

  test('have MCP servers of their own, which start in their workspaces', async () => {
    const places = { command: process.execPath, args: ['--input-type=module', '-e', whereServer], withoutOutputSchema: 'opaque', approval: 'never', risk: 'read_only' } // biome-ignore format: one line
    const opened = openTenantFolder({ ...config, toolsets: ['places'], mcpServers: { places } as never })
    const { sendTo } = await opened.start()
    const told = await Promise.all(
      both.map(async (name) => {
        const token = await opened.token(name)
        return (await sendTo(`${name}.example`, '/v1/tools/places.where', { token, body: '{}' })).text
      }),
    )
    for (const [index, name] of both.entries()) expect(told[index]).toContain(join('tenants', name, 'workspace'))
    const pids = told.map((text) => /pid (\d+)/.exec(text)?.[1])
    expect(pids[0]).toBeDefined()
    expect(pids[0]).not.toBe(pids[1])
  })

  test('commands name the tenant, and say so if they do not', async () => {
    const { run, folder, token } = openTenantFolder(config)
    for (const args of [
      ['token'],
      ['ledger'],
      ['approvals'],
      ['rules', 'list'],
      ['verify'],
      ['list'],
      ['serve', '--stdio'],
    ]) {
      // biome-ignore format: one line
      const { code, stderr } = await run(args)
      expect([args[0], code === 0]).toEqual([args[0], false])
      expect(stderr).toContain('Name one with --tenant NAME. Its tenants are acme, globex')
    }
    expect((await run(['call', 'learning.hello', 'name=Ada'], 'acme')).stdout).toContain('Hello, Ada!')
    expect((await run(['token'], '../acme')).stderr).toContain("no tenant '../acme'")
    expect(await token('acme')).not.toBe(await token('acme'))
    const added = await run(['mcp', 'add', 'files', 'https://files.example/mcp'], 'acme')
    expect(added.stderr).toContain('--config tenants/acme/toolpact.json')
    expect(existsSync(join(folder, 'tenants/acme/toolpact.json'))).toBe(false)
  })
})
