import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openToolpact } from '../src/app/app.ts'
import type { Runs, StoredRun } from '../src/runtime/storage/runs.ts'
import { openSqliteStorage } from '../src/runtime/storage/sqlite/sqlite.ts'
import { RunEngine } from '../src/workflow/run/run-engine.ts'
import { toStoredRequest } from '../src/workflow/run/stored-request.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'
import { openPeerRuns } from './workflow/open-peer-runs.ts'

const peer = 'OpenWorkflow 0.10.1'
const waiting = 10_000
const idleMs = 10_000

export const about: About = {
  compares:
    'A step of a workflow beside the bare call of its tool, beside the engine without the pipeline, and beside a durable engine that does nothing in its steps; and what runs cost that wait.',
  peers: [peer],
}

export async function* bench(): AsyncGenerator<Table> {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  try {
    yield* benchSteps(root)
    yield await measureWaiting(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function* benchSteps(root: string): AsyncGenerator<Table> {
  const folder = join(root, 'flow')
  writeTools(folder)
  const toolpact = await openToolpact({ stateDirectory: join(root, 'state'), contracts: [folder], toolsets: ['flow'], workspace: root }) // biome-ignore format: one line
  const alone = await openEngineAlone(join(root, 'alone'))
  const others = await openPeerRuns(join(root, 'peer.db'))
  for (const [tool, how] of [
    ['look', 'a tool that reads'],
    ['make', 'a tool that writes, on disk (fsync)'],
  ] as const) {
    yield await compare(
      `A step of a run of five: ${how}, one run at a time`,
      [
        { name: 'bare call', run: async () => { for (let step = 0; step < 5; step++) await toolpact.call(`flow.${tool}`, { number: 1 }) } }, // biome-ignore format: one line
        { name: 'step of a run', run: () => toolpact.call(`flow.five_${tool}`, { number: 1 }) },
        { name: 'engine alone: steps that do nothing', run: () => alone.run(tool) },
      ],
      { rounds: 10, samples: 10, operations: 5 },
    )
  }
  const runs = 20
  yield await compare(
    `A step of a run of five, ${runs} runs at once`,
    [
      { name: 'step of a run, a tool that reads', run: () => Promise.all(Array.from({ length: runs }, () => toolpact.call('flow.five_look', { number: 1 }))) }, // biome-ignore format: one line
      { name: 'engine alone: steps that do nothing', run: () => Promise.all(Array.from({ length: runs }, () => alone.run('look'))) }, // biome-ignore format: one line
      {
        name: `${peer}: steps that do nothing`,
        run: () => Promise.all(Array.from({ length: runs }, () => others.run())),
      },
    ],
    { rounds: 5, samples: 2, operations: runs * 5 },
  )
  await others.close()
  await alone.close()
  await toolpact.close()
}

/** The engine on its storage, with calls that return at once. */
async function openEngineAlone(directory: string) {
  const storage = openSqliteStorage({ directory })
  const runs = storage.runs!
  const engine = new RunEngine({
    ...{ runs, approvals: storage.approvals, ledger: storage.ledger, workspace: directory },
    call: async ({ tool, part }) => ({
      success: true,
      callId: part.callId,
      tool,
      output: { number: 1 },
      durationMs: 0,
    }),
    findContract: async (tool) => ({ risk: tool === 'flow.look' ? 'read_only' : 'safe_write' }) as never,
    serves: async () => true,
    plan: noPlan,
    onFault: (message, cause) => console.error(message, cause),
  })
  let count = 0
  return {
    async run(tool: string) {
      const id = `run-${++count}`
      const run = await addRun(runs, { id, workspace: directory, engine, document: toDocument(tool) })
      await new Promise<void>((resolve) => {
        const stop = engine.follow(id, { onEnd: () => { stop(); resolve() } }) // biome-ignore format: one line
        engine.start(run)
      })
    },
    async close() {
      await engine.close()
      await storage.close()
    },
  }
}

const noPlan = () => Promise.reject(new Error('Nothing is planned.'))

interface AddOptions {
  readonly id: string
  readonly workspace: string
  readonly engine: RunEngine
  readonly document: object
}

async function addRun(runs: Runs, { id, workspace, engine, document }: AddOptions): Promise<StoredRun> {
  const { owner, until: leaseUntil } = engine.lease
  const request = toStoredRequest(document as never, { input: { number: 1 }, caller: { name: 'bench' } })
  const now = Date.now()
  const run = { id, workflow: 'flow.five', contractDigest: '', caller: 'bench', workspace, owner, leaseUntil, total: 5 }
  const limit = await runs.add({ ...run, request }, now)
  if (limit) throw new Error(`There are too many runs: ${JSON.stringify(limit)}.`)
  return { ...run, state: 'running', createdAt: now, updatedAt: now, expiresAt: 0, epoch: 1, done: 0 }
}

/** Processor time and memory of a process that serves, with no run and with many that wait for a time. */
async function measureWaiting(root: string): Promise<Table> {
  const rows: string[][] = []
  for (const count of [0, waiting]) {
    const directory = join(root, `waiting-${count}`)
    const storage = openSqliteStorage({ directory })
    const runs = storage.runs!
    const engine = new RunEngine({
      ...{ runs, approvals: storage.approvals, ledger: storage.ledger, workspace: directory },
      call: () => Promise.reject(new Error('Nothing is called.')),
      findContract: async () => undefined,
      serves: async () => true,
      plan: noPlan,
      onFault: (message, cause) => console.error(message, cause),
    })
    const before = memory()
    for (let first = 0; first < count; first += 500)
      await Promise.all(Array.from({ length: 500 }, (_, index) => addWaiting(runs, `run-${first + index}`, { directory, engine }))) // biome-ignore format: one line
    engine.serve(undefined)
    await sleep(1000)
    const held = memory() - before
    const used = process.cpuUsage()
    await sleep(idleMs)
    const { user, system } = process.cpuUsage(used)
    rows.push([`${count.toLocaleString('en')} waiting runs`, `${((user + system) / idleMs).toFixed(2)} ms`, `${(held / 1024 ** 2).toFixed(1)} MB`]) // biome-ignore format: one line
    await engine.close()
    await storage.close()
  }
  return { title: 'Runs that wait', heading: ['', 'processor time per second', 'heap'], rows }
}

async function addWaiting(runs: Runs, id: string, { directory, engine }: { directory: string; engine: RunEngine }) {
  const { owner } = await addRun(runs, { id, workspace: directory, engine, document: toDocument('look') })
  const now = Date.now()
  const step = { key: 'one', state: 'waiting', startedAt: now, wakesAt: now + 86_400_000 } as const
  await runs.change(id, { owner, epoch: 1, steps: [step], durable: false, end: { state: 'waiting', now, expiresAt: 0 } }, now) // biome-ignore format: one line
}

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

function memory(): number {
  collect()
  return process.memoryUsage().heapUsed
}

const number = {
  type: 'object',
  additionalProperties: false,
  required: ['number'],
  properties: { number: { type: 'integer', description: 'A number' } },
} as const

function toDocument(tool: string) {
  const ids = ['one', 'two', 'three', 'four', 'five']
  return {
    ...{
      name: `five_${tool}`,
      description: 'Calls a tool five times.',
      risk: 'safe_write',
      input: number,
      output: number,
    },
    steps: ids.map((id, index) => ({
      id,
      tool: `flow.${tool}`,
      input: { number: { $from: index === 0 ? '/input/number' : `/steps/${ids[index - 1]}/output/number` } },
    })),
    result: { number: { $from: '/steps/five/output/number' } },
  }
}

function writeTools(folder: string) {
  mkdirSync(folder)
  const contract = { description: 'Takes a number and returns the same.', input: number, output: number }
  const files = {
    'look.contract.json': { name: 'look', risk: 'read_only', ...contract },
    'make.contract.json': { name: 'make', risk: 'safe_write', approval: 'never', ...contract },
    'five_look.workflow.json': toDocument('look'),
    'five_make.workflow.json': toDocument('make'),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content))
  for (const name of ['look', 'make'])
    writeFileSync(join(folder, `${name}.js`), 'export const run = ({ number }) => ({ number })')
}
