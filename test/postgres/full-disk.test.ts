import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openSmallDisk } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openSmallDisk(96) : undefined
afterAll(() => cluster?.remove())

const openServeFolder = useServeFolders()
const tenant = 'full'

test.skipIf(!cluster)(
  'a Postgres whose disk fills up under load ends calls with ledger_unavailable and advice, nothing runs unrecorded, and servers recover once there is space',
  async () => {
    const { start, run, folder } = openServeFolder()
    const env = { TOOLPACT_POSTGRES: cluster!.url, TOOLPACT_TENANT: tenant }
    const added = await run(['rules', 'add', 'workspace.create_file', 'path: made/**/*.txt', '--scope', 'everywhere'], { env }) // biome-ignore format: one line
    expect(added.code).toBe(0)
    const token = (await run(['token', 'create', 'local'], { env })).stdout.trim()
    const server = await start(['--toolset', 'workspace', '--workspace', folder], { env })
    const acknowledged: string[] = []
    let number = 0
    async function create() {
      const path = `made/${number++}.txt`
      const body = JSON.stringify({ path, content: 'x'.repeat(4000) })
      const { status, headers, json } = await server.send('/v1/tools/workspace.create_file', { body, token })
      if (status === 200) acknowledged.push(headers['toolpact-call-id'] as string)
      return { status, json }
    }
    expect(await create()).toMatchObject({ status: 200 })

    const { bavail, bsize } = statfsSync(cluster!.directory)
    const filler = join(cluster!.directory, 'filler')
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 1_500_000, 1))
    const refused: { status: number; json: { code?: string; suggestion?: string } }[] = []
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, create))
      refused.push(...answers.filter(({ status }) => status !== 200))
      return refused.length >= 16
    })
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(new Set(refused.map(({ status, json }) => `${status} ${json.code}`))).toEqual(new Set(['503 ledger_unavailable'])) // biome-ignore format: one line
    expect(refused[0]!.json.suggestion).toContain('or the database if the state is there')
    await server.untilTold('The disk of the database is full: free some space.')

    rmSync(filler)
    await until(async () => (await create()).status === 200)
    await until(async () => (await server.send('/readyz', { token })).json.status === 'ready')
    const storage = await openPostgresStorage({ url: cluster!.url, tenant })
    const records = (await storage.ledger.read()).map(({ record }) => record)
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: records.length })
    await storage.close()
    const succeeded = new Set(records.filter((record) => record.kind === 'outcome' && record.success).map(({ callId }) => callId)) // biome-ignore format: one line
    expect(acknowledged.filter((id) => !succeeded.has(id))).toEqual([])
    const intended = new Set(records.flatMap((record) => (record.kind === 'intent' ? (record.input as { path: string }).path : []))) // biome-ignore format: one line
    const made = readdirSync(join(folder, 'made')).map((name) => `made/${name}`)
    expect(made.filter((path) => !intended.has(path))).toEqual([])
  },
)
