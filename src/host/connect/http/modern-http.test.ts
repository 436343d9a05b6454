import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startServe } from '../../../../test/clients/start-serve.ts'
import { closeServersAfterEach } from '../../../../test/helpers/local-servers.ts'
import { entries, openCommandFolder } from '../../../../test/helpers/run-command.ts'
import { options } from '../../../../test/upstream-servers/open-hostile.ts'
import { type Handlers, serveMessages } from '../../../../test/upstream-servers/serve-messages.ts'
import type { ClientOptions, ServerAddress, UpstreamClient } from '../client.ts'
import { openClient } from '../open-client.ts'

closeServersAfterEach()
const open: UpstreamClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const never = new AbortController().signal
const refuse: Handlers['x'] = ({ response }) => response.writeHead(400).end()

async function connect(handlers: Handlers, more: Partial<ClientOptions> = {}, capabilities = {}) {
  const noise: string[] = []
  const changes: number[] = []
  const url = await serveMessages({
    initialize: refuse,
    'server/discover': ({ answer }) =>
      answer({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities }),
    ...handlers,
  })
  const client = await openClient(
    { kind: 'http', url, headers: {} },
    options({
      onNoise: (text) => noise.push(text),
      onListChanged: (kind) => kind === 'tools' && changes.push(changes.length),
      ...more,
    }),
  )
  open.push(client)
  return { client, noise, changes }
}

async function until(check: () => unknown) {
  for (let wait = 0; wait < 1200 && !check(); wait++) await sleep(50)
  expect(check()).toBeTruthy()
}

test('each request says what it is in headers, and who we are in its body', async () => {
  const seen: { headers: IncomingHttpHeaders; params: unknown }[] = []
  const { client } = await connect({
    'tools/call'({ message, request, answer }) {
      seen.push({ headers: request.headers, params: message.params })
      answer({ resultType: 'complete', content: [] })
    },
  })
  expect(client.revision).toBe('2026-07-28')
  await client.callTool('grüß', { a: 1 }, { signal: never })
  expect(seen).toEqual([
    {
      headers: expect.objectContaining({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': `=?base64?${Buffer.from('grüß').toString('base64')}?=`,
      }),
      params: {
        name: 'grüß',
        arguments: { a: 1 },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'toolpact-test', version: '0.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  ])
})

test('headers that a schema requires are sent, and a tool with invalid ones is left out', async () => {
  const seen: IncomingHttpHeaders[] = []
  const properties = {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    inner: { type: 'object', properties: { level: { type: 'integer', 'x-mcp-header': 'Level' } } },
    off: { type: 'boolean', 'x-mcp-header': 'Off' },
  }
  const bad = { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } }
  const { client, noise } = await connect({
    'tools/list': ({ answer }) =>
      answer({
        tools: [
          { name: 'good', inputSchema: { type: 'object', properties } },
          { name: 'bad', inputSchema: { type: 'object', properties: { list: bad } } },
        ],
      }),
    'tools/call'({ request, answer }) {
      seen.push(request.headers)
      answer({ content: [] })
    },
  })
  expect((await client.list('tools')).entries.map(({ name }) => name)).toEqual(['good'])
  expect(noise).toEqual([expect.stringContaining('"bad" is left out')])
  await client.callTool('good', { region: ' eu\n', inner: { level: 7 }, off: null }, { signal: never })
  expect(seen[0]).toMatchObject({ 'mcp-param-region': '=?base64?IGV1Cg==?=', 'mcp-param-level': '7' })
  expect(seen[0]).not.toHaveProperty('mcp-param-off')
})

test('a call that is ended closes its connection, which says it all', async () => {
  const told: unknown[] = []
  let isClosed = false
  const { client } = await connect({
    'notifications/cancelled': ({ message }) => void told.push(message),
    'tools/call'({ response }) {
      response.on('close', () => {
        isClosed = true
      })
    },
  })
  const calling = client.callTool('any', {}, { signal: AbortSignal.timeout(50) })
  await expect(calling).rejects.toMatchObject({ kind: 'unavailable' })
  await until(() => isClosed)
  expect(told).toEqual([])
})

test('changes of the tools are subscribed to, again after the subscription ends', async () => {
  const streams: ServerResponse[] = []
  const { changes, client } = await connect(
    {
      'subscriptions/listen'({ message, response }) {
        expect(message.params.notifications).toEqual({ toolsListChanged: true })
        streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }))
        response.write(': here\n\n')
      },
    },
    {},
    { tools: { listChanged: true } },
  )
  await until(() => streams.length === 1)
  streams[0]!.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
  await until(() => changes.length === 1)
  streams[0]!.end()
  // What was missed in between is not known, so it counts as a change.
  await until(() => streams.length === 2 && changes.length === 2)
  let isClosed = false
  streams[1]!.on('close', () => {
    isClosed = true
  })
  await client.close()
  await until(() => isClosed)
})

test('a server that rejects the first request only to list its revisions is asked again', async () => {
  let asked = 0
  const { client } = await connect(
    {
      'server/discover'({ message, response, answer }) {
        if (asked++ > 0) return answer({ capabilities: {} })
        const error = { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } }
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
      },
    },
    { protocol: '2026-07-28' },
  )
  expect(client.revision).toBe('2026-07-28')
})

test('a server that wants a credential is not asked twice', async () => {
  const asked: string[] = []
  const url = await serveMessages({
    initialize({ message, response }) {
      asked.push(message.method)
      response.writeHead(401).end()
    },
  })
  const opening = openClient({ kind: 'http', url, headers: {} }, options())
  await expect(opening).rejects.toMatchObject({ kind: 'refused', status: 401 })
  expect(asked).toEqual(['initialize'])
})

test.each(['2025-11-25', '2026-07-28'] as const)(
  'toolpact serve is spoken with in %s, over HTTP and stdio',
  async (protocol) => {
    const { folder, env, close } = openCommandFolder()
    const serving = await startServe({
      entry: entries.toolpact,
      args: ['--no-token', '--toolset', 'workspace'],
      env,
      cwd: folder,
    })
    try {
      const variables = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const args = [entries.toolpact, 'serve', '--stdio', '--toolset', 'workspace']
      const addresses: readonly ServerAddress[] = [
        { kind: 'http', url: serving.url, headers: {} },
        { kind: 'stdio', command: process.execPath, args, env: Object.fromEntries(variables), cwd: folder },
      ]
      for (const address of addresses) {
        const client = await openClient(address, options({ protocol }))
        open.push(client)
        expect(client.revision).toBe(protocol)
        expect((await client.list('tools')).entries.map(({ name }) => name)).toContain('list_dir')
        const result = await client.callTool('list_dir', { path: '.' }, { signal: never })
        expect(result).toMatchObject({ structuredContent: { success: true } })
        await expect(client.callTool('none', {}, { signal: never })).rejects.toMatchObject({
          kind: 'refused',
          code: -32602,
        })
        await client.ping()
        await client.close()
      }
    } finally {
      await serving.stop()
      close()
    }
  },
)
