import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../helpers/open-changeling.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openFolder = useServeFolders()
const info = { name: 'a test', version: '1' }
const hello = { name: 'hello', arguments: { name: 'Ada' } }
const body = JSON.stringify(hello.arguments)

/** What a call came to, as the text of its result says it. */
const codeOf = ({ isError, content }: Record<string, unknown>) =>
  isError ? (content as { text: string }[])[0]!.text.split(':')[0] : 'success'

test('one call for each session over stdio, and one for each query that the client names', async () => {
  const { folder, env } = openFolder()
  const args = [entries.toolpact, 'serve', '--stdio', '--toolset', 'learning', '--single-step']
  const environment = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']))
  const connect = async () => {
    const client = new Client(info)
    onTestFinished(() => client.close())
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: folder, env: environment, stderr: 'ignore' }),
    )
    return client
  }
  const client = await connect()
  expect(codeOf(await client.callTool(hello))).toBe('success')
  expect(codeOf(await client.callTool(hello))).toBe('single_step')
  for (const id of ['q1', 'q2']) {
    const named = { ...hello, _meta: { 'toolpact/query': id } }
    expect(codeOf(await client.callTool(named))).toBe('success')
    expect(codeOf(await client.callTool(named))).toBe('single_step')
  }
  expect(codeOf(await (await connect()).callTool(hello))).toBe('success')
})

test('over HTTP one call for each MCP session, and without a session one for each caller or header', async () => {
  const folder = openFolder()
  const { url, send } = await folder.start(['--toolset', 'learning', '--single-step'])
  const requestInit = { headers: { Authorization: `Bearer ${await folder.findToken()}` } }
  for (let sessions = 0; sessions < 2; sessions++) {
    const client = new Client(info)
    onTestFinished(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as never)
    expect(codeOf(await client.callTool(hello))).toBe('success')
    expect(codeOf(await client.callTool(hello))).toBe('single_step')
  }
  const post = async (headers: Record<string, string> = {}) => (await send('/v1/tools/hello', { body, headers })).status
  expect([await post(), await post()]).toEqual([200, 409])
  const query = { 'Toolpact-Query': 'q1' }
  expect([await post(query), await post(query)]).toEqual([200, 409])
  // 2026-07-28 has no sessions, and its calls by this caller are those of REST.
  const modern = new ModernClient(info, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => modern.close())
  await modern.connect(new ModernHttp(new URL(`${url}/mcp`), { requestInit }))
  expect(codeOf(await modern.callTool(hello))).toBe('single_step')
  expect(codeOf(await modern.callTool({ ...hello, _meta: { 'toolpact/query': 'q2' } } as never))).toBe('success')
})

test('policy.singleStep applies to a running server, and can be taken without trust', async () => {
  const folder = openFolder()
  const write = (config: object) =>
    writeFileSync(join(folder.folder, 'own.json'), JSON.stringify({ toolsets: ['learning'], ...config }))
  write({})
  const { send, untilTold } = await folder.start(['--config', 'own.json'])
  const post = async () => (await send('/v1/tools/hello', { body })).status
  expect([await post(), await post()]).toEqual([200, 200])
  write({ policy: { singleStep: true } })
  await untilTold('policy')
  await until(async () => (await post()) === 409)
  writeFileSync(join(folder.folder, 'toolpact.json'), '{"policy":{"singleStep":true}}')
  const untrusted = await folder.start(['--toolset', 'learning'])
  const answers = [1, 2].map(() => untrusted.send('/v1/tools/hello', { body }))
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409])
})
