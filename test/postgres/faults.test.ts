import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../../src/index.ts'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'
import { openTcpProxy } from '../helpers/tcp-proxy.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())
beforeEach(() => {
  // A test that failed may have left it stopped.
  if (cluster && !existsSync(join(cluster.directory, 'postmaster.pid'))) cluster.start()
})

const openServeFolder = useServeFolders()
const durable = { durable: true }

async function open(tenant: string, { port = cluster!.port, timeoutMs = 1500 } = {}) {
  const reports: string[] = []
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const storage = await openPostgresStorage({ url, tenant, timeoutMs, report: (line) => reports.push(line) })
  onTestFinished(() => storage.close())
  return { ...storage, reports }
}

async function openProxied(tenant: string) {
  const proxy = await openTcpProxy(cluster!.port)
  onTestFinished(() => proxy.close())
  return { proxy, ...(await open(tenant, { port: proxy.port })) }
}

describe.skipIf(!hasPostgres)('a Postgres that fails', () => {
  test('is waited for while it restarts, and no append is lost or repeated', async () => {
    const { ledger } = await open('restarts')
    await ledger.append(toIntent('before'), durable)
    cluster!.stop('immediate')
    const during = ledger.append(toIntent('during'), durable)
    cluster!.start()
    await during
    expect((await ledger.read()).map(({ record }) => record.callId)).toEqual(['before', 'during'])
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 2 })
  })

  test('refuses writes while it is gone, at once after the first, and works again by itself', async () => {
    const { ledger, counters, approvals, health, reports } = await open('gone')
    await ledger.append(toIntent('before'), durable)
    cluster!.stop()
    const failing = { code: 'storage_unavailable', message: expect.stringContaining('Postgres at 127.0.0.1') }
    for (let count = 0; count < 3; count++) await expect(ledger.append(toIntent('lost'), durable)).rejects.toMatchObject(failing) // biome-ignore format: one line
    await expect(counters.take('key', { count: 1, windowMs: 1000 }, 1)).rejects.toMatchObject(failing)
    await expect(approvals.questions(1)).rejects.toMatchObject(failing)
    expect(await health()).toMatchObject({ isWritable: false, lastFailure: { message: failing.message } })
    expect(reports[0]).toContain('Calls are refused because they cannot be recorded.')
    cluster!.start()
    await until(async () => (await health()).isWritable)
    await ledger.append(toIntent('after'), durable)
    expect((await ledger.read()).map(({ record }) => record.callId)).toEqual(['before', 'after'])
    expect(reports.at(-1)).toContain('works again')
  })

  test('ends a call with ledger_unavailable, and nothing runs', async () => {
    const storage = await open('library')
    const toolpact = await openToolpact({ toolsets: ['learning'], storage })
    const call = () => toolpact.call('learning.hello', { name: 'Ada' })
    expect(await call()).toMatchObject({ success: true })
    cluster!.stop()
    for (let count = 0; count < 3; count++)
      expect(await call()).toMatchObject({ success: false, ran: false, error: { code: 'ledger_unavailable' } })
    cluster!.start()
    await until(async () => (await call()).success)
    await toolpact.close()
  })

  test('answers 503 at a server, which recovers by itself', async () => {
    const { start, run } = openServeFolder()
    const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: 'served' }
    const token = (await run(['token', 'create', 'local'], { env })).stdout.trim()
    const { send } = await start(['--toolset', 'learning'], { env })
    const hello = () => send('/v1/tools/learning.hello', { body: '{"name":"Ada"}', token })
    expect((await hello()).status).toBe(200)
    cluster!.stop()
    for (let count = 0; count < 3; count++) expect((await hello()).status).toBe(503)
    expect((await hello()).json.code).toMatch(/^(?:tokens|ledger)_unavailable$/)
    cluster!.start()
    await until(async () => (await hello()).status === 200)
  })

  test('that is too slow counts as failed', async () => {
    const { ledger } = await open('slow')
    await ledger.append(toIntent('before'), durable)
    const { ledger: other } = await open('slow')
    await other.append(toIntent('other'), durable)
    const before = cluster!.psql("SELECT count(*) FROM toolpact.ledger WHERE tenant = 'slow'")
    const release = await cluster!.hold('LOCK TABLE toolpact.ledger_writers IN ACCESS EXCLUSIVE MODE')
    await expect(ledger.append(toIntent('blocked'), durable)).rejects.toMatchObject({ code: 'storage_unavailable' })
    await release()
    expect(cluster!.psql("SELECT count(*) FROM toolpact.ledger WHERE tenant = 'slow'")).toBe(before)
    await ledger.append(toIntent('after'), durable)
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 3 })
  })

  test('that no longer answers is left for new connections', async () => {
    const { proxy, ledger } = await openProxied('stalled')
    await ledger.append(toIntent('before'), durable)
    proxy.stall()
    await expect(ledger.append(toIntent('stalled'), durable)).rejects.toThrow('gave no answer within')
    await until(() => ledger.append(toIntent('after'), durable).then(() => true, () => false)) // biome-ignore format: one line
    expect((await ledger.read()).map(({ record }) => record.callId)).toEqual(['before', 'after'])
  })

  test('whose answer to a commit was lost is asked what happened: the record is stored once', async () => {
    const { proxy, ledger } = await openProxied('answers')
    for (let count = 0; count < 10; count++) {
      proxy.loseAnswer()
      await ledger.append(toIntent(`${count}`), durable)
    }
    const ids = (await ledger.read()).map(({ record }) => record.callId)
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`))
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 10 })
  })

  test('whose chain was closed by another process gets a new one', async () => {
    const { ledger } = await open('fenced')
    await ledger.append(toIntent('1'), durable)
    cluster!.psql("UPDATE toolpact.ledger_writers SET is_closed = true WHERE tenant = 'fenced'")
    await ledger.append(toIntent('2'), durable)
    expect((await ledger.read()).map(({ record }) => record.callId)).toEqual(['1', '2'])
    expect(cluster!.psql("SELECT count(*) FROM toolpact.ledger_writers WHERE tenant = 'fenced'")).toBe('2')
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 2 })
  })

  test('that was changed is found by the verification', async () => {
    const change = async (tenant: string, sql: string) => {
      const { ledger } = await open(tenant)
      for (const id of ['1', '2', '3']) await ledger.append(toIntent(id), durable)
      expect(await ledger.verify()).toMatchObject({ intact: true, entries: 3 })
      cluster!.psql(sql.replaceAll('TENANT', `tenant = '${tenant}'`))
      return ledger.verify()
    }
    const ledger = 'toolpact.ledger'
    expect(await change('edited', `UPDATE ${ledger} SET text = replace(text, 'Ada', 'Eve') WHERE TENANT AND n = 2`)).toMatchObject({ intact: false, brokenAtSeq: 2 }) // biome-ignore format: one line
    expect(await change('deleted', `DELETE FROM ${ledger} WHERE TENANT AND n = 2`)).toMatchObject({ intact: false, brokenAtSeq: 2 }) // biome-ignore format: one line
    expect(await change('cut', `DELETE FROM ${ledger} WHERE TENANT AND n = 3`)).toMatchObject({ intact: false, brokenAtSeq: 3 }) // biome-ignore format: one line
    expect(await change('headless', 'DELETE FROM toolpact.ledger_writers WHERE TENANT')).toMatchObject({ intact: false }) // biome-ignore format: one line
    expect(await change('unordered', 'DELETE FROM toolpact.ledger_runs WHERE TENANT')).toMatchObject({ intact: false }) // biome-ignore format: one line
  })
})
