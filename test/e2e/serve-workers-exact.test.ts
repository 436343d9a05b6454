import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { findChildren } from '../helpers/find-processes.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openFolder = useServeFolders()
const info = { name: 'a test', version: '1' }
const hello = { body: '{"name":"Ada"}' }
const accept = { accept: 'application/json, text/event-stream' }

async function openServer(config: object, args: readonly string[] = []) {
  const folder = openFolder()
  writeFileSync(join(folder.folder, 'own.json'), JSON.stringify(config))
  const server = await folder.start(['--workers', '2', '--config', 'own.json', ...args])
  const requestInit = { headers: { Authorization: `Bearer ${await folder.findToken()}` } }
  const post = (message: object, headers: Record<string, string> = {}) =>
    server.send('/mcp', { body: JSON.stringify({ jsonrpc: '2.0', ...message }), headers: { ...accept, ...headers } })
  /** Begins a session at one of the workers, in turn. */
  const begin = async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info }
    const { headers } = await post({ id: 0, method: 'initialize', params })
    return { 'mcp-session-id': headers['mcp-session-id'] as string }
  }
  return { ...folder, ...server, requestInit, mcp: new URL(`${server.url}/mcp`), post, begin }
}

type Sent = { readonly status: number }
const countOk = (answers: readonly Sent[]) => answers.filter(({ status }) => status === 200).length
/** Each over a connection of its own, so that all workers get some. */
const all = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

test.concurrent('a session of one worker can be used and ended at any', async () => {
  const { post, begin, send } = await openServer({ toolsets: ['learning'] })
  const [one, other] = [await begin(), await begin()]
  expect([one, other].map((session) => session['mcp-session-id'][0]).toSorted()).toEqual(['1', '2'])
  const call = { method: 'tools/call', params: { name: 'hello', arguments: { name: 'Ada' } } }
  for (const session of [one, other]) {
    const answers = await all(8, (id) => post({ id, ...call }, session))
    expect(answers.map(({ json }) => json.result.structuredContent.greeting)).toEqual(answers.map(() => 'Hello, Ada!'))
    // A connection that leads to another worker is closed, so that the client comes by another.
    expect(new Set(answers.map(({ headers }) => headers.connection))).toEqual(new Set(['close']))
  }
  const wrong = await post({ id: 1, ...call }, { 'mcp-session-id': `${one['mcp-session-id'].slice(0, -1)}!` })
  expect(wrong.status).toBe(404)
  const stranger = await send('/mcp', { body: '{}', headers: { ...accept, ...one }, token: 'toolpact_wrong' })
  expect(stranger.status).toBe(401)
  const ends = await all(2, () => send('/mcp', { method: 'DELETE', headers: one }))
  expect(ends.map(({ status }) => status).toSorted()).toEqual([204, 404])
  expect((await all(4, (id) => post({ id, ...call }, one))).map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await post({ id: 9, ...call }, other)).status).toBe(200)
})

test.concurrent('a session whose worker was killed has ended, and the others go on', async () => {
  const { post, begin, pid, untilTold, output } = await openServer({ toolsets: ['learning'] })
  const sessions = [await begin(), await begin()]
  process.kill(findChildren(pid)[0]!, 'SIGKILL')
  await untilTold(/Worker \d ended/)
  const [, killed] = /Worker (\d) ended/.exec(output.stderr)!
  const ping = { id: 1, method: 'ping' }
  const answers = await Promise.all(sessions.map((session) => post(ping, session)))
  const ofKilled = sessions.findIndex((session) => session['mcp-session-id'].startsWith(`${killed}.`))
  expect(answers[ofKilled]!.status).toBe(404)
  expect(answers[1 - ofKilled]!.status).toBe(200)
})

test.concurrent('a rate limit is exact at all workers together', async () => {
  const limits = { 'learning.hello': { calls: { count: 17, windowMs: 600_000 } } }
  const { send } = await openServer({ toolsets: ['learning'], limits })
  const answers = await all(60, () => send('/v1/tools/hello', hello))
  expect(countOk(answers)).toBe(17)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(43)
})

