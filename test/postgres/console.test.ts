import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../helpers/open-console.ts'
import { openEvents } from '../helpers/open-events.ts'
import { send } from '../helpers/open-http.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

const openServeFolder = useServeFolders()

/** Two servers, each with a state directory of its own, as on two machines. */
async function openReplicas(tenant: string) {
  const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: tenant }
  const folders = [openServeFolder(), openServeFolder()] as const
  const run = (command: readonly string[]) => folders[0].run(command, { env })
  const token = (await run(['token', 'create', 'local'])).stdout.trim()
  const args = ['--toolset', 'workspace', '--workspace', folders[0].folder, '--ask-in', 'queue']
  const start = (index: 0 | 1) => folders[index].start(args, { env })
  const [a, b] = await Promise.all([start(0), start(1)])
  /** A link that the server at this port makes. */
  const makeLink = async (port: number) => (await run(['open', '--print', '--port', `${port}`])).stdout.trim()
  return { a, b, start, token, makeLink }
}

describe.skipIf(!hasPostgres)('the console of two servers on one Postgres', () => {
  test('a link of one signs in at the other, once, and the session is valid at both until someone signs out', async () => {
    const { a, b, start, makeLink } = await openReplicas('links')
    const link = await makeLink(a.port)
    expect(link).toMatch(/\?once=[\w-]{43}$/)
    const first = await send(link.replace(a.url, b.url), { token: null })
    expect(first.status).toBe(303)
    for (const { url } of [a, b]) expect((await send(link.replace(a.url, url), { token: null })).status).toBe(401)
    const cookie = first.headers['set-cookie']![0]!.split(';')[0]!
    const look = async (url: string) => (await openBrowser(url, cookie).get('session')).status
    for (const { url } of [a, b]) expect(await look(url)).toBe(200)
    a.kill('SIGKILL')
    await a.exited
    const again = await start(0)
    expect(await look(again.url)).toBe(200)
    expect((await openBrowser(again.url, cookie).post('sign-out')).status).toBe(204)
    for (const { url } of [again, b]) expect(await look(url)).toBe(401)
    // Only hashes are stored.
    const secret = cookie.split('=')[1]!
    expect(cluster!.psql("SELECT count(*) FROM toolpact.sign_ins WHERE tenant = 'links'")).toBe('0')
    expect(cluster!.psql('SELECT string_agg(value, chr(32)) FROM toolpact.notes')).not.toContain(secret)
  })

  test('links name the public address, which requests may address', async () => {
    const { run, start, folder } = openServeFolder()
    const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: 'public' }
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ toolsets: ['learning'], http: { publicUrl: 'https://tools.example' } })) // biome-ignore format: one line
    const server = await start(['--config', 'own.json'], { env })
    // As the server has noted it, or as the config says.
    const named = await run(['open', '--print', '--config', 'own.json', '--port', `${server.port}`], { env })
    const { stdout } = await run(['open', '--print'], { env })
    for (const link of [named.stdout, stdout])
      expect(link).toMatch(/^https:\/\/tools\.example\/console\?once=[\w-]{43}\n$/)
    // As a load balancer passes it on.
    const headers = { Host: 'tools.example', 'X-Forwarded-Proto': 'https' }
    const signedIn = await send(stdout.trim().replace('https://tools.example', server.url), { token: null, headers })
    expect(signedIn.status).toBe(303)
    const noted = cluster!.psql("SELECT value FROM toolpact.notes WHERE tenant = 'public' AND key = 'console-address'")
    expect(JSON.parse(noted)).toMatchObject({ url: 'https://tools.example' })
    server.kill('SIGTERM')
    await server.exited
    expect(cluster!.psql("SELECT value FROM toolpact.notes WHERE tenant = 'public' AND key = 'console-address'")).toBe('null') // biome-ignore format: one line
  })

  test('of two servers that race for a link, one signs in', async () => {
    const { a, b, makeLink } = await openReplicas('races')
    for (let round = 0; round < 5; round++) {
      const link = await makeLink(a.port)
      const targets = [a, b, a, b].map(({ url }) => link.replace(a.url, url))
      const answers = await Promise.all(targets.map((target) => send(target, { token: null })))
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
    }
    expect(cluster!.psql("SELECT count(*) FROM toolpact.sign_ins WHERE tenant = 'races' AND kind = 'session'")).toBe(
      '5',
    )
    expect(cluster!.psql("SELECT count(*) FROM toolpact.sign_ins WHERE tenant = 'races' AND kind = 'link'")).toBe('0')
  })

  test('the stream of one shows calls and questions of the other, which it can answer', async () => {
    const { a, b, token, makeLink } = await openReplicas('streams')
    const { headers } = await send(await makeLink(a.port), { token: null })
    const cookie = headers['set-cookie']![0]!.split(';')[0]!
    const told = openEvents(b.url, cookie)
    await until(() => told().includes('event: '))
    await a.send('/v1/tools/workspace.list_files', { body: '{}', token })
    await until(() => /event: entries\n(?:id: .*\n)?data: .*workspace\.list_files/.test(told()))
    const create = () => a.send('/v1/tools/workspace.create_file', { body: '{"path":"a.txt","content":"x"}', token })
    expect((await create()).json).toMatchObject({ code: 'approval_required' })
    await until(() => /event: questions\n.*"count":1/.test(told()))
    const browser = openBrowser(b.url, cookie)
    const { pending } = (await browser.get('questions')).json
    expect(pending).toHaveLength(1)
    const answer = await browser.post('questions/answer', { ids: [pending[0].id], answer: 'yes' })
    expect(answer.json).toMatchObject({ answers: [{ result: 'approved' }] })
    await until(() => /event: questions\n.*"count":0/.test(told()))
    expect((await create()).status).toBe(200)
  })
})
