import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openServeFolder = useServeFolders()
const me = userInfo().username
const serveArgs = ['--toolset', 'workspace', '--config', 'own.json']

function openFolder(config: object) {
  const folder = openServeFolder()
  const write = (next: object) => writeFileSync(join(folder.folder, 'own.json'), JSON.stringify(next))
  write(config)
  const file = join(folder.folder, 'a.txt')
  return { ...folder, write, file, start: () => folder.start(serveArgs) }
}

type Server = Awaited<ReturnType<ReturnType<typeof openFolder>['start']>>
const create = ({ send }: Server) =>
  send('/v1/tools/create_file', { body: JSON.stringify({ path: 'a.txt', content: 'x' }) })

test('a question that may wait for days survives a killed server, and its answer runs the repeated call once', async () => {
  const folder = openFolder({ approval: { keepMs: 3 * 86_400_000 } })
  const first = await folder.start()
  const { approval_id: id } = (await create(first)).json
  first.kill('SIGKILL')
  await first.exited
  const approved = await folder.run(['approvals', 'approve', id])
  expect(approved.stdout).toContain('its client must repeat the same call within 4320 minutes.')
  const second = await folder.start()
  expect(existsSync(folder.file)).toBe(false)
  expect(await create(second)).toMatchObject({ status: 200 })
  expect(readFileSync(folder.file, 'utf8')).toBe('x')
  rmSync(folder.file)
  expect((await create(second)).json.code).toBe('approval_required')
  expect(existsSync(folder.file)).toBe(false)
})

test('two people of the config answer, in the queue and over REST, and the ledger names both', async () => {
  const folder = openFolder({ groups: { ops: [me, 'bob'] }, approvers: [{ who: ['group:ops'], people: 2 }] })
  const server = await folder.start()
  const { approval_id: id } = (await create(server)).json
  const recorded = await folder.run(['approvals', 'approve', id])
  expect(recorded.stdout).toContain('Recorded: 1 of 2 people have approved')
  expect((await folder.run(['approvals'])).stdout).toContain('1 of 2 yes')
  const twice = await folder.run(['approvals', 'approve', id])
  expect(twice.code).toBe(1)
  expect(twice.stderr).toContain('It needs 2 different people.')
  expect((await create(server)).json.code).toBe('approval_required')
  const answer = JSON.stringify({ answer: 'yes' })
  expect((await server.send(`/v1/approvals/${id}`, { body: answer })).json.code).toBe('may_not_answer')
  const bob = await server.send(`/v1/approvals/${id}`, { body: answer, token: await folder.findToken('bob') })
  expect(bob).toMatchObject({ status: 200, json: { result: 'approved' } })
  expect(await create(server)).toMatchObject({ status: 200 })
  const ledger = JSON.parse((await folder.run(['ledger', 'show', '--json'])).stdout)
  expect(ledger.approval).toMatchObject({ answer: 'yes', by: `${me} and bob` })
})

test('a change of who may answer applies while serving', async () => {
  const folder = openFolder({ approvers: [{ who: ['bob'] }] })
  const server = await folder.start()
  const { approval_id: id } = (await create(server)).json
  const refused = await folder.run(['approvals', 'approve', id])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`${me} is not among the people who may answer this.`)
  folder.write({ approvers: [{ who: [me] }] })
  await server.untilTold('Applied: approvers.')
  const { approval_id: next } = (await create(server)).json
  expect(next).not.toBe(id)
  expect((await folder.run(['approvals', 'approve', next])).code).toBe(0)
  expect(await create(server)).toMatchObject({ status: 200 })
})

test('the person who runs a call does not answer it, not even with --yes', async () => {
  const folder = openFolder({ approvers: [{ who: [me, 'bob'] }] })
  const call = ['call', 'workspace.create_file', 'path=a.txt', 'content=x', '--config', 'own.json']
  const blind = await folder.run([...call, '--yes'])
  expect(blind.stderr).toContain(`${me} made this call and may not answer the question about it.`)
  const calling = folder.run([...call, '--wait', '8'])
  let id = ''
  await until(async () => {
    id = JSON.parse((await folder.run(['approvals', '--json'])).stdout)[0]?.id ?? ''
    return id !== ''
  })
  const own = await folder.run(['approvals', 'approve', id])
  expect(own.stderr).toContain('One person of these must answer: bob.')
  expect((await calling).code).not.toBe(0)
  expect(existsSync(folder.file)).toBe(false)
})

test('a client opens the question in the console of the running server, over HTTP and stdio', async () => {
  const folder = openFolder({ approval: { ask: 'console', waitMs: 300 } })
  const server = await folder.start()
  const env = Object.fromEntries(Object.entries(folder.env).filter(([, value]) => value !== undefined))
  const stdio = {
    command: process.execPath,
    args: [entries.toolpact, 'serve', '--stdio', ...serveArgs],
    cwd: folder.folder,
  }
  const headers = { Authorization: `Bearer ${await folder.findToken()}` }
  for (const transport of [
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
    new StdioClientTransport({ ...stdio, env: env as Record<string, string>, stderr: 'ignore' }),
  ]) {
    const opened: string[] = []
    const capabilities = { elicitation: { url: {} } }
    const client = new Client({ name: 'a test', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } })
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      opened.push(String((params as { url?: string }).url))
      return { action: 'accept' }
    })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const result = await client.callTool({ name: 'create_file', arguments: { path: 'a.txt', content: 'x' } })
    expect(JSON.stringify(result.content)).toContain('approval_required')
    const pending = JSON.parse((await folder.run(['approvals', '--json'])).stdout) as { id: string }[]
    expect(pending.map(({ id }) => `${server.url}/console/inbox/${id}`)).toContain(opened[0])
    // Nobody is signed in: the link alone answers nothing.
    const api = `/console/api/questions/${opened[0]!.split('/').at(-1)}`
    expect((await server.send(api, { token: null })).status).toBe(401)
  }
})

test('a new question is posted to the webhook once, and the repeated call is not', async () => {
  const received: string[] = []
  const hook = createServer(async (request, response) => {
    received.push(await text(request))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void hook.close())
  const host = `127.0.0.1:${(hook.address() as AddressInfo).port}`
  const out = 'notified'
  const folder = openFolder({
    policy: { allowHosts: [host] },
    approval: { notify: { webhook: { url: `http://${host}/` }, command: ['touch', out] } },
  })
  const server = await folder.start()
  const { approval_id: id } = (await create(server)).json
  await create(server)
  await until(() => received.length > 0 && existsSync(join(folder.folder, out)))
  await create(server)
  expect(received.map((body) => JSON.parse(body))).toEqual([
    {
      event: 'question',
      id,
      tool: 'workspace.create_file',
      risk: 'safe_write',
      caller: 'local',
      workspace: folder.folder.split('/').at(-1),
      link: `${server.url}/console/inbox/${id}`,
    },
  ])
})
