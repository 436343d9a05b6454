import { setTimeout as sleep } from 'node:timers/promises'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ElicitRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { minReadingMs } from '../../src/surfaces/mcp/client-answer.ts'
import { openMcpHttp, quiet } from '../helpers/open-mcp.ts'
import { entries } from '../helpers/run-command.ts'

/** The common interface of the clients under test. */
interface Connected {
  readonly revision: string | undefined
  list(): Promise<{ name: string }[]>
  call(name: string, input: object, options?: CallOptions): Promise<Called>
}

interface CallOptions {
  readonly onprogress?: (progress: { progress: number }) => void
  readonly signal?: AbortSignal
}

interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly _meta?: Record<string, Record<string, unknown>>
}

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: { decision: string } }
type Transport = 'stdio' | 'http'
type Open = (transport: Transport, answer?: (message: string) => Answer | Promise<Answer>) => Promise<Connected>

const info = { name: 'a test', version: '1' }
const short = { ...quiet, waitMs: 300 }
const server = { command: process.execPath, args: [entries.serve, `${short.waitMs}`] }

const openFirst: Open = async (transport, answer) => {
  const client = new Client(info, { capabilities: answer ? { elicitation: {} } : {} })
  if (answer) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params.message))
  const carrier =
    transport === 'stdio'
      ? new StdioClientTransport({ ...server, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL((await openMcpHttp({ asking: short })).url))
  await client.connect(carrier as StdioClientTransport)
  onTestFinished(() => client.close())
  return {
    revision: '2025-11-25',
    list: async () => (await client.listTools()).tools,
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: { ...input } }, undefined, options)) as Called,
  }
}

const openSecond =
  (mode: 'legacy' | 'auto'): Open =>
  async (transport, answer) => {
    const capabilities = answer ? { elicitation: {} } : {}
    const client = new ModernClient(info, { capabilities, versionNegotiation: { mode } })
    if (answer)
      client.setRequestHandler('elicitation/create', async ({ params }) => (await answer(params.message)) as never)
    const carrier =
      transport === 'stdio'
        ? new ModernStdio({ ...server, stderr: 'ignore' })
        : new ModernHttp(new URL((await openMcpHttp({ asking: short })).url))
    await client.connect(carrier)
    onTestFinished(() => client.close())
    return {
      revision: client.getNegotiatedProtocolVersion(),
      list: async () => (await client.listTools()).tools,
      call: async (name, input, options) =>
        (await client.callTool({ name, arguments: { ...input } }, options)) as Called,
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

describe.each(pairs)('$name over $transport', ({ revision, open, transport }) => {
  test('lists and calls tools', async () => {
    const client = await open(transport)
    expect(client.revision).toBe(revision)
    expect((await client.list()).map(({ name }) => name)).toEqual(['echo', 'count', 'note', 'picture', 'region'])
    const result = await client.call('echo', { text: 'héllo' })
    expect(result).toMatchObject({ structuredContent: { said: 'héllo' }, isError: false })
    expect(JSON.parse(result.content[0]!.text!)).toEqual(result.structuredContent)
    const picture = await client.call('picture', {})
    expect(picture.content.map(({ type }) => type)).toEqual(['text', 'image'])
  })

  test('gets every failure with its code and what to do', async () => {
    const client = await open(transport)
    await client.list()
    for (const [name, input, code] of [
      ['echo', { text: '' }, 'too_quiet'],
      ['echo', { text: 5 }, 'invalid_input'],
    ] as const) {
      const failed = await client.call(name, input)
      expect(failed.isError).toBe(true)
      expect(failed._meta!['toolpact/error']).toMatchObject({ code, suggestion: expect.any(String) })
      expect(failed.content[0]!.text).toMatch(new RegExp(`^${code}: `))
      const structured = revision === '2026-07-28' ? failed._meta!['toolpact/error'] : undefined
      expect(failed.structuredContent).toEqual(structured)
    }
    await expect(client.call('ecco', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Did you mean echo?'),
    })
  })

  test('sees progress, the last one too', async () => {
    const client = await open(transport)
    const count = async () => {
      const seen: number[] = []
      await client.call('count', { steps: 5 }, { onprogress: ({ progress }) => seen.push(progress) })
      return seen
    }
    // A client that was too busy to read the progress before the result came has none to show.
    await expect.poll(count).toEqual([1, 2, 3, 4, 5])
  })

  test('cancels a call, and continues', async () => {
    const client = await open(transport)
    const stop = new AbortController()
    const call = client.call(
      'count',
      { steps: 3, pauseMs: 600_000 },
      { signal: stop.signal, onprogress: () => stop.abort() },
    )
    await expect(call).rejects.toThrow()
    expect((await client.call('echo', { text: 'still here' })).isError).toBe(false)
  })

  test('asks its user, whose yes lets the call run', async () => {
    const messages: string[] = []
    const client = await open(transport, (message) => {
      messages.push(message)
      return { action: 'accept', content: { decision: 'approve' } }
    })
    const result = await client.call('note', { text: 'hi' })
    expect(result).toMatchObject({ structuredContent: { noted: 'hi in notes.txt' }, isError: false })
    expect(messages).toEqual([expect.stringContaining('Files affected: notes.txt')])
  })

  test('gets instructions if it refuses without asking its user', async () => {
    const client = await open(transport, () => ({ action: 'decline' }))
    const result = await client.call('note', { text: 'hi' })
    expect(result._meta!['toolpact/error']).toMatchObject({ code: 'approval_required' })
    expect(result.content[0]!.text).toMatch(/toolpact approvals approve [0-9a-f]{8}/)
  })
})

/** Why errors are not structured content for clients before 2026-07-28: one of them would lose the error. */
test('the v1 client rejects an error whose structured content is not an output', async () => {
  const tool = { name: 'fails', inputSchema: { type: 'object' }, outputSchema: { type: 'object', required: ['said'] } }
  const server = new Server(info, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [tool] }) as never)
  const error = { content: [{ type: 'text', text: 'no' }], isError: true, structuredContent: { code: 'no' } }
  server.setRequestHandler(CallToolRequestSchema, async () => error as never)
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client(info)
  await Promise.all([server.connect(theirs), client.connect(ours)])
  onTestFinished(() => client.close())
  await client.listTools()
  await expect(client.callTool({ name: 'fails' })).rejects.toThrow('does not match')
})

// All at once, since each takes as long as a person needs to read.
test('every client asks its user, whose no ends the call', async () => {
  const results = await Promise.all(
    pairs.map(async ({ open, transport }) => {
      const client = await open(transport, async () => {
        await sleep(minReadingMs + 100)
        return { action: 'accept', content: { decision: 'deny' } }
      })
      return client.call('note', { text: 'hi' })
    }),
  )
  expect(results).toHaveLength(pairs.length)
  for (const { _meta } of results) expect(_meta!['toolpact/error']).toMatchObject({ code: 'approval_denied' })
})
