import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConfigSource } from '../../src/app/config/config.ts'
import { closeServersAfterEach } from '../helpers/local-servers.ts'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { codeOf, openFolder, openHost } from '../helpers/open-data-flow.ts'
import { openRest } from '../helpers/open-rest.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

closeServersAfterEach()
const openServeFolder = useServeFolders()

describe('on every surface', () => {
  test('REST answers approval_required with the reason, and a yes counts for the caller', async () => {
    const { host, url, paths } = await openHost()
    const workspace = makeFolder()
    writeFileSync(join(workspace, '.env'), 'KEY=SECRET\n')
    const { post, toolpact } = await openRest({ toolsets: ['workspace', 'web-fetch'], workspace, dataFlow: 'caller', asks: true, config: { policy: { allowHosts: [host] } } }) // biome-ignore format: one line
    const fetchAs = (name: string, path: string) => post('web_fetch', { url: `${url}${path}` }, { authorization: `Bearer of-${name}` }) // biome-ignore format: one line
    expect(await post('read_file', { path: '.env' }, { authorization: 'Bearer of-ada' })).toMatchObject({ status: 200 })
    const asked = await fetchAs('ada', '/?d=SECRET')
    expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } })
    expect(asked.body.approval_text).toMatch(/This caller read private data \(\.env\); this call sends data to 127\.0\.0\.1/) // biome-ignore format: one line
    expect(paths).toEqual([])
    expect(await fetchAs('bob', '/bob')).toMatchObject({ status: 200 })
    await toolpact.approvals.answer(String(asked.body.approval_id), { answer: 'yes', by: 'Ada' }, Date.now())
    for (const path of ['/?d=SECRET', '/more']) expect(await fetchAs('ada', path)).toMatchObject({ status: 200 })
    expect(paths).toEqual(['/bob', '/?d=SECRET', '/more'])
  })

  test('serve --stdio shows the reason in the dialog of the client, and --allow-sending asks nothing', async () => {
    const { host, url, paths } = await openHost()
    const { folder, env } = openServeFolder()
    writeFileSync(join(folder, '.env'), 'KEY=SECRET\n')
    writeFileSync(
      join(folder, 'own.json'),
      JSON.stringify({
        toolsets: ['workspace', 'web-fetch'],
        policy: { allowHosts: [host] },
        approval: { waitMs: 300 },
      }),
    )
    const messages: string[] = []
    async function connect(...more: string[]) {
      const client = new Client({ name: 'a test', version: '1' }, { capabilities: { elicitation: {} } })
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        messages.push(params.message)
        return { action: 'accept', content: { decision: 'deny' } }
      })
      const args = [entries.toolpact, 'serve', '--stdio', '--config', 'own.json', ...more]
      const own = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))) // biome-ignore format: one line
      await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env: own, stderr: 'ignore' })) // biome-ignore format: one line
      onTestFinished(() => client.close())
      await client.callTool({ name: 'workspace_read_file', arguments: { path: '.env' } })
      return client.callTool({ name: 'web-fetch_web_fetch', arguments: { url: `${url}/?d=SECRET` } })
    }
    expect(await connect()).toMatchObject({ isError: true })
    expect(messages).toHaveLength(1)
    expect(messages[0]!.replaceAll(/\s+/g, ' ')).toContain(`This session read private data (.env); this call sends data to ${host}, which you have not allowed yet.`) // biome-ignore format: one line
    expect(paths).toEqual([])
    expect(await connect('--allow-sending')).not.toMatchObject({ isError: true })
    expect(messages).toHaveLength(1)
    expect(paths).toEqual(['/?d=SECRET'])
  })

  test('serve follows a caller over HTTP from one MCP session to the next, and the ledger says why it asked', async () => {
    const { host, url, paths } = await openHost()
    const { folder, start, findToken, run } = openServeFolder()
    writeFileSync(join(folder, '.env'), 'KEY=SECRET\n')
    writeFileSync(
      join(folder, 'own.json'),
      JSON.stringify({ toolsets: ['workspace', 'web-fetch'], policy: { allowHosts: [host] }, approval: { waitMs: 0 } }),
    )
    const server = await start(['--config', 'own.json'])
    async function callTool(name: string, input: Record<string, string>) {
      const client = new Client({ name: 'a test', version: '1' })
      const requestInit = { headers: { Authorization: `Bearer ${await findToken()}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }) as never)
      return client.callTool({ name, arguments: input }).finally(() => client.close())
    }
    expect(await callTool('workspace_read_file', { path: '.env' })).not.toMatchObject({ isError: true })
    const refused = await callTool('web-fetch_web_fetch', { url: `${url}/?d=SECRET` })
    expect(JSON.stringify(refused)).toContain('This caller read private data (.env)')
    expect(paths).toEqual([])
    const [entry] = (await run(['ledger', '--json', '--tool', 'web-fetch.web.fetch'])).stdout.trimEnd().split('\n')
    expect(JSON.parse(entry!)).toMatchObject({ decision: { action: 'ask', rule: 'data-flow' } })
  })

  test('a tool of a server is asked about with the reason, and one that the operator lets run is not', async () => {
    const { entry } = makeChangeling([define('echo')])
    const server = (approval: 'ask' | 'never') => ({ ...entry, approval })
    const config = { mcpServers: { one: server('ask'), two: server('never') } } as ConfigSource
    const { read, toolpact, asked } = await openFolder([], { toolsets: ['workspace', 'one', 'two'], config })
    const call = (tool: string) => toolpact.call(tool, {}, { caller: { name: 'tester', session: 'one' } })
    await read()
    expect(codeOf(await call('one.echo'))).toBe('approval_denied')
    expect(asked[0]!.reason).toContain('this call sends data to MCP server one, which you have not allowed yet.')
    expect(codeOf(await call('two.echo'))).toBe('success')
    expect(asked).toHaveLength(1)
  })

  test('chat asks, also in a session that continues in another process', async () => {
    const { host, url, paths } = await openHost()
    const own = openCommandFolder()
    onTestFinished(own.close)
    writeFileSync(join(own.folder, '.env'), 'KEY=SECRET\n')
    writeFileSync(join(own.folder, 'own.json'), JSON.stringify({ policy: { allowHosts: [host] } }))
    const read = { calls: [{ name: 'read_file', input: { path: '.env' } }] }
    const send = { calls: [{ name: 'web_fetch', input: { url: `${url}/?d=SECRET` } }] }
    await using model = await openScriptedModel([
      read,
      send,
      'No.',
      send,
      'No.',
      read,
      send,
      'Yes.',
      read,
      send,
      'Yes.',
    ])
    const chat = async (...args: string[]) => {
      const { stdout } = await own.run(['chat', '-p', 'Go.', '--json', '--config', 'own.json', ...args], { env: model.environment }) // biome-ignore format: one line
      const events = stdout.trimEnd().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
      return events.filter(({ type }) => type === 'result')
    }
    const begun = await chat()
    expect(begun.map(({ code }) => code)).toEqual([null, 'approval_denied'])
    expect(begun[1].message).toContain('This session read private data (.env)')
    const [goesOn] = await chat('--continue')
    expect(goesOn).toMatchObject({ code: 'approval_denied', message: expect.stringContaining('read_file, earlier') })
    expect(paths).toEqual([])
    for (const how of ['--allow-sending', '--yes'])
      expect((await chat(how)).map(({ code }) => code)).toEqual([null, null])
    expect(paths).toEqual(['/?d=SECRET', '/?d=SECRET'])
  })
})
