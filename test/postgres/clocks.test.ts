import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { question } from '../../src/runtime/storage/suite/queue.ts'
import { send } from '../helpers/open-http.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())
afterEach(() => void vi.restoreAllMocks())

const approval = { ...question, by: 'Ada' }
const openServeFolder = useServeFolders()
const hour = 3_600_000
const day = 24 * hour

/** From now on, the clock of this process is wrong by so much. */
function skew(ms: number) {
  vi.restoreAllMocks()
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
}

/** The storage as a server sees it whose clock is wrong by so much. */
async function open(tenant: string, ms = 0) {
  skew(ms)
  const storage = await openPostgresStorage({ url: cluster!.url, tenant })
  onTestFinished(() => storage.close())
  return storage
}

describe.skipIf(!hasPostgres)('servers with wrong clocks', () => {
  test.each([hour, -hour])('a clock that is wrong by %i ms neither expires nor revives anything', async (ms) => {
    const tenant = `skewed ${ms}`
    const { approvals, replies, tasks, runs, proof } = await open(tenant)
    const soon = () => Date.now() + 60_000
    const past = () => Date.now() + 50
    await replies.claim('kept', 'input', { now: Date.now(), expiresAt: soon() })
    await replies.claim('over', 'input', { now: Date.now(), expiresAt: past() })
    for (const [id, expiresAt] of [
      ['kept', soon()],
      ['over', past()],
    ] as const) {
      await approvals.grant({ ...approval, id, expiresAt })
      await approvals.request({ ...question, id: `asked ${id}`, inputDigest: id, askedAt: Date.now(), expiresAt }, Date.now()) // biome-ignore format: one line
      const lease = { owner: 'a', until: expiresAt }
      await tasks!.add({ id, caller: 'x', workspace: '/', tool: 'a.b', expiresAt: soon(), request: {}, lease }, Date.now()) // biome-ignore format: one line
      await runs!.add({ id, workflow: 'w.w', contractDigest: 'd', caller: 'x', workspace: '/', owner: 'a', leaseUntil: expiresAt, total: 1, request: {} }, Date.now()) // biome-ignore format: one line
    }
    expect(await proof!.lease('a', { now: Date.now(), until: soon() })).toBe(true)
    await sleep(200)

    const other = await open(tenant, ms)
    const now = () => Date.now()
    expect(await other.replies.claim('kept', 'input', { now: now(), expiresAt: soon() })).toEqual({ state: 'in_flight' }) // biome-ignore format: one line
    expect(await other.replies.claim('over', 'input', { now: now(), expiresAt: soon() })).toEqual({ state: 'claimed' })
    expect((await other.approvals.look('asked kept', now())).state).toBe('pending')
    expect((await other.approvals.look('asked over', now())).state).toBe('expired')
    expect(await other.approvals.answer('asked over', { answer: 'yes', by: 'Ada' }, now())).toMatchObject({ taken: false }) // biome-ignore format: one line
    const [pending] = (await other.approvals.questions(now())).filter(({ state }) => state === 'pending')
    // To this server, it expires when its own clock says so.
    expect(Math.abs(pending!.expiresAt - soon())).toBeLessThan(30_000)
    expect(await other.approvals.use('over', approval, now())).toBeUndefined()
    expect((await other.approvals.use('kept', approval, now()))?.id).toBe('kept')
    expect((await other.tasks!.find('kept', 'x', now()))?.state).toBe('running')
    expect((await other.tasks!.find('over', 'x', now()))?.state).toBe('interrupted')
    const ready = (await other.runs!.ready('/', now())).runs
    expect(ready.map(({ id, isDue }) => `${id} ${isDue}`).sort()).toEqual(['kept false', 'over true'])
    expect(await other.proof!.lease('b', { now: now(), until: soon() })).toBe(false)
  })

  test('a clock that is set while the server runs makes no difference', async () => {
    const { replies } = await open('set')
    const claim = () => replies.claim('key', 'input', { now: Date.now(), expiresAt: Date.now() + 60_000 })
    expect(await claim()).toEqual({ state: 'claimed' })
    for (const ms of [day, -day, hour]) {
      skew(ms)
      expect(await claim()).toEqual({ state: 'in_flight' })
    }
  })

  test('share questions, answers, idempotency keys and links', async () => {
    const folders = [openServeFolder(), openServeFolder(), openServeFolder()] as const
    const base = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: 'shared' }
    const skewed = (ms: number) => ({ ...base, TEST_CLOCK_SKEW_MS: `${ms}`, NODE_OPTIONS: `--import=${new URL('../processes/skewed-clock.ts', import.meta.url)}` }) // biome-ignore format: one line
    const [right, fast, slow] = [base, skewed(40 * day), skewed(-40 * day)]
    const token = (await folders[0].run(['token', 'create', 'local'], { env: right })).stdout.trim()
    const start = (index: 0 | 1 | 2, env: NodeJS.ProcessEnv) => folders[index].start(['--toolset', 'workspace', '--workspace', folders[0].folder, '--ask-in', 'queue'], { env }) // biome-ignore format: one line
    const servers = await Promise.all([start(0, right), start(1, fast), start(2, slow)])
    for (const [asked, answered, used] of [
      [0, fast, 2],
      [1, slow, 0],
      [2, right, 1],
    ] as const) {
      const body = JSON.stringify({ path: `${asked}.txt`, content: 'x' })
      const create = (index: 0 | 1 | 2, key: string) => servers[index]!.send('/v1/tools/workspace.create_file', { body, token, headers: { 'Idempotency-Key': key } }) // biome-ignore format: one line
      const { json } = await create(asked, `ask-${asked}`)
      expect(json).toMatchObject({ code: 'approval_required' })
      const approved = await folders[1].run(['approvals', 'approve', json.approval_id.slice(0, 8)], { env: answered })
      expect(approved).toMatchObject({ code: 0 })
      const key = `run-${asked}`
      expect((await create(used, key)).status).toBe(200)
      // The reply is kept for all.
      for (const index of [0, 1, 2] as const) expect((await create(index, key)).status).toBe(200)
      const link = (await folders[used].run(['open', '--print', '--port', `${servers[used]!.port}`], { env: [right, fast, slow][used]! })).stdout.trim() // biome-ignore format: one line
      expect((await send(link.replace(servers[used]!.url, servers[asked]!.url), { token: null })).status).toBe(303)
    }
  })
})
