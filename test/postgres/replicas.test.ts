import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

const openServeFolder = useServeFolders()
const path = '/v1/tools/learning.hello'
const hello = { body: '{"name":"Ada"}' }

/** Two servers, each with a state directory of its own, as on two machines. */
async function openReplicas(tenant: string, toolset = 'learning') {
  const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: tenant }
  const folders = [openServeFolder(), openServeFolder()] as const
  const run = (command: readonly string[]) => folders[0].run(command, { env })
  const token = (await run(['token'])).stdout.trim()
  const [a, b] = await Promise.all(
    folders.map((folder) => folder.start(['--toolset', toolset, '--workspace', folders[0].folder], { env })),
  )
  return { a: a!, b: b!, run, token, folders, env }
}

describe.skipIf(!hasPostgres)('two servers on one Postgres', () => {
  test('share tokens, rules and one ledger', async () => {
    const { a, b, run, token } = await openReplicas('shared')
    expect(token).toMatch(/^toolpact_[\w-]{43}$/)
    for (const { send } of [a, b])
      expect((await send(path, { ...hello, token })).json).toEqual({ greeting: 'Hello, Ada!' })
    const calls = (await run(['ledger', '--json'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(calls.filter(({ tool }) => tool === 'learning.hello')).toHaveLength(2)
    expect((await run(['ledger', '--verify'])).code).toBe(0)
    expect(
      (await run(['rules', 'add', 'learning.hello', '.*Ada.*', '--action', 'deny', '--scope', 'everywhere'])).code,
    ).toBe(0)
    for (const { send } of [a, b]) await until(async () => (await send(path, { ...hello, token })).status === 403)
    // Each call records by which rules it was decided.
    const versions = "SELECT count(DISTINCT text::json ->> 'policyVersion') FROM toolpact.ledger WHERE tenant = 'shared' AND text LIKE '%policyVersion%'" // biome-ignore format: one line
    expect(cluster!.psql(versions)).toBe('2')
    const renewed = (await run(['token', 'rotate', 'local'])).stdout.trim()
    for (const { send } of [a, b]) {
      await until(async () => (await send(path, { ...hello, token })).status === 401)
      expect((await send('/v1/tools', { token: renewed })).status).toBe(200)
    }
  })

  test('run a request with one idempotency key once', async () => {
    const { a, b, run, token } = await openReplicas('keys', 'workspace')
    const added = await run(['rules', 'add', 'workspace.create_file', 'path: notes/**/*.txt', '--scope', 'everywhere'])
    expect(added.code).toBe(0)
    const create = '/v1/tools/workspace.create_file'
    const body = '{"path":"notes/a.txt","content":"x"}'
    const send = (index: number) => (index % 2 ? a : b).send(create, { body, headers: { 'Idempotency-Key': 'one' }, token }) // biome-ignore format: one line
    // Both servers know the rule within a second.
    for (const [index, { send }] of [a, b].entries())
      await until(async () => (await send(create, { body: `{"path":"notes/${index}.txt","content":"x"}`, token })).status === 200) // biome-ignore format: one line
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    const ran = 'SELECT count(*) FROM toolpact.ledger WHERE tenant = \'keys\' AND text LIKE \'%"kind":"outcome"%\''
    expect(cluster!.psql(ran)).toBe('3')
    for (const index of [0, 1]) expect((await send(index)).status).toBe(200)
  })

  test('are configured in toolpact.json with a variable, and never print its password', async () => {
    const { run, start, folder } = openServeFolder()
    const address = `postgres://nobody:\${DB_PASSWORD}@127.0.0.1:${cluster!.port}/nowhere`
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ storage: { postgres: address } }))
    const args = ['call', 'learning.hello', 'name=Ada', '--config', 'own.json']
    const unset = await run(args)
    expect(unset.stderr).toContain('DB_PASSWORD, which is not set')
    const failed = await run(args, { env: { DB_PASSWORD: 'hunter2secret' } })
    expect(failed.code).not.toBe(0)
    expect(failed.stderr).toContain(`Postgres at 127.0.0.1:${cluster!.port}/nowhere failed`)
    expect(failed.stdout + failed.stderr).not.toContain('hunter2secret')
    const started = start(['--config', 'own.json'], { env: { DB_PASSWORD: 'hunter2secret' } })
    const message = await started.then(
      () => 'It started.',
      (error: Error) => error.message,
    )
    expect(message).toContain('Postgres at')
    expect(message).not.toContain('hunter2secret')
  })

  test('a config that is not trusted cannot send the records elsewhere', async () => {
    const { run, folder } = openServeFolder()
    writeFileSync(join(folder, 'toolpact.json'), JSON.stringify({ storage: { postgres: 'postgres://127.0.0.1:1/x' } }))
    const { code, stdout } = await run(['call', 'learning.hello', 'name=Ada'])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello, Ada!') })
  })
})
