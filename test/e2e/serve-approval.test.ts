import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openServeFolder = useServeFolders()
type Folder = ReturnType<typeof openServeFolder>
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: { decision: string } }

interface Connected {
  /** Creates a file; gives the text of the result. */
  create(path: string, onprogress?: (progress: { progress: number; message?: string }) => void): Promise<string>
  close(): Promise<void>
}

interface Wanted {
  readonly args?: readonly string[]
  readonly answer?: () => Answer
}

const info = { name: 'a test', version: '1' }
const settings = { approval: { waitMs: 300 } }

type OnProgress = Parameters<Connected['create']>[1]
type Call = (params: { name: string; arguments: Record<string, string> }, onprogress: OnProgress) => Promise<unknown>

function toConnected(client: { close(): Promise<void> }, call: Call): Connected {
  onTestFinished(() => client.close())
  return {
    close: () => client.close(),
    async create(path, onprogress) {
      const params = { name: 'create_file', arguments: { path, content: 'x' } }
      const result = (await call(params, onprogress)) as { content: { text: string }[] }
      return result.content[0]!.text
    },
  }
}

async function connectLegacy(transport: 'stdio' | 'http', folder: Folder, { args = [], answer }: Wanted) {
  const client = new Client(info, { capabilities: answer ? { elicitation: {} } : {} })
  if (answer) client.setRequestHandler(ElicitRequestSchema, async () => answer())
  const carrier = transport === 'stdio' ? new StdioClientTransport(toCommand(folder, args)) : await toHttp(folder, args)
  await client.connect(carrier as StdioClientTransport)
  return toConnected(client, (params, onprogress) =>
    client.callTool(params, undefined, onprogress && { onprogress, resetTimeoutOnProgress: true }),
  )

  async function toHttp(folder: Folder, args: readonly string[]) {
    const { url, headers } = await startHttp(folder, args)
    return new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  }
}

async function connectModern(transport: 'stdio' | 'http', folder: Folder, { args = [], answer }: Wanted) {
  const capabilities = answer ? { elicitation: {} } : {}
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode: 'auto' } })
  if (answer) client.setRequestHandler('elicitation/create', async () => answer() as never)
  const carrier = transport === 'stdio' ? new ModernStdio(toCommand(folder, args)) : await toHttp(folder, args)
  await client.connect(carrier)
  return toConnected(client, (params, onprogress) => client.callTool(params, onprogress && { onprogress }))

  async function toHttp(folder: Folder, args: readonly string[]) {
    const { url, headers } = await startHttp(folder, args)
    return new ModernHttp(url, { requestInit: { headers } })
  }
}

function toCommand({ folder, env }: Folder, args: readonly string[]) {
  const command = [entries.toolpact, 'serve', '--stdio', '--toolset', 'workspace', '--config', 'own.json', ...args]
  const own = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  return { command: process.execPath, args: command, cwd: folder, env: own, stderr: 'ignore' as const }
}

async function startHttp({ start, findToken }: Folder, args: readonly string[]) {
  const { url } = await start(['--toolset', 'workspace', '--config', 'own.json', ...args])
  return { url: new URL(`${url}/mcp`), headers: { Authorization: `Bearer ${await findToken()}` } }
}

function openFolder(config: object = settings): Folder {
  const folder = openServeFolder()
  writeFileSync(join(folder.folder, 'own.json'), JSON.stringify(config))
  return folder
}

const idIn = (text: string) => /toolpact approvals approve ([0-9a-f]{8})/.exec(text)![1]!

