import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import type { Storage } from '../../src/runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
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
const read = { durable: false }
const write = { durable: true }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-outage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function open(
  tenant: string,
  { port = cluster!.port, directory = makeFolder(), maxBytes = 1_000_000, keepsReads = true } = {},
) {
  const reports: string[] = []
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const outage = { directory, keepsReads, maxBytes }
  const storage = await openPostgresStorage({ url, tenant, timeoutMs: 1500, outage, report: (line) => reports.push(line) }) // biome-ignore format: one line
  onTestFinished(() => storage.close())
  return { ...storage, reports, directory, files: () => readdirSync(directory).filter((name) => name.startsWith('outage-')) } // biome-ignore format: one line
}

const readIds = async ({ ledger }: Pick<Storage, 'ledger'>) => (await ledger.read()).map(({ record }) => `${record.kind} ${record.callId}${record.journaled ? ' journaled' : ''}`) // biome-ignore format: one line
const isMerged = async ({ health }: Pick<Storage, 'health'>) => {
  const { isWritable, journal } = await health()
  return isWritable && !journal
}

describe.skipIf(!hasPostgres)('while Postgres is gone, with a journal', () => {
  test('reads are recorded in it and merged in order afterwards, and writes are refused', async () => {
    const storage = await open('journal')
    const { ledger, health, reports, files } = storage
    await ledger.append(toIntent('before'), read)
    cluster!.stop('immediate')
    const failing = { code: 'storage_unavailable' }
    await ledger.append(toOutcome('before'), read)
    for (const id of ['1', '2']) {
      await ledger.append(toIntent(id), read)
      await expect(ledger.append(toIntent(`write-${id}`), write)).rejects.toMatchObject(failing)
      await ledger.append(toOutcome(id), read)
    }
    await ledger.append(toIntent('3'), read)
    expect(await health()).toMatchObject({ isWritable: false, journal: { records: 6, isFull: false } })
    expect(files()).toHaveLength(1)
    expect(reports[0]).toContain('Only calls that read run, recorded in a journal')
    cluster!.start()
    await until(() => isMerged(storage))
    await ledger.append(toOutcome('3'), read)
    await ledger.append(toIntent('after'), write)
    const during = ['outcome before', 'intent 1', 'outcome 1', 'intent 2', 'outcome 2', 'intent 3']
    expect(await readIds(storage)).toEqual(['intent before', ...during.map((id) => `${id} journaled`), 'outcome 3', 'intent after']) // biome-ignore format: one line
    expect(await ledger.verify()).toMatchObject({ intact: true, entries: 9 })
    expect((await ledger.calls()).calls.filter(({ journaled }) => journaled).map(({ callId, state }) => `${callId} ${state}`)).toEqual(['3 succeeded', '2 succeeded', '1 succeeded', 'before succeeded']) // biome-ignore format: one line
    expect(reports).toContain('Postgres is back: 6 records of calls during the outage were merged into the ledger.')
    expect(files()).toEqual([])
  })

  test('a record whose commit took effect without an answer is not merged a second time', async () => {
    const proxy = await openTcpProxy(cluster!.port)
    onTestFinished(() => proxy.close())
    const storage = await open('unsure', { port: proxy.port })
    await storage.ledger.append(toIntent('0'), read)
    // The commit takes effect, its answer is lost, and nobody can be asked.
    proxy.loseAnswers()
    await storage.ledger.append(toIntent('1'), read)
    expect((await storage.health()).journal).toMatchObject({ records: 1 })
    await storage.ledger.append(toIntent('2'), read)
    expect(cluster!.psql("SELECT count(*) FROM toolpact.ledger WHERE tenant = 'unsure'")).toBe('2')
    proxy.work()
    await until(() => isMerged(storage))
    await storage.ledger.append(toIntent('3'), read)
    expect(await readIds(storage)).toEqual(['intent 0', 'intent 1', 'intent 2 journaled', 'intent 3'])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 4 })
  })

  test('a full journal takes no more, and is merged', async () => {
    const storage = await open('full', { maxBytes: 3000 })
    cluster!.stop('immediate')
    let kept = 0
    const fill = async () => {
      for (; kept < 100; kept++) await storage.ledger.append(toIntent(`${kept}`), read)
    }
    await expect(fill()).rejects.toThrow('is full, and Postgres is still unavailable')
    expect(kept).toBeGreaterThan(0)
    expect(await storage.health()).toMatchObject({ journal: { records: kept, isFull: true } })
    cluster!.start()
    await until(() => isMerged(storage))
    expect(await readIds(storage)).toEqual(Array.from({ length: kept }, (_, index) => `intent ${index} journaled`))
  })

  test('what someone changed in the journal of a killed process is refused, and what is before it is merged', async () => {
    const directory = makeFolder()
    const dead = await open('forged', { directory })
    cluster!.stop('immediate')
    for (const id of ['1', '2', '3']) await dead.ledger.append(toIntent(id), read)
    const path = join(directory, dead.files()[0]!)
    const text = readFileSync(path, 'utf8')
    await dead.close()
    cluster!.start()
    writeFileSync(path, text.replace('"callId":"3"', '"callId":"4"'))
    appendFileSync(path, 'more\n')
    const next = await open('forged', { directory, keepsReads: false })
    await until(() => next.reports.length >= 2)
    expect(await readIds(next)).toEqual(['intent 1 journaled', 'intent 2 journaled'])
    expect(next.reports.join('\n')).toContain('2 records in the journal of a process that ended were changed')
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^refused-outage-/)])
    const suspect = await next.ledger.verify()
    expect(suspect).toMatchObject({ intact: false, fault: 'journal', entries: 2, brokenAtSeq: 3 })
    expect(suspect).toMatchObject({ reason: expect.stringContaining(join(directory, readdirSync(directory)[0]!)) })
    rmSync(join(directory, readdirSync(directory)[0]!))
    expect(await next.ledger.verify()).toMatchObject({ intact: true, entries: 2 })
  })

  test('a server continues to serve reads, and says so; killed then, the next start merges what it acknowledged', async () => {
    const { start, run, folder } = openServeFolder()
    const config = { toolsets: ['learning', 'workspace'], ledger: { whenUnavailable: 'journal' }, limits: { 'workspace.list_dir': { calls: { count: 5, windowMs: 60_000 } } } } // biome-ignore format: one line
    writeFileSync(join(folder, 'own.json'), JSON.stringify(config))
    const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: 'served' }
    const args = ['--config', 'own.json', '--workspace', folder]
    const token = (await run(['token', 'create', 'local'], { env })).stdout.trim()
    const first = await start(args, { env })
    const call = (tool: string, input: object, headers = {}) => first.send(`/v1/tools/${tool}`, { body: JSON.stringify(input), token, headers }) // biome-ignore format: one line
    const hello = (name: string) => call('learning.hello', { name })
    expect((await hello('before')).status).toBe(200)
    cluster!.stop('immediate')
    const acknowledged: string[] = []
    for (const name of ['1', '2', '3']) {
      const { status, headers, json } = await hello(name)
      expect(json).toEqual({ greeting: `Hello, ${name}!` })
      expect(status).toBe(200)
      acknowledged.push(headers['toolpact-call-id'] as string)
    }
    const unavailable = { status: 503, json: { code: 'ledger_unavailable' } }
    // A limit, an approval and an idempotency key need Postgres.
    expect(await call('workspace.list_dir', { path: '.' })).toMatchObject(unavailable)
    expect(await call('workspace.create_file', { path: 'a.txt', content: 'x' })).toMatchObject(unavailable)
    expect(await call('workspace.create_file', { path: 'a.txt', content: 'x' }, { 'Idempotency-Key': 'one' })).toMatchObject(unavailable) // biome-ignore format: one line
    const { status, json } = await first.send('/readyz', { token })
    expect({ status, json }).toMatchObject({ status: 200, json: { status: 'degraded', reasons: ['storage'], storage: { writable: false, journal: { full: false } } } }) // biome-ignore format: one line
    await first.untilTold('Only calls that read run, recorded in a journal')
    first.kill('SIGKILL')
    await first.exited
    cluster!.start()
    const second = await start(args, { env })
    await second.untilTold('were merged into the ledger')
    for (const id of acknowledged) {
      const shown = await run(['ledger', 'show', id], { env })
      expect(shown.stdout).toContain('succeeded')
      expect(shown.stdout).toContain('in a journal of its server')
    }
    expect((await second.send('/readyz', { token })).json).toMatchObject({ status: 'ready' })
    expect((await run(['verify'], { env })).code).toBe(0)
  })
})
