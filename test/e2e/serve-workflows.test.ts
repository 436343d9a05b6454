import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { modernMeta } from '../helpers/open-mcp.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'
import { untilStatus, withTasks } from '../helpers/task-calls.ts'
import { makeWorkflowFolder, readLog, step } from '../helpers/workflow-folder.ts'

const openServeFolder = useServeFolders()
type Folder = ReturnType<typeof openWorkflows>
type Started = Awaited<ReturnType<Folder['start']>>

const given = { $from: '/input/text' }
const said = { result: { said: { $from: '/steps/two/output/text' } } }
const workflows = {
  both: { steps: [step('one', 'note', given), step('two', 'send', given)], ...said },
  asking: { steps: [step('one', 'note', given), step('two', 'publish', given)], ...said },
  slow: {
    steps: [step('one', 'note', given), step('two', 'note', 'slow 4000'), step('three', 'note', 'end')],
    ...said,
  },
}
const call = (name: string) => ({ name, arguments: { text: 'hi' } })

/** Answers soon: no client of these tests waits for long. */
const settings = { tasks: { afterMs: 300 }, approval: { waitMs: 1500 } }

function openWorkflows() {
  const folder = openServeFolder()
  const flow = makeWorkflowFolder(workflows, folder.folder)
  writeFileSync(join(folder.folder, 'toolpact.json'), JSON.stringify(settings))
  const args = ['--config', 'toolpact.json', '--contracts', flow, '--toolset', 'flow']
  const toolpact = (...words: string[]) => folder.run([...words, '--config', 'toolpact.json', '--contracts', flow])
  async function approve() {
    let id: string | undefined
    const list = async () => JSON.parse((await folder.run(['approvals', '--json'])).stdout)
    await expect.poll(async () => (id = (await list())[0]?.id), { timeout: 60_000 }).toBeDefined()
    expect((await folder.run(['approvals', 'approve', id!])).code).toBe(0)
  }
  const stdio = { command: process.execPath, args: [entries.toolpact, 'serve', '--stdio', ...args], cwd: folder.folder, env: folder.env as Record<string, string>, stderr: 'ignore' as const } // biome-ignore format: one line
  return { ...folder, args, stdio, toolpact, approve, start: () => folder.start(args), log: () => readLog(flow) }
}

function toTasks({ send }: Started) {
  const request = async (method: string, params: JsonObject) => {
    const headers = {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...{
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        'Mcp-Name': String(params.taskId ?? params.name),
      },
    }
    const body = { jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta(withTasks()), ...params } }
    return JSON.parse((await send('/mcp', { method: 'POST', headers, body: JSON.stringify(body) })).text)
  }
  const get = (taskId: string) => request('tasks/get', { taskId })
  return { request, get, until: (taskId: string, status: string) => untilStatus(get, taskId, status) }
}

async function kill(server: Started) {
  server.kill('SIGKILL')
  await server.exited
}

test('a task of a run that waits for approval survives a killed server: approved while none runs, it ends with the next', async () => {
  const folder = openWorkflows()
  const first = await folder.start()
  const { result } = await toTasks(first).request('tools/call', call('asking'))
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  await expect.poll(async () => (await toTasks(first).get(result.taskId)).result.statusMessage, { timeout: 30_000 }).toContain('The step two waits for approval.') // biome-ignore format: one line
  await kill(first)
  await folder.approve()
  expect(folder.log()).toEqual(['one hi'])
  const second = await folder.start()
  const ended = await toTasks(second).until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ isError: false, structuredContent: { said: 'hi' } })
  expect(folder.log()).toEqual(['one hi', 'two hi'])
  await kill(second)
  // The end is stored with the task.
  expect((await toTasks(await folder.start()).get(result.taskId)).result).toEqual(ended)
})

test('a run whose server is killed during a step goes on with the next server, and its task with it', async () => {
  const folder = openWorkflows()
  const first = await folder.start()
  const { result } = await toTasks(first).request('tools/call', call('slow'))
  await expect.poll(() => folder.log(), { timeout: 30_000 }).toContain('two slow 4000')
  await kill(first)
  const second = await folder.start()
  const ended = await toTasks(second).until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ isError: false, structuredContent: { said: 'slow 4000' } })
  // The tool says that it may run again, and recognizes its key.
  expect(folder.log()).toEqual(['one hi', 'two slow 4000', 'three end'])
})

