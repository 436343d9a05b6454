import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findChildren } from '../helpers/find-processes.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres } from '../helpers/postgres-cluster.ts'
import { usePostgresTenants } from './open-tenants.ts'

const { openTenantFolder, cluster } = await usePostgresTenants()
const openServeFolder = useServeFolders()

const hello = { body: '{"name":"Ada"}' }
const file = (path: string) => ({ body: JSON.stringify({ path, content: path }) })
const limits = { 'learning.hello': { calls: { count: 17, windowMs: 600_000 } } }
const helloPath = '/v1/tools/learning.hello'
const createPath = '/v1/tools/workspace.create_file'

type Sent = { readonly status: number }
const countOk = (answers: readonly Sent[]) => answers.filter(({ status }) => status === 200).length
/** Each over a connection of its own, and connections go to the workers in turn. */
const all = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

describe.skipIf(!hasPostgres)('workers on one Postgres', () => {
  /** Two servers of two workers each, and a person's command line. */
  async function openServers(tenant: string, config: object) {
    const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: tenant }
    const folders = [openServeFolder(), openServeFolder()]
    const workspace = folders[0]!.folder
    for (const { folder } of folders) writeFileSync(join(folder, 'own.json'), JSON.stringify({ toolsets: ['learning', 'workspace'], ...config })) // biome-ignore format: one line
    const run = (args: readonly string[]) => folders[0]!.run(args, { env })
    const token = (await run(['token', 'create', 'local'])).stdout.trim()
    const args = ['--workers', '2', '--config', 'own.json', '--workspace', workspace]
    const servers = await Promise.all(folders.map(({ start }) => start(args, { env })))
    /** To the two servers in turn. */
    const send = (index: number, path: string, more: object) => servers[index % 2]!.send(path, { token, ...more })
    return { run, servers, send }
  }

  test('of two servers keep limits and approvals exactly, all four together', async () => {
    const { run, servers, send } = await openServers('workers', { limits, approval: { waitMs: 0 } })
    expect(countOk(await all(60, (index) => send(index, helloPath, hello)))).toBe(17)
    const asked = await send(0, createPath, file('a.txt'))
    expect(asked.json.code).toBe('approval_required')
    expect((await run(['approvals', 'approve', asked.json.approval_id])).code).toBe(0)
    expect(countOk(await all(12, (index) => send(index, createPath, file('a.txt'))))).toBe(1)
    for (const { kill } of servers) kill('SIGTERM')
    expect(await Promise.all(servers.map(({ exited }) => exited))).toEqual([143, 143])
    const { stdout, code } = await run(['verify', '--full', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { intact: true }])
  })

  test('that are killed at random lose no acknowledged call, and are replaced', async () => {
    const { run, servers, send } = await openServers('killed', {})
    const acknowledged: string[] = []
    let isOver = false
    const loading = all(4, async (index) => {
      for (let turn = index; !isOver && turn < 4000; turn++) {
        const answer = await send(turn, helloPath, hello).catch(() => undefined)
        if (answer?.status === 200) acknowledged.push(answer.headers['toolpact-call-id'] as string)
      }
    })
    for (let round = 0; round < 6; round++) {
      const { pid } = servers[round % 2]!
      const before = findChildren(pid)
      const told = acknowledged.length
      await until(() => acknowledged.length >= told + 20)
      process.kill(before[Math.floor(Math.random() * before.length)]!, 'SIGKILL')
      await until(() => {
        const now = findChildren(pid)
        return now.length === 2 && now.some((worker) => !before.includes(worker))
      })
    }
    isOver = true
    await loading
    for (const { kill } of servers) kill('SIGTERM')
    await Promise.all(servers.map(({ exited }) => exited))
    const verified = await run(['verify', '--full', '--json'])
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { intact: true }])
    const { stdout } = await run(['ledger', '--json', '--limit', '10000'])
    const calls = stdout.trim().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
    const succeeded = new Set(calls.filter(({ state }) => state === 'succeeded').map(({ callId }) => callId))
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((id) => !succeeded.has(id))).toEqual([])
  })

  test('serve the tenants of a config, each with its own limits, tokens and records at every worker', async () => {
    const config = {
      toolsets: ['learning', 'workspace'],
      http: { workers: 2 },
      telemetry: { metrics: {} },
      tenants: { by: 'host', names: { acme: { url: 'https://acme.example' }, globex: { url: 'https://globex.example' } } }, // biome-ignore format: one line
    } as const
    const { start, token, run } = openTenantFolder(config, { acme: { limits }, globex: { toolsets: ['learning'] } })
    const { sendTo, pid, kill, exited } = await start()
    expect(findChildren(pid)).toHaveLength(2)
    const tokens = { acme: await token('acme'), globex: await token('globex') }
    const at = (name: 'acme' | 'globex', whose = name) => sendTo(`${name}.example`, '/v1/tools/learning.hello', { token: tokens[whose], ...hello }) // biome-ignore format: one line
    expect(countOk(await all(40, () => at('acme')))).toBe(17)
    expect((await all(8, () => sendTo('globex.example', '/v1/tools/hello', { token: tokens.globex, ...hello }))).map(({ status }) => status)).toEqual(Array(8).fill(200)) // biome-ignore format: one line
    expect((await all(4, () => at('globex', 'acme'))).map(({ status }) => status)).toEqual([401, 401, 401, 401])
    kill('SIGTERM')
    expect(await exited).toBe(143)
    const count = async (tenant: string) => (await run(['ledger', '--json', '--limit', '1000'], tenant)).stdout.trim().split('\n').map((line) => JSON.parse(line)).filter(({ state }) => state === 'succeeded').length // biome-ignore format: one line
    expect(await Promise.all([count('acme'), count('globex')])).toEqual([17, 8])
  })
})