describe.each([
  ['2025-11-25', connectLegacy],
  ['2026-07-28', connectModern],
] as const)('toolpact serve at %s', (_, connect) => {
  test.each(['decline', 'cancel'] as const)(
    'answers a headless client that says %s in time, and runs the repeated call of its successor',
    async (action) => {
      const folder = openFolder()
      const asked = vi.fn(() => ({ action }))
      const first = await connect('stdio', folder, { answer: asked })
      const text = await first.create('a.txt')
      expect(text).toMatch(/^approval_required: .*a\.txt.*repeat the same call/s)
      expect(asked).toHaveBeenCalledOnce()
      await first.close()
      const approved = await folder.run(['approvals', 'approve', idIn(text)])
      expect(approved.stdout).toContain('repeat the same call within 10 minutes.')
      expect(approved.stdout).not.toContain('runs now')
      expect(existsSync(join(folder.folder, 'a.txt'))).toBe(false)
      const second = await connect('stdio', folder, { answer: asked })
      expect(await second.create('a.txt')).toContain('a.txt')
      expect(readFileSync(join(folder.folder, 'a.txt'), 'utf8')).toBe('x')
      expect(asked).toHaveBeenCalledOnce()
      const ledger = JSON.parse((await folder.run(['ledger', 'show', '--json'])).stdout)
      expect(ledger.approval).toMatchObject({ answer: 'yes', via: 'queue' })
      expect(JSON.stringify(ledger.approval)).not.toContain('stdio')
    },
  )

  test('runs a waiting call over HTTP when it is approved, and says so; the client gets progress meanwhile', async () => {
    const folder = openFolder({ approval: { waitMs: 60_000 } })
    const client = await connect('http', folder, {})
    const messages: string[] = []
    const calling = client.create('a.txt', ({ message = '' }) => messages.push(message))
    await vi.waitUntil(() => messages.length > 0, { timeout: 60_000 })
    expect(messages[0]).toContain('Waiting for approval of create_file (a.txt).')
    const approved = await folder.run(['approvals', 'approve', idIn(messages[0]!), '--for-tool'])
    expect(approved.stdout).toContain('runs now.')
    expect(await calling).toContain('a.txt')
    expect(await client.create('b.txt')).toContain('b.txt')
    expect(existsSync(join(folder.folder, 'b.txt'))).toBe(true)
    const rules = JSON.parse((await folder.run(['rules', '--json'])).stdout)
    expect(rules).toMatchObject([{ tool: 'workspace.create_file', pattern: '*', scope: 'workspace' }])
  })

  test.each([
    ['--ask-in queue', ['--ask-in', 'queue'], settings],
    ['the config', [], { ...settings, callers: { stdio: { approval: { ask: 'queue' } } } }],
  ])('does not ask the client if %s says so', async (_, args, config) => {
    const answer = vi.fn((): Answer => ({ action: 'accept', content: { decision: 'approve' } }))
    const client = await connect('stdio', openFolder(config), { args, answer })
    expect(await client.create('a.txt')).toContain('approval_required')
    expect(answer).not.toHaveBeenCalled()
  })

  test('does not let a client without progress wait longer than is safe, whatever --wait says', async () => {
    const folder = openFolder()
    const client = await connect('stdio', folder, { args: ['--wait', '600'] })
    const text = await client.create('a.txt')
    expect(text).toContain('approval_required')
    await folder.run(['approvals', 'approve', idIn(text)])
    expect(existsSync(join(folder.folder, 'a.txt'))).toBe(false)
  })
})

test('approve says that the client of a REST call must repeat it, and never that it runs now', async () => {
  const folder = openFolder()
  const { send } = await folder.start(['--toolset', 'workspace', '--config', 'own.json'])
  const create = () => send('/v1/tools/create_file', { body: JSON.stringify({ path: 'a.txt', content: 'x' }) })
  const { approval_id: id } = (await create()).json
  const approved = await folder.run(['approvals', 'approve', id])
  expect(approved.stdout).toContain('its client must repeat the same call within 10 minutes.')
  expect(approved.stdout).not.toContain('runs now')
  expect(existsSync(join(folder.folder, 'a.txt'))).toBe(false)
  expect(await create()).toMatchObject({ status: 200 })
  expect(existsSync(join(folder.folder, 'a.txt'))).toBe(true)
})

test('serve refuses a place to ask that it does not know', async () => {
  const { code, stderr } = await openFolder().run(['serve', '--ask-in', 'nowhere'])
  expect(code).toBe(2)
  expect(stderr).toContain('Use client, queue, both, console.')
})
