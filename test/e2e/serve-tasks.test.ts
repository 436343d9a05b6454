import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { modernMeta } from '../helpers/open-mcp.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { untilStatus, withTasks } from '../helpers/task-calls.ts'

const openServeFolder = useServeFolders()
type Started = Awaited<ReturnType<ReturnType<typeof openServeFolder>['start']>>

const create = { name: 'create_file', arguments: { path: 'made.txt', content: 'x' } }
/** Runs for longer than a test. */
const command = {
  name: 'run_in_terminal',
  arguments: { command: 'echo began >> began.txt; sleep 60', timeout_seconds: 90 },
}
const workspace = ['--toolset', 'workspace']

function toClient({ send }: Started, capabilities = withTasks()) {
  const request = async (method: string, params: JsonObject) => {
    const name = String(params.taskId ?? params.name)
    const headers = {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': name },
    }
    const body = { jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta(capabilities), ...params } }
    return JSON.parse((await send('/mcp', { method: 'POST', headers, body: JSON.stringify(body) })).text)
  }
  const get = (taskId: string) => request('tasks/get', { taskId })
  return { request, get, until: (taskId: string, status: string) => untilStatus(get, taskId, status) }
}

async function kill(server: Started) {
  server.kill('SIGKILL')
  await server.exited
}

async function pendingId(run: ReturnType<typeof openServeFolder>['run']): Promise<string> {
  const { stdout } = await run(['approvals', '--json'])
  return JSON.parse(stdout)[0].id
}

test('a task that waits for approval survives a killed server: approved while none runs, it runs once with the next', async () => {
  const folder = openServeFolder()
  writeFileSync(join(folder.folder, 'toolpact.json'), JSON.stringify({ approval: { keepMs: 86_400_000 } }))
  const config = [...workspace, '--config', 'toolpact.json']
  const first = await folder.start(config)
  const { result } = await toClient(first).request('tools/call', create)
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  // As long as the question, and an hour more.
  expect(result.ttlMs).toBeGreaterThan(86_400_000)
  await kill(first)
  const id = await pendingId(folder.run)
  expect((await folder.run(['approvals', 'approve', id])).code).toBe(0)
  expect(existsSync(join(folder.folder, 'made.txt'))).toBe(false)
  const second = await folder.start(config)
  const ended = await toClient(second).until(result.taskId, 'completed')
  expect(ended.result).toMatchObject({ isError: false })
  expect(readFileSync(join(folder.folder, 'made.txt'), 'utf8')).toBe('x')
  await kill(second)
  const third = await folder.start(config)
  expect((await toClient(third).get(result.taskId)).result).toEqual(ended)
  const { stdout } = await folder.run(['ledger', '--json'])
  expect(stdout.match(/"state":"\w+"/g)).toEqual(['"state":"refused"', '"state":"succeeded"'])
})

test('a task that ran when its server was killed has failed as interrupted, and does not run again', async () => {
  const folder = openServeFolder()
  writeFileSync(join(folder.folder, 'toolpact.json'), JSON.stringify({ tasks: { afterMs: 100 } }))
  const config = [...workspace, '--config', 'toolpact.json', '--yes']
  const first = await folder.start(config)
  const { result } = await toClient(first).request('tools/call', command)
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  const began = () => readFileSync(join(folder.folder, 'began.txt'), 'utf8')
  await expect.poll(() => existsSync(join(folder.folder, 'began.txt')) && began(), { timeout: 60_000 }).toBe('began\n')
  await kill(first)
  const second = await folder.start(config)
  const ended = await toClient(second).until(result.taskId, 'failed')
  expect(ended).toMatchObject({ error: { code: -32603, data: { error: { code: 'interrupted' } } } })
  expect(ended.statusMessage).toMatch(/^interrupted: the server stopped while the call ran\./)
  expect(began()).toBe('began\n')
})

test('the SDK of 2025-11-25 follows a task, answers its question and gets the result', async () => {
  const folder = openServeFolder()
  const server = await folder.start(workspace)
  const client = new Client({ name: 'a test', version: '1' }, { capabilities: { elicitation: {} } })
  const asked: string[] = []
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { decision: 'approve' } }
  })
  const headers = { Authorization: `Bearer ${await folder.findToken()}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  await client.listTools()
  const { tasks } = client.experimental
  const statuses: string[] = []
  const seen = { taskId: '', text: '' }
  for await (const message of tasks.callToolStream(create, CallToolResultSchema, { task: { ttl: 60_000 } })) {
    if (message.type === 'taskCreated') seen.taskId = message.task.taskId
    if (message.type === 'taskStatus') statuses.push(message.task.status)
    if (message.type === 'result') seen.text = JSON.stringify(message.result)
    if (message.type === 'error') throw message.error
  }
  expect(asked).toEqual([expect.stringMatching(/^Tool: create_file\n/)])
  expect(statuses).toContain('input_required')
  expect(seen.text).toContain('made.txt')
  expect(readFileSync(join(folder.folder, 'made.txt'), 'utf8')).toBe('x')
  expect(await tasks.getTask(seen.taskId)).toMatchObject({ status: 'completed', ttl: expect.any(Number) })
  expect((await tasks.listTasks()).tasks.map(({ taskId }) => taskId)).toEqual([seen.taskId])
})