test.concurrent('a request with an idempotency key runs once, and a query makes one call', async () => {
  const { send, run } = await openServer({ toolsets: ['workspace'] }, ['--yes'])
  const create = (path: string, headers: Record<string, string>) =>
    send('/v1/tools/create_file', { body: JSON.stringify({ path, content: 'x' }), headers })
  await all(12, () => create('a.txt', { 'Idempotency-Key': 'the-same' }))
  expect(countOk(await all(12, () => create('b.txt', { 'Toolpact-Query': 'q1' })))).toBe(1)
  const { stdout } = await run(['ledger', '--json'])
  const states = stdout.trim().split('\n').map((line) => JSON.parse(line).state) // biome-ignore format: one line
  expect(states.filter((state) => state === 'succeeded')).toHaveLength(2)
})

test.concurrent('with --single-step a caller without a session makes one call at all workers together', async () => {
  const { send } = await openServer({ toolsets: ['learning'] }, ['--single-step'])
  expect(countOk(await all(12, () => send('/v1/tools/hello', hello)))).toBe(1)
})

test('a question is answered once, at whichever worker the answer arrives', async () => {
  const { requestInit, mcp, run } = await openServer({ toolsets: ['workspace'] })
  const client = new Client(info, { capabilities: { elicitation: {} } })
  onTestFinished(() => client.close())
  let asked = 0
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked += 1
    return { action: 'accept', content: { decision: 'approve' } }
  })
  // Each request over a connection of its own: the answer to a question comes to another worker than the question.
  const fetchOnce: typeof fetch = (url, init) => fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' } }) // biome-ignore format: one line
  await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit, fetch: fetchOnce }) as never)
  const results = await all(6, (index) => client.callTool({ name: 'create_file', arguments: { path: `${index}.txt`, content: 'x' } })) // biome-ignore format: one line
  expect(results.map(({ isError }) => isError)).toEqual(results.map(() => false))
  expect(asked).toBe(6)
  expect((await run(['ledger', '--verify'])).code).toBe(0)
})

test.concurrent('an approval is used once, by one of many calls at all workers', async () => {
  const { send, run } = await openServer({ toolsets: ['workspace'] })
  const create = () => send('/v1/tools/create_file', { body: '{"path":"a.txt","content":"x"}' })
  expect((await create()).json.code).toBe('approval_required')
  const [id] = /(?<="id": ?")[^"]+/.exec((await run(['approvals', '--json'])).stdout)!
  expect((await run(['approvals', 'approve', id])).code).toBe(0)
  expect(countOk(await all(10, create))).toBe(1)
})

test.concurrent('a call that waits for input goes on with an answer at another worker', async () => {
  const desk = { command: process.execPath, args: [entries.asking], withoutOutputSchema: 'opaque', approval: 'never', risk: 'read_only' } // biome-ignore format: one line
  const { post, output } = await openServer({ mcpServers: { desk } })
  expect(output.stderr.match(/Each of the 2 workers runs its own copy of desk/g)).toHaveLength(1)
  const key = (name: string) => `io.modelcontextprotocol/${name}`
  const _meta = { [key('protocolVersion')]: '2026-07-28', [key('clientInfo')]: info, [key('clientCapabilities')]: { elicitation: {} } } // biome-ignore format: one line
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'form' }
  const call = async (more: object = {}) => (await post({ id: 1, method: 'tools/call', params: { name: 'form', arguments: {}, _meta, ...more } }, headers)).json.result // biome-ignore format: one line
  // Workers take connections in turn, so each answer comes to another one than its question.
  for (let round = 0; round < 2; round++) {
    const { resultType, requestState } = await call()
    expect([resultType, requestState]).toEqual(['input_required', expect.stringMatching(/^call-[12]\./)])
    const inputResponses = { answer: { action: 'accept', content: { name: 'Ada' } } }
    expect(JSON.stringify(await call({ requestState, inputResponses }))).toContain('Ada')
  }
})

test('the stream of a session announces changes, whichever worker has it', async () => {
  const config = { toolsets: ['learning'], mcpServers: {} }
  const { requestInit, mcp, folder } = await openServer(config)
  const clients = await all(4, async () => {
    const client = new Client(info)
    onTestFinished(() => client.close())
    let changes = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++)
    await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit }) as never)
    return { client, changes: () => changes }
  })
  writeFileSync(
    join(folder, 'own.json'),
    JSON.stringify({ ...config, callers: { local: { tools: ['learning.hello'] } } }),
  )
  await until(() => clients.every(({ changes }) => changes() > 0))
  for (const { client } of clients) expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['hello'])
})
