import { generateKeyPairSync } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
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
  const token = (await run(['token', 'create', 'local'])).stdout.trim()
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

  test('seal one ledger with one key, which is kept in the database unless the config names another', async () => {
    const { a, b, run, token, folders, env } = await openReplicas('sealed')
    for (const { send } of [a, b]) expect((await send(path, { ...hello, token })).status).toBe(200)
    const keys = await Promise.all(folders.map((folder) => folder.run(['ledger', 'key'], { env })))
    expect(keys[0]!.stdout).toMatch(/^toolpact\/ledger\/[0-9a-f]{32}\+/)
    expect(keys[1]!.stdout).toBe(keys[0]!.stdout)
    for (const folder of folders) expect(existsSync(join(folder.folder, 'state/ledger-key.pem'))).toBe(false)
    const read = async (args: string[]) => JSON.parse((await run([...args, '--json'])).stdout.split('\n')[0]!)
    await until(async () => (await read(['verify'])).seal.newest?.size >= 4)
    const { intact, seal } = await read(['verify'])
    expect({ intact, isLocalKey: seal.isLocalKey }).toEqual({ intact: true, isLocalKey: true })
    expect(seal.limits[0]).toContain('The key that signs is in the database')
    // Anyone who has only the key can check a proof of the other server's call.
    const { callId } = (await read(['ledger'])) as { callId: string }
    expect((await folders[1].run(['ledger', 'prove', callId, '--output', 'proof.json'], { env })).code).toBe(0)
    const proof = join(folders[1].folder, 'proof.json')
    expect((await folders[0].run(['verify', proof, '--key', keys[0]!.stdout.trim()])).code).toBe(0)

    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
    writeFileSync(join(folders[0].folder, 'key.pem'), pem, { mode: 0o600 })
    const config = { toolsets: ['learning'], ledger: { signing: { key: 'key.pem', origin: 'example.com/ledger' } } }
    writeFileSync(join(folders[0].folder, 'own.json'), JSON.stringify(config))
    const signed = await run(['call', 'learning.hello', 'name=Ada', '--config', 'own.json'])
    expect(signed.code).toBe(0)
    const after = await read(['verify', '--config', 'own.json'])
    expect(after).toMatchObject({ intact: true, seal: { newest: { origin: 'example.com/ledger' }, isLocalKey: false } })
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
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ storage: { postgres: 'postgres://nobody:hunter2secret@127.0.0.1:1,127.0.0.1:2/nowhere' } })) // biome-ignore format: one line
    const nowhere = await run(args)
    expect(nowhere.stderr).toContain('Postgres at 127.0.0.1:1,127.0.0.1:2/nowhere')
    expect(nowhere.stdout + nowhere.stderr).not.toContain('hunter2secret')
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ storage: { postgres: address } }))
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
