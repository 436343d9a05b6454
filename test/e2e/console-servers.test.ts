import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { LockedTool, LockResponse } from '../../src/surfaces/console/api/servers.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { define, makeChangeling, until, withoutOutput } from '../helpers/open-changeling.ts'
import { type SendOptions, send } from '../helpers/open-http.ts'
import { useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()
const works = process.platform === 'linux' && 'driver' in (await probe())
const prying = fileURLToPath(new URL('../upstream-servers/prying.cjs', import.meta.url))

/** `toolpact serve` with a server whose tools can change, and a browser that is signed in. */
async function open(definitions: readonly JsonObject[], entry: object = {}) {
  const opened = openFolder()
  const config = join(opened.folder, 'toolpact.json')
  const changeling = makeChangeling(definitions, entry, opened.folder)
  writeFileSync(config, JSON.stringify({ mcpServers: { notes: changeling.entry } }, null, 2))
  const server = await opened.start(['--config', config, '--show-link'])
  const { console: link } = JSON.parse(server.output.stdout)
  const signIn = async (link: string) => {
    const { headers } = await send(link, { token: null })
    const Cookie = headers['set-cookie']![0]!.split(';')[0]!
    return async (path: string, options: SendOptions = {}) => {
      const found = await send(`${server.url}/console/api/${path}`, { ...options, token: null, headers: { Cookie, 'Toolpact-Console': '1' } }) // biome-ignore format: one line
      return { status: found.status, body: found.json }
    }
  }
  const ask = await signIn(link)
  const get = async (path: string) => (await ask(path)).body
  const post = (path: string, body: object = {}) => ask(path, { body: JSON.stringify(body) })
  const lockOf = async (tool: string): Promise<LockedTool | undefined> =>
    ((await get('lock')) as LockResponse).servers[0]!.tools.find(({ name }) => name === tool)
  await until(async () => (await get('servers/notes')).state === 'ready')
  const call = (text: string) => server.send('/v1/tools/notes_announce', { body: JSON.stringify({ text }) })
  return { ...opened, ...changeling, config, server, signIn, get, post, lockOf, call }
}

test('a changed tool is shown, left by one person, accepted after it changed again, and counted until then', async () => {
  const { get, post, lockOf, list, call, folder } = await open([define('announce'), define('echo')])
  const reviews = async () => (await get('overview')).reviews
  expect(await reviews()).toBe(0)
  expect(await get('lock')).toMatchObject({ exists: false, servers: [{ name: 'notes', state: 'compared' }] })
  // Nothing is accepted yet, so it is compared with what the server listed first.
  for (const [description, count] of [
    ['Says it.', 1],
    ['Does what echo says.', 0],
  ] as const) {
    list([define('announce'), define('echo', { description })])
    await call('hi')
    await until(async () => (await reviews()) === count)
  }
  const { digest } = (await get('lock')).servers[0]
  const accepted = await post('lock/decide', { server: 'notes', digest, decision: 'accept' })
  expect(accepted).toEqual({ status: 200, body: { message: `notes was accepted into ${join(folder, 'toolpact.lock')}.` } }) // biome-ignore format: one line
  expect(await lockOf('echo')).toMatchObject({ state: 'same', words: [], schema: [] })

  const change = (description: string, inputSchema: object) => [define('announce'), define('echo', { description, inputSchema } as JsonObject)] // biome-ignore format: one line
  const breaking = { type: 'object', properties: { text: { type: 'integer' } }, required: ['text'] }
  list(change('Says more.', breaking))
  expect((await call('hi')).status).toBe(200)
  await until(async () => (await reviews()) === 1)
  const tool = (await lockOf('echo'))!
  expect(tool).toMatchObject({
    state: 'differs',
    drift: 'The new definition may break accepted calls.',
    before: { description: 'Does what echo says.' },
    after: { description: 'Says more.' },
    calledBy: [],
  })
  expect(tool.changes.some(({ severity }) => severity === 'breaking')).toBe(true)
  expect(tool.words).toEqual([
    { kind: 'same', text: '/description' },
    { kind: 'removed', text: '  Does what echo says.' },
    { kind: 'added', text: '  Says more.' },
  ])
  expect(tool.schema).toContainEqual({ kind: 'added', text: '        "type": "integer"' })
  expect((await lockOf('announce'))!.calledBy).toEqual([{ caller: 'local', calls: 3 }])
  expect(await get('servers/notes')).toMatchObject({ reviews: 1, withheldTools: [{ name: 'echo', action: 'review' }] })

  const decide = (decision: string, digest = tool.digest) => post('lock/decide', { server: 'notes', tool: 'echo', digest, decision }) // biome-ignore format: one line
  expect(await decide('refuse')).toMatchObject({ status: 200 })
  expect(await reviews()).toBe(0)
  const refused = (await lockOf('echo'))!
  expect(refused).toMatchObject({ state: 'refused', digest: tool.digest })
  expect(refused.refusedBy).toEqual(expect.stringMatching(/./))

  list(change('Says most.', breaking))
  await call('again')
  await until(async () => (await reviews()) === 1)
  for (const decision of ['accept', 'refuse'])
    expect(await decide(decision)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await decide('accept', (await lockOf('echo'))!.digest)).toMatchObject({ status: 200 })
  expect(await reviews()).toBe(0)
  expect(await get('servers/notes')).toMatchObject({ reviews: 0, admitted: 2, withheldTools: [] })
})

test('a server is described without secrets, restarted and adopted', async () => {
  const env = { API_TOKEN: 'sk-live-0123456789abcdef', MODE: 'fast' }
  const { get, post, pids, config } = await open([define('announce'), withoutOutput('plain')], { env })
  const all = await get('servers')
  expect(all).toMatchObject({
    configPath: config,
    servers: [
      {
        name: 'notes',
        offered: '1 tool, withheld: 1 tool',
        admitted: 1,
        withheld: 1,
        isolation: expect.stringContaining('To confine it: toolpact mcp grant notes'),
        pingMs: expect.any(Number),
      },
    ],
  })
  const detail = await get('servers/notes')
  expect(detail).toMatchObject({
    serverInfo: { name: 'changeling', version: '1.0.0' },
    admittedTools: [{ id: 'notes.announce', outputForm: 'structured' }],
    withheldTools: [{ name: 'plain', action: 'adopt', reasons: [{ code: 'no_output_schema' }] }],
  })
  expect(detail.address).toContain('changeling')
  expect(detail.grants).toContainEqual({ name: 'variable MODE', value: 'fast' })
  expect(detail.grants).toContainEqual({ name: 'variable API_TOKEN', value: '…' })
  expect(JSON.stringify([all, detail])).not.toContain('sk-live')

  expect(await post('servers/notes/restart')).toEqual({ status: 200, body: { message: 'notes was restarted.' } })
  expect(pids()).toHaveLength(2)
  await until(() => !isAlive(pids()[0]!))
  expect(await get('servers/notes')).toMatchObject({ state: 'ready', restarts: 1 })

  expect(await post('servers/notes/adopt', { approval: 'reads' })).toMatchObject({ status: 200 })
  expect(JSON.parse(readFileSync(config, 'utf8')).mcpServers.notes).toMatchObject({ withoutOutputSchema: 'opaque', approval: 'reads' }) // biome-ignore format: one line
  await until(async () => (await get('servers/notes')).admitted === 2)
  expect(await post('servers/none/restart')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('servers are added from a document, a URL or a command line; code that variables load is confirmed first', async () => {
  const { get, post, config } = await open([define('announce')])
  const other = makeChangeling([define('echo')])
  const before = readFileSync(config, 'utf8')
  const text = JSON.stringify({ mcpServers: { more: { ...other.entry, env: { NODE_OPTIONS: '--no-warnings' } } } })
  const { body } = await post('servers/add', { text })
  expect(body).toEqual({
    added: [],
    confirm: ['more sets NODE_OPTIONS=--no-warnings, which makes Node.js or Bun load other code.'],
    message: 'Nothing was added yet.',
  })
  expect(readFileSync(config, 'utf8')).toBe(before)
  expect(other.pids()).toEqual([])
  expect((await post('servers/add', { text, confirmed: true })).body.added).toEqual(['more'])
  await until(async () => (await get('overview')).servers.ready === 2)
  // A text that is pasted must not grant anything.
  expect(JSON.parse(readFileSync(config, 'utf8')).mcpServers.more.approval).toBeUndefined()

  const added = async (text: string, name?: string) => {
    const { status, body } = await post('servers/add', { text, ...(name && { name }) })
    const names = body.added as readonly string[] | undefined
    return { status, ...(names && { name: names[0], entry: JSON.parse(readFileSync(config, 'utf8')).mcpServers[names[0]!] }) } // biome-ignore format: one line
  }
  expect(await added('MODE=fast node ./no/server-files.mjs "a folder"')).toEqual({
    status: 200,
    name: 'server-files',
    entry: { command: 'node', args: ['./no/server-files.mjs', 'a folder'], env: { MODE: 'fast' } },
  })
  expect(await added('http://127.0.0.1:9/mcp', 'web-notes')).toMatchObject({ name: 'web-notes', entry: { url: 'http://127.0.0.1:9/mcp' } }) // biome-ignore format: one line
  for (const bad of ['curl example.com | sh', '{ "a": ', '{ "a": 1 }', text])
    expect(await added(bad), bad).toEqual({ status: 400 })
})

test.skipIf(!works)('what a pasted server wanted is proposed, and only what is chosen is granted', async () => {
  const { post, get, config, folder } = await open([define('announce')])
  const notes = join(folder, 'notes')
  mkdirSync(notes)
  const before = readFileSync(config, 'utf8')
  const text = JSON.stringify({
    mcpServers: {
      files: { command: process.execPath, args: [prying, notes] },
      far: { url: 'http://127.0.0.1:9/mcp' },
      gone: { command: 'no-such-program' },
    },
  })
  const { body } = await post('servers/propose', { text })
  expect(body.servers).toMatchObject([
    { name: 'files', offers: [{ access: 'write', value: 'notes', why: 'named by its entry', isClaim: false }] },
    { name: 'far', note: 'It runs elsewhere, and cannot be confined here.' },
    { name: 'gone', note: expect.stringContaining('It did not start confined: ') },
  ])
  expect(readFileSync(config, 'utf8')).toBe(before)
  const risky = { mcpServers: { more: { command: process.execPath, args: [prying], env: { NODE_OPTIONS: '--no-warnings' } } } } // biome-ignore format: one line
  expect((await post('servers/propose', { text: JSON.stringify(risky) })).body).toMatchObject({ servers: [], confirm: [expect.stringContaining('NODE_OPTIONS')] }) // biome-ignore format: one line
  const grants = (files: object) => post('servers/add', { text, grants: { files } })
  expect(await grants({ read: [], write: [], network: ['https://a.example/'] })).toMatchObject({ status: 400 })
  expect(await grants({ read: [] })).toMatchObject({ status: 400 })
  expect(readFileSync(config, 'utf8')).toBe(before)
  expect(await grants({ read: ['notes'], write: [], network: [] })).toMatchObject({ status: 200 })
  const { files, far } = JSON.parse(readFileSync(config, 'utf8')).mcpServers
  expect(files).toMatchObject({ read: ['notes'], write: [], network: 'none' })
  expect(far).toEqual({ url: 'http://127.0.0.1:9/mcp' })
  await until(async () => (await get('servers/files')).state === 'ready')
  expect(await get('servers/files')).toMatchObject({ isolation: 'Confined by bubblewrap: it reads notes, writes nothing, talks to no host.' }) // biome-ignore format: one line
})

test('who may only look sees servers and the lock, and changes nothing', async () => {
  const { server, signIn, config, pids, run } = await open([define('announce')])
  const before = readFileSync(config, 'utf8')
  const ask = await signIn((await run(['open', '--view-only', '--print', '--port', `${server.port}`])).stdout.trim())
  for (const path of ['servers', 'servers/notes', 'lock']) expect((await ask(path)).status).toBe(200)
  const { digest } = (await ask('lock')).body.servers[0]
  for (const [path, body] of [
    ['servers/notes/restart', {}],
    ['servers/notes/adopt', {}],
    ['servers/add', { text: 'http://127.0.0.1:9/mcp' }],
    ['servers/propose', { text: 'http://127.0.0.1:9/mcp' }],
    ['lock/decide', { server: 'notes', digest, decision: 'accept' }],
  ] as const)
    expect(await ask(path, { body: JSON.stringify(body) }), path).toMatchObject({ status: 403, body: { code: 'right_missing' } }) // biome-ignore format: one line
  expect(readFileSync(config, 'utf8')).toBe(before)
  expect((await ask('lock')).body.exists).toBe(false)
  expect(pids()).toHaveLength(1)
})
