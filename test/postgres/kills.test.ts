import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import type { LedgerEntry } from '../../src/runtime/storage/storage.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

const openServeFolder = useServeFolders()
const tenant = 'kills'
const rounds = 8
const questions = 12
const limit = { count: 40, windowMs: 600_000 }

interface Acknowledged {
  readonly callId: string
  readonly tool: string
}

test.skipIf(!hasPostgres)(
  'three servers that are killed at random, and a Postgres that crashes, lose no acknowledged call, exceed no limit and use no yes twice',
  async () => {
    const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: tenant }
    const folders = [openServeFolder(), openServeFolder(), openServeFolder()]
    const workspace = folders[0]!.folder
    mkdirSync(join(workspace, 'repo'))
    const config = {
      toolsets: ['learning', 'workspace'],
      approval: { waitMs: 0 },
      limits: {
        'learning.hello': { calls: { count: 1_000_000, windowMs: 1000 } },
        'workspace.list_dir': { calls: limit },
        'workspace.create_file': { calls: { count: 10_000, windowMs: 1000 } },
      },
    }
    for (const { folder } of folders) writeFileSync(join(folder, 'own.json'), JSON.stringify(config))
    const token = (await folders[0]!.run(['token'], { env })).stdout.trim()
    const start = (index: number) => folders[index]!.start(['--config', 'own.json', '--workspace', workspace], { env })
    const servers = await Promise.all(folders.map((_, index) => start(index)))
    const acknowledged: Acknowledged[] = []
    let isOver = false
    let refused = 0

    async function call(index: number, tool: string, input: object) {
      try {
        const { status, headers, json } = await servers[index]!.send(`/v1/tools/${tool}`, { body: JSON.stringify(input), token }) // biome-ignore format: one line
        if (status === 200) acknowledged.push({ callId: headers['toolpact-call-id'] as string, tool })
        else refused += 1
        return { status, json }
      } catch {
        // The server was killed.
        await sleep(50)
        return { status: 0, json: undefined }
      }
    }

    async function load(index: number) {
      for (let turn = 0; !isOver; turn++) {
        await call((index + turn) % 3, 'learning.hello', { name: `${index}-${turn}` })
        if (turn % 5 === 0) await call((index + turn) % 3, 'workspace.list_dir', { path: '.' })
      }
    }

    /** Asks at one server, answers at another, and then repeats the call at all of them at once, until it has run. */
    async function approve(number: number) {
      const input = { path: `made-${number}.txt`, content: 'x' }
      let id: string | undefined
      await until(async () => {
        const { json } = await call(number % 3, 'workspace.create_file', input)
        id = json?.approval_id
        return id !== undefined
      })
      const answer = () => folders[0]!.run(['approvals', 'approve', id!.slice(0, 8)], { env })
      await until(async () => (await answer()).code === 0)
      await until(async () => {
        const tried = await Promise.all([0, 1, 2].map((index) => call(index, 'workspace.create_file', input)))
        return tried.some(({ status, json }) => status === 200 || json?.code === 'exists_already' || json?.approval_id)
      })
    }

    const loading = Array.from({ length: 6 }, (_, index) => load(index))
    const approving = (async () => {
      for (let number = 0; number < questions; number++) await approve(number)
    })()
    for (let round = 0; round < rounds; round++) {
      await sleep(300 + Math.random() * 700)
      if (round % 4 === 2) {
        cluster!.stop('immediate')
        await sleep(Math.random() * 1000)
        cluster!.start()
        continue
      }
      const index = Math.floor(Math.random() * 3)
      servers[index]!.kill('SIGKILL')
      await servers[index]!.exited
      // As a supervisor does: start it again until it runs.
      await until(() => start(index).then((server) => { servers[index] = server; return true }, () => false)) // biome-ignore format: one line
    }
    await approving
    // Both have recovered by themselves.
    await until(async () => {
      const tried = await Promise.all([0, 1, 2].map((index) => call(index, 'learning.hello', { name: 'at the end' })))
      return tried.every(({ status }) => status === 200)
    })
    isOver = true
    await Promise.all(loading)

    const storage = await openPostgresStorage({ url: cluster!.url, tenant })
    const entries = await storage.ledger.read()
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: entries.length })
    await storage.close()
    const outcomes = new Set(entries.filter(isSuccess).map(({ record }) => record.callId))
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(0)
    expect(acknowledged.filter(({ callId }) => !outcomes.has(callId))).toEqual([])

    const limited = entries.filter(({ record }) => record.kind === 'intent' && record.tool === 'workspace.list_dir')
    expect(limited.length).toBeLessThanOrEqual(limit.count)
    expect(limited.length).toBeGreaterThan(limit.count / 2)

    const used = entries.flatMap(({ record }) => (record.kind === 'intent' ? (record.approval?.id ?? []) : []))
    expect(used.length).toBeGreaterThan(0)
    expect(new Set(used).size).toBe(used.length)
    const ids = entries.map(({ record }) => `${record.kind} ${record.callId}`)
    expect(new Set(ids).size).toBe(ids.length)
  },
)

function isSuccess({ record }: LedgerEntry): boolean {
  return record.kind === 'outcome' && record.success
}