test('the SDK of 2025-11-25 follows a run as a task over HTTP, while a person approves elsewhere', async () => {
  const folder = openWorkflows()
  const { url } = await folder.start()
  const client = new Client({ name: 'a test', version: '1' })
  const headers = { Authorization: `Bearer ${await folder.findToken()}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  await client.listTools()
  const approved = folder.approve()
  let text = ''
  const stream = client.experimental.tasks.callToolStream(call('asking'), CallToolResultSchema, { task: { ttl: 60_000 } }) // biome-ignore format: one line
  for await (const message of stream) {
    if (message.type === 'error') throw message.error
    if (message.type === 'result') text = JSON.stringify(message.result)
  }
  await approved
  expect(text).toContain('"said":"hi"')
  expect(folder.log()).toEqual(['one hi', 'two hi'])
})

const transports = ['stdio', 'http'] as const

async function toPlace(folder: Folder, transport: (typeof transports)[number]) {
  if (transport === 'stdio') return undefined
  const { url } = await folder.start()
  return { url: new URL(`${url}/mcp`), options: { requestInit: { headers: { Authorization: `Bearer ${await folder.findToken()}` } } } } // biome-ignore format: one line
}

test.each(transports)('the SDK v1 over %s gets progress per step, and the output', async (transport) => {
  const folder = openWorkflows()
  const place = await toPlace(folder, transport)
  const client = new Client({ name: 'a test', version: '1' })
  const carrier = place ? new StreamableHTTPClientTransport(place.url, place.options) : new StdioClientTransport(folder.stdio) // biome-ignore format: one line
  await client.connect(carrier as StdioClientTransport)
  onTestFinished(() => client.close())
  await client.listTools()
  const seen: (string | undefined)[] = []
  const result = await client.callTool(call('both'), undefined, { onprogress: ({ message }) => seen.push(message) })
  expect(result).toMatchObject({ isError: false, structuredContent: { said: 'hi' } })
  expect(seen).toEqual(['one (flow.note)', 'two (flow.send)'])
})

test.each(transports)(
  'the SDK v2 over %s repeats the call of a run that waits, and starts no second one',
  async (transport) => {
    const folder = openWorkflows()
    const place = await toPlace(folder, transport)
    const open = async () => {
      const client = new ModernClient({ name: 'a test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }) // biome-ignore format: one line
      await client.connect(place ? new ModernHttp(place.url, place.options) : new ModernStdio(folder.stdio))
      onTestFinished(() => client.close())
      await client.listTools()
      return client
    }
    const client = await open()
    const seen: (string | undefined)[] = []
    const first = await client.callTool(call('asking'), { onprogress: ({ message }) => seen.push(message) })
    expect(first).toMatchObject({ isError: true, _meta: { 'toolpact/error': { code: 'run_pending' } } })
    expect(seen[0]).toBe('one (flow.note)')
    // Over stdio, its server ends with the client: another process has the result.
    await client.close()
    await folder.approve()
    const again = await open()
    expect(await again.callTool(call('asking'))).toMatchObject({ isError: false, structuredContent: { said: 'hi' } })
    expect(folder.log()).toEqual(['one hi', 'two hi'])
    expect(JSON.parse((await folder.toolpact('runs', '--json')).stdout)).toHaveLength(1)
  },
)

test('over REST a run that was answered with 202 goes on after a kill, and its result is at its address', async () => {
  const folder = openWorkflows()
  const first = await folder.start()
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' }, body: '{"text":"hi"}' } // biome-ignore format: one line
  const { status, headers } = await first.send('/v1/tools/slow', post)
  expect(status).toBe(202)
  const location = String(headers.location)
  await expect.poll(() => folder.log(), { timeout: 30_000 }).toContain('two slow 4000')
  await kill(first)
  const second = await folder.start()
  const read = async () => JSON.parse((await second.send(location)).text)
  await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe('completed')
  expect(await read()).toMatchObject({ output: { said: 'slow 4000' }, progress: { done: 3, total: 3 } })
})

test('run --detach leaves the run to a running server', async () => {
  const folder = openWorkflows()
  await folder.start()
  const { code, stdout, stderr } = await folder.toolpact('run', 'slow', 'text=hi', '--detach')
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^To follow it: toolpact runs show [0-9a-f]{8} --follow\n$/),
  ])
  const id = stdout.trim()
  const followed = await folder.toolpact('runs', 'show', id, '--follow')
  expect(followed.stderr).toMatch(/ {2}✓ {2}three {2}flow\.note/)
  expect(followed.stdout).toContain('State     completed')
})

test('a server that is stopped lets the step in flight end, and the next one goes on', async () => {
  const folder = openWorkflows()
  const first = await folder.start()
  const { result } = await toTasks(first).request('tools/call', call('slow'))
  await expect.poll(() => folder.log(), { timeout: 30_000 }).toContain('two slow 4000')
  first.kill('SIGTERM')
  expect(await first.exited).toBe(143)
  const runs = JSON.parse((await folder.toolpact('runs', '--json')).stdout)
  expect(runs).toMatchObject([{ state: 'running', progress: { done: 2, total: 3 } }])
  const ended = await toTasks(await folder.start()).until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ isError: false })
})
