import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { parseCheckpoint } from '../../src/runtime/storage/proof/checkpoint.ts'
import { proveInclusion } from '../../src/runtime/storage/proof/proofs.ts'
import { toLeafHash } from '../../src/runtime/storage/proof/tree.ts'
import { verifyInclusion } from '../../src/runtime/storage/proof/verify-tree.ts'
import type { LedgerEntry, Storage } from '../../src/runtime/storage/storage.ts'
import { until, type useServeFolders } from '../helpers/open-serve.ts'

interface Acknowledged {
  readonly callId: string
  readonly tool: string
}

interface LoadOptions {
  readonly openServeFolder: ReturnType<typeof useServeFolders>
  readonly url: string
  readonly tenant: string
  /** Of questions that are asked at one server, answered at another, and repeated at all. */
  readonly questions: number
}

const limit = { count: 40, windowMs: 600_000 }

/** Three real servers on one Postgres, under load until `end` is called. */
export async function startLoad({ openServeFolder, url, tenant, questions }: LoadOptions) {
  const env = { TOOLPACT_POSTGRES: url, TOOLPACT_TENANT: tenant }
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
  const token = (await folders[0]!.run(['token', 'create', 'local'], { env })).stdout.trim()
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

  // A test that fails is repeated in CI: what it started must not go on meanwhile.
  onTestFinished(async () => {
    isOver = true
    for (const { kill } of servers) kill('SIGKILL')
    await Promise.all(loading)
  })
  const loading = Array.from({ length: 6 }, (_, index) => load(index))
  const approving = (async () => {
    for (let number = 0; number < questions; number++) await approve(number)
  })()
  // Awaited in `end`.
  approving.catch(() => {})

  /** Kills a server, and starts it again as a supervisor does. */
  async function kill(index: number) {
    servers[index]!.kill('SIGKILL')
    await servers[index]!.exited
    await until(() => start(index).then((server) => { servers[index] = server; return true }, () => false)) // biome-ignore format: one line
  }

  /** Waits until all servers work, ends the load and the servers, and checks every promise. */
  async function end(readUrl = url) {
    await approving
    await until(async () => {
      const tried = await Promise.all([0, 1, 2].map((index) => call(index, 'learning.hello', { name: 'at the end' })))
      return tried.every(({ status }) => status === 200)
    })
    isOver = true
    await Promise.all(loading)
    // Two are killed. The last one ends as it should, and seals what they left.
    for (const [index, { kill, exited }] of servers.entries()) {
      kill(index < 2 ? 'SIGKILL' : 'SIGTERM')
      await exited
    }
    const storage = await openPostgresStorage({ url: readUrl, tenant })
    const entries = await storage.ledger.read()
    await expectSealed(storage, entries)
    await storage.close()
    const verified = await folders[0]!.run(['verify', '--full', '--json'], {
      env: { ...env, TOOLPACT_POSTGRES: readUrl },
    })
    const newest = { size: entries.length }
    expect(JSON.parse(verified.stdout)).toMatchObject({ intact: true, entries: entries.length, seal: { faults: [], newest } }) // biome-ignore format: one line
    expect(verified.code).toBe(0)
    expectPromises(entries, acknowledged)
    expect(refused).toBeGreaterThan(0)
  }

  return { kill, end, acknowledged }
}

/** Every entry is in the tree of the newest checkpoint. */
async function expectSealed({ proof }: Storage, entries: readonly LedgerEntry[]) {
  const [newest] = await proof!.checkpoints({ limit: 1 })
  const { size, root } = parseCheckpoint(newest!.note)!
  expect(size).toBe(entries.length)
  // `verify` checks all; proofs of some show that they can be made.
  for (const entry of entries.filter((_, index) => index % Math.ceil(entries.length / 50) === 0)) {
    const { index } = (await proof!.find(entry))!
    const inclusion = await proveInclusion(proof!.tile, index, size)
    expect(await verifyInclusion(toLeafHash(entry.hash), { index, size, root, proof: inclusion })).toBe(true)
  }
}

function expectPromises(entries: readonly LedgerEntry[], acknowledged: readonly Acknowledged[]) {
  const outcomes = new Set(entries.filter(isSuccess).map(({ record }) => record.callId))
  expect(acknowledged.length).toBeGreaterThan(100)
  expect(acknowledged.filter(({ callId }) => !outcomes.has(callId))).toEqual([])

  const limited = entries.filter(({ record }) => record.kind === 'intent' && record.tool === 'workspace.list_dir')
  expect(limited.length).toBeLessThanOrEqual(limit.count)
  expect(limited.length).toBeGreaterThan(limit.count / 2)

  const used = entries.flatMap(({ record }) => (record.kind === 'intent' ? (record.approval?.id ?? []) : []))
  expect(used.length).toBeGreaterThan(0)
  expect(new Set(used).size).toBe(used.length)
  const ids = entries.map(({ record }) => `${record.kind} ${record.callId}`)
  expect(new Set(ids).size).toBe(ids.length)
}

function isSuccess({ record }: LedgerEntry): boolean {
  return record.kind === 'outcome' && record.success
}
