import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../helpers/is-alive.ts'
import { define, makeChangeling, until, withoutOutput } from '../helpers/open-changeling.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'
import { serveUpstreams } from '../helpers/serve-upstreams.ts'

const openFolder = useServeFolders()

test('servers come, change and go without a restart, and calls to the others go on', async () => {
  const opened = openFolder()
  const [stays, goes, added] = [[define('hang'), define('echo')], [define('hang')], [define('echo')]].map((tools) =>
    makeChangeling(tools, {}, opened.folder),
  ) as [ReturnType<typeof makeChangeling>, ReturnType<typeof makeChangeling>, ReturnType<typeof makeChangeling>]
  const server = await serveUpstreams(opened, { stays: stays.entry, goes: goes.entry })
  const write = (config: object) => writeFileSync(join(opened.folder, 'toolpact.json'), JSON.stringify(config))
  await until(async () => (await server.list()).names.length === 3)
  let isHeldUp = true
  const held = server.call('stays.hang').finally(() => {
    isHeldUp = false
  })
  const lost = server.call('goes.hang')
  await until(() => goes.pids().length === 1)
  write({ mcpServers: { stays: { ...stays.entry, exclude: ['echo'] }, added: added.entry } })
  await server.untilTold('mcpServers (added added; changed stays; removed goes)')
  expect((await lost).error).toMatchObject({ code: 'upstream_unavailable', message: expect.stringContaining('The server goes was removed from the config.') }) // biome-ignore format: one line
  await until(async () => (await server.list()).names.filter((name) => /stays|goes|added/.test(name)).join() === 'stays_hang,added_echo') // biome-ignore format: one line
  expect((await server.call('added.echo')).output).toEqual({ said: 'hi' })
  await until(() => !isAlive(goes.pids()[0]!))
  expect({ isHeldUp, starts: stays.pids().length }).toEqual({ isHeldUp: true, starts: 1 })
  // Another command is another process.
  write({ mcpServers: { stays: { ...stays.entry, env: { MORE: '1' } } } })
  await until(() => stays.pids().length === 2)
  expect((await held).error).toMatchObject({ code: 'upstream_unavailable', message: expect.stringContaining('Call again.') }) // biome-ignore format: one line
})

test('settings of a server, limits, callers and policy apply to the next call', async () => {
  const opened = openFolder()
  const { entry, pids } = makeChangeling([define('echo'), withoutOutput('plain')], {}, opened.folder)
  const server = await serveUpstreams(opened, { one: entry })
  const path = join(opened.folder, 'toolpact.json')
  await until(async () => (await server.list()).names.join() === 'echo')
  const apply = async (config: object, words: string) => {
    writeFileSync(path, JSON.stringify({ toolsets: ['one', 'learning'], ...config }))
    await server.untilTold(words)
  }
  await apply({ mcpServers: { one: { ...entry, withoutOutputSchema: 'opaque' } } }, 'changed one')
  await until(async () => (await server.list()).names.includes('one_plain'))
  await apply({ mcpServers: { one: entry }, limits: { 'one.*': { inputBytes: 20 } } }, 'limits')
  expect((await server.call('one.echo', { text: 'much too long for that' })).error.code).toBe('input_too_large')
  await apply({ mcpServers: { one: entry }, callers: { '*': { tools: ['learning.hello'] } } }, 'callers')
  expect((await server.list()).names).toEqual(['learning_hello'])
  expect((await server.call('one.echo')).error.message).toContain('one.echo')
  await apply({ mcpServers: { one: { ...entry, risk: 'dangerous', approval: 'never' } }, policy: { readOnly: true } }, 'policy') // biome-ignore format: one line
  await until(async () => (await server.call('one.echo')).error?.code === 'denied')
  expect(pids().length).toBe(1)
})

test('a config that cannot be used changes nothing, and what needs a restart is named once', async () => {
  const opened = openFolder()
  const { entry, pids } = makeChangeling([define('echo')], {}, opened.folder)
  const server = await serveUpstreams(opened, { one: entry })
  const path = join(opened.folder, 'toolpact.json')
  await until(async () => (await server.list()).names.join() === 'echo')
  const write = (text: string) => {
    // Like editors: write a new file and rename it.
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
  write('{\n  "mcpServers": {,\n}')
  await server.untilTold(/line 2.*stay in effect/)
  rmSync(path)
  await server.untilTold(/cannot be read.*stay in effect/)
  expect((await server.list()).names).toEqual(['echo'])
  const config = { toolsets: ['one'], mcpServers: { one: entry } }
  write(JSON.stringify({ ...config, http: { port: 1 }, ledger: { fsync: 'all' } }))
  await server.untilTold('http, ledger cannot change at run time. Restart toolpact serve to apply.')
  write(JSON.stringify({ ...config, http: { port: 1 }, ledger: { fsync: 'all' }, lock: 'required' }))
  await server.untilTold('Applied: lock')
  await until(async () => (await server.list()).names.length === 0)
  expect(server.output.stderr.match(/Restart toolpact serve/g)).toHaveLength(1)
  expect(pids().length).toBe(1)
})

test('a client over stdio is notified of a server that mcp add adds, and an untrusted file loosens nothing', async () => {
  const { folder, env, run } = openFolder()
  const { entry } = makeChangeling([define('echo')], {}, folder)
  const client = new Client({ name: 'a test', version: '1' })
  let changes = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++)
  const transport = new StdioClientTransport({ command: process.execPath, args: [entries.toolpact, 'serve', '--stdio'], cwd: folder, env: env as Record<string, string>, stderr: 'pipe' }) // biome-ignore format: one line
  let told = ''
  transport.stderr!.on('data', (text) => {
    told += text
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names()).toContain('read_file')
  const added = await run(['mcp', 'add', 'files', '--no-connect', '--', entry.command, ...entry.args])
  expect(added.code).toBe(0)
  await until(async () => changes > 0 && `${await names()}` === 'echo')
  // A tool could have written this.
  writeFileSync(join(folder, 'toolpact.json'), '{ "mcpServers": { "evil": { "command": "evil" } } }')
  await until(() => told.includes('has changed since it was trusted. The settings that it had stay in effect.'))
  expect(await names()).toEqual(['echo'])
  expect((await run(['trust', '--yes'])).code).toBe(0)
  await until(async () => !(await names()).includes('echo'))
  expect(told).toContain('added evil; removed files')
  // The same content after trust was revoked.
  expect((await run(['trust', 'revoke'])).code).toBe(0)
  await until(() => told.includes('removed evil'))
  expect(told.match(/stay in effect/g)).toHaveLength(1)
})
