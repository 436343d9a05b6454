import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startServe } from '../clients/start-serve.ts'
import { define, makeChangeling, until } from '../helpers/open-changeling.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, env, close } = openCommandFolder()
afterAll(close)

interface Connected {
  readonly revision: string | undefined
  names(): Promise<string[]>
  call(name: string): Promise<unknown>
}

type Transport = 'stdio' | 'http'
type Open = (place: Place, onChanged: () => void) => Promise<Connected>
type Place = { readonly url: URL } | { readonly command: string; readonly args: string[] }

const info = { name: 'a test', version: '1' }
const inFolder = { env: env as Record<string, string>, cwd: folder, stderr: 'ignore' as const }

const openFirst: Open = async (place, onChanged) => {
  const client = new Client(info)
  client.setNotificationHandler(ToolListChangedNotificationSchema, onChanged)
  const transport =
    'url' in place ? new StreamableHTTPClientTransport(place.url) : new StdioClientTransport({ ...place, ...inFolder })
  await client.connect(transport as StdioClientTransport)
  onTestFinished(() => client.close())
  return {
    revision: '2025-11-25',
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) => client.callTool({ name, arguments: { text: 'a' } }),
  }
}

const openSecond =
  (mode: 'legacy' | 'auto'): Open =>
  async (place, onChanged) => {
    const listChanged = { tools: { onChanged, autoRefresh: false } }
    const client = new ModernClient(info, { versionNegotiation: { mode }, listChanged })
    await client.connect('url' in place ? new ModernHttp(place.url) : new ModernStdio({ ...place, ...inFolder }))
    onTestFinished(() => client.close())
    return {
      revision: client.getNegotiatedProtocolVersion(),
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name) => client.callTool({ name, arguments: { text: 'a' } }),
    }
  }

const clients: [string, string, Open][] = [
  ['the v1 client', '2025-11-25', openFirst],
  ['the v2 client in its legacy mode', '2025-11-25', openSecond('legacy')],
  ['the v2 client that negotiates', '2026-07-28', openSecond('auto')],
]
const pairs = clients.flatMap(([name, revision, open]) =>
  (['stdio', 'http'] as const).map((transport) => ({ name, revision, open, transport })),
)

test.each(pairs)(
  '$name over $transport is told when a server behind Toolpact lists other tools',
  async ({ open, revision, transport }) => {
    const changeling = makeChangeling([define('echo'), define('announce')])
    const config = join(folder, `${transport}-${changeling.entry.args[1]!.split('/').at(-2)}.json`)
    writeFileSync(config, JSON.stringify({ toolsets: ['changeling'], mcpServers: { changeling: changeling.entry } }))
    let changes = 0
    const client = await open(await toPlace(transport, config), () => void changes++)
    expect(client.revision).toBe(revision)
    await until(async () => (await client.names()).length === 2)
    // The tools of the server came after the client, which may have been told of that.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = changes
    changeling.list([define('echo'), define('announce'), define('another')])
    await client.call('announce')
    await until(async () => changes > before && (await client.names()).includes('another'))
    expect(await client.call('another')).toMatchObject({ structuredContent: { said: 'a' } })
  },
)

async function toPlace(transport: Transport, config: string): Promise<Place> {
  const args = ['--config', config, '--workspace', folder]
  if (transport === 'stdio') return { command: process.execPath, args: [entries.toolpact, 'serve', '--stdio', ...args] }
  const server = await startServe({ entry: entries.toolpact, args: [...args, '--no-token'], env, cwd: folder })
  onTestFinished(async () => expect(await server.stop()).toBe(143))
  return { url: new URL(server.url) }
}
