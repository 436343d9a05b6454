import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { startServe } from '../clients/start-serve.ts'
import { define, makeChangeling, until } from '../helpers/open-changeling.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, env, run, close } = openCommandFolder()
afterAll(close)

const info = { name: 'a test', version: '1' }
const meta = ['search_tools', 'call_read_tool', 'call_tool']

/** A config with one server of 302 tools. Its writes ask for approval. */
function writeConfig(name: string, more: JsonObject = {}): string {
  const { entry } = makeChangeling(
    [
      ...Array.from({ length: 300 }, (_, index) => define(`job_${index}`)),
      define('read_invoice', { description: 'Shows an invoice.' }),
      define('pay_invoice', { description: 'Pays an invoice.', annotations: { readOnlyHint: false } }),
    ],
    { approval: 'reads' },
  )
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify({ toolsets: ['shop'], mcpServers: { shop: entry }, ...more }))
  return file
}

const toArgs = (config: string) => ['--config', config, '--workspace', folder]

async function openFirst(transport: 'stdio' | 'http', config: string, onChanged: () => void) {
  const client = new Client(info)
  client.setNotificationHandler(ToolListChangedNotificationSchema, onChanged)
  const stdio = { command: process.execPath, args: [entries.toolpact, 'serve', '--stdio', ...toArgs(config)] }
  await client.connect(
    (transport === 'stdio'
      ? new StdioClientTransport({ ...stdio, env: env as Record<string, string>, cwd: folder, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(await serve(config))) as StdioClientTransport,
  )
  onTestFinished(() => client.close())
  return client
}

async function serve(config: string, ...more: string[]): Promise<URL> {
  const args = [...toArgs(config), '--no-token', ...more]
  const server = await startServe({ entry: entries.toolpact, args, env, cwd: folder })
  onTestFinished(async () => expect(await server.stop()).toBe(143))
  return new URL(server.url)
}

/** Both clients give the same. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: JsonObject }): Promise<unknown>
}

const namesOf = async (client: AnyClient) => (await client.listTools()).tools.map(({ name }) => name)

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
const call = (client: AnyClient, name: string, args: JsonObject): Promise<any> =>
  client.callTool({ name, arguments: args })

async function search(client: AnyClient, query: string): Promise<string[]> {
  const { structuredContent } = await call(client, 'search_tools', { query })
  return structuredContent.tools.map(({ name }: JsonObject) => name)
}

test.each(['stdio', 'http'] as const)(
  'a client over %s that follows list_changed lists what it has found, and calls it',
  async (transport) => {
    let changes = 0
    const client = await openFirst(
      transport,
      writeConfig(`follows-${transport}`, { catalogue: 'search' }),
      () => void changes++,
    )
    await until(async () => (await search(client, 'show an invoice')).length > 0)
    await until(async () => changes > 0 && (await namesOf(client)).length > 3)
    const names = await namesOf(client)
    expect(names.slice(0, 3)).toEqual(meta)
    expect(names.length).toBeLessThan(20)
    const name = names.find((each) => each.endsWith('read_invoice'))!
    expect(await call(client, name, { text: 'a' })).toMatchObject({ structuredContent: { said: 'a' } })
  },
)

test('a client that ignores list_changed runs what it has found; a write asks a person about the tool itself', async () => {
  const client = await openFirst('stdio', writeConfig('ignores', { catalogue: 'search' }), () => {})
  await until(async () => (await search(client, 'pay an invoice')).length > 0)
  const [write] = await search(client, 'pay an invoice')
  const [read] = await search(client, 'show an invoice')
  expect(await call(client, 'call_read_tool', { tool: read!, arguments: { text: 'a' } })).toMatchObject({ structuredContent: { said: 'a' } }) // biome-ignore format: one line
  const refused = await call(client, 'call_read_tool', { tool: write!, arguments: { text: 'a' } })
  expect(refused.content[0].text).toContain('call_tool')
  const written = call(client, 'call_tool', { tool: write!, arguments: { text: 'b' } })
  const questions = async () => JSON.parse((await run(['approvals', '--json'])).stdout) as JsonObject[]
  await until(async () => (await questions()).length === 1)
  const [question] = await questions()
  expect(question).toMatchObject({ tool: 'shop.pay_invoice' })
  await run(['approvals', 'approve', String(question!.id)])
  expect(await written).toMatchObject({ structuredContent: { said: 'b' } })
  const lines = (await run(['ledger', '--json'])).stdout.trim().split('\n')
  const tools = new Set(lines.map((line) => /"tool":"([^"]*)"/.exec(line)![1]))
  expect(tools).toEqual(new Set(['catalogue.search_tools', 'shop.read_invoice', 'shop.pay_invoice']))
})

test('a modern client without a session lists what its caller has found', async () => {
  const url = await serve(writeConfig('modern'), '--catalogue', 'search')
  const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new ModernHttp(url))
  onTestFinished(() => client.close())
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  await until(async () => (await search(client as AnyClient, 'pay an invoice')).length > 0)
  await until(async () => (await namesOf(client as AnyClient)).some((name) => name.endsWith('pay_invoice')))
})

test('search is offered for more than 100 tools, with the size of the list, until it is decided', async () => {
  const size = /302 tools, about [\d,]+ tokens in each client that lists them all\. .*toolpact serve --catalogue search/
  const undecided = await run(['mcp', 'inspect', '--config', writeConfig('undecided')])
  expect(undecided.stderr).toMatch(size)
  const decided = await run(['mcp', 'inspect', '--config', writeConfig('decided', { catalogue: 'all' })])
  expect(decided.stderr).not.toMatch(size)
  expect((await run(['serve', '--catalogue', 'some'])).stderr).toContain('--catalogue must be all or search')
})

test('list --search and GET /v1/tools?q= find tools by words', async () => {
  const config = writeConfig('words')
  const { stdout } = await run(['list', '--json', '--search', 'paying invoices', '--config', config])
  expect((JSON.parse(stdout) as JsonObject[]).map(({ id }) => id)).toEqual(['shop.pay_invoice', 'shop.read_invoice'])
  const url = await serve(config)
  const find = (query: string) => fetch(new URL(`/v1/tools?q=${encodeURIComponent(query)}`, url))
  await until(async () => ((await (await find('invoice')).json()) as { tools: unknown[] }).tools.length === 2)
  const { tools } = (await (await find('paying invoices')).json()) as { tools: JsonObject[] }
  expect(tools[0]!.name).toMatch(/pay_invoice$/)
  expect((await find('x'.repeat(1001))).status).toBe(400)
})
