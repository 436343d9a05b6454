import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openSqliteStorage } from '../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent, toOutcome } from '../src/runtime/storage/suite/records.ts'
import { compare } from './compare.ts'
import { comparePaint } from './console/paint.ts'
import { decideAim, toInterval, toNoise } from './noise.ts'
import { quantile, toBytes, toTime } from './print-table.ts'
import { type Contender, type HttpAddress, processorTimeOf, stop, toHttpContender } from './serve/contender.ts'
import { openStates, startHttp } from './serve/start-toolpact.ts'
import type { About, Table } from './table.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const command = join(root, 'dist/cli/toolpact.js')
const inspector = join(root, 'node_modules/@modelcontextprotocol/inspector')
const { version } = JSON.parse(readFileSync(join(inspector, 'package.json'), 'utf8')) as { version: string }
const sizes = [1000, 1_000_000]
const tools = ['--toolset', 'learning']

export const about: About = {
  compares:
    "Size and time to first paint of the console beside the MCP Inspector's page, its API with a short and a long ledger, and what its open stream costs calls.",
  peers: [`@modelcontextprotocol/inspector ${version}`],
}

export async function* bench(): AsyncGenerator<Table> {
  yield compareSizes()
  const states = openStates()
  try {
    yield* comparePages(sizes.map((entries) => ({ entries, env: states.make() })))
    yield* compareStream([states.make(), states.make()])
  } finally {
    states.remove()
  }
}

/** Scripts and style sheets, compressed. */
function compareSizes(): Table {
  const { script, imports, style } = JSON.parse(readFileSync(join(root, 'dist/console/manifest.json'), 'utf8'))
  const atOnce = [script, ...imports, style]
  const own = measureFiles(join(root, 'dist/console/assets'), (name) => atOnce.includes(name))
  const all = measureFiles(join(root, 'dist/console/assets'))
  const peer = measureFiles(join(inspector, 'clients/web/dist/assets'))
  const toRow = (name: string, bytes: number) => [name, toBytes(bytes), `${(bytes / own).toFixed(1)}×`]
  return {
    title: 'Scripts and style sheets, gzip',
    heading: ['', 'size', 'ratio'],
    rows: [toRow('console', own), toRow('with what is loaded on demand', all), toRow('MCP Inspector', peer)],
    notes: [
      decideAim({ what: 'console', most: 45, unit: ' kB' }, [own / 1000]),
      decideAim({ what: 'console with what is loaded on demand', most: 90, unit: ' kB' }, [all / 1000]),
    ],
  }
}

function measureFiles(folder: string, isCounted: (name: string) => boolean = () => true): number {
  return readdirSync(folder)
    .filter((name) => /\.(?:js|css)$/.test(name) && isCounted(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0)
}

interface Server {
  readonly entries: number
  readonly child: ChildProcess
  readonly address: HttpAddress
  readonly env: NodeJS.ProcessEnv
  readonly visit: Visit
}

/** The call that rare filters look for, and the id of one in the middle. */
const rare = { caller: 'rare', callId: randomUUID() }

const pages = [
  'calls?limit=50',
  'calls?limit=50&text=Ada',
  `calls?limit=50&caller=${rare.caller}`,
  'calls?limit=50&outcome=timeout',
  'calls?limit=50&outcome=interrupted',
  `calls/${rare.callId}`,
  'overview',
  'tools',
  'plots?range=24h',
  'plots?range=30d',
]

/** First paint, and every page that lists something from the ledger. Target: 100 ms for each. */
async function* comparePages(ledgers: readonly { readonly entries: number; readonly env: NodeJS.ProcessEnv }[]) {
  const servers: Server[] = []
  try {
    for (const { entries, env } of ledgers) {
      console.log(`\nWriting a ledger of ${entries.toLocaleString('en')} entries …`)
      await fill(env, entries / 2)
      const { child, address } = await startHttp(env, tools)
      servers.push({ entries, child, address, env, visit: await signIn(address, env) })
    }
    const [short] = servers
    const link = () => makeLink(short!.address, short!.env)
    const painted = await comparePaint({ url: link(), page: `${new URL(short!.address.url).origin}/console/now` }, join(inspector, 'clients/web/dist')) // biome-ignore format: one line
    if (painted) yield painted
    for (const path of pages)
      yield await compare(
        `GET /console/api/${path.replace(rare.callId, '{id}')}`,
        servers.map(({ entries, visit }) => ({
          name: `${entries.toLocaleString('en')} entries`,
          run: () => visit(path),
        })),
        { rounds: 30 },
      )
    yield await compareServerTimes(servers)
  } finally {
    await Promise.all(servers.map(({ child }) => stop(child)))
  }
}

/** The median time of each request, as the browser waits for it. */
async function compareServerTimes(servers: readonly Server[]): Promise<Table> {
  const rows: string[][] = []
  const notes: string[] = []
  for (const path of pages) {
    const medians: number[] = []
    for (const { visit } of servers) {
      const times: number[] = []
      for (let round = 0; round < 15; round++) {
        const start = performance.now()
        await visit(path)
        times.push(performance.now() - start)
      }
      medians.push(quantile(times, 0.5))
    }
    rows.push([path.replace(rare.callId, '{id}'), ...medians.map(toTime)])
    notes.push(decideAim({ what: path.replace(rare.callId, '{id}'), most: 100, unit: ' ms' }, [medians.at(-1)!]))
  }
  return { title: 'Median time of a request', heading: ['', ...servers.map(({ entries }) => `${entries.toLocaleString('en')} entries`)], rows, notes } // biome-ignore format: one line
}

/** The same calls on two servers, one of which reports them to an open console. */
async function* compareStream([bare, watched]: readonly NodeJS.ProcessEnv[]): AsyncGenerator<Table> {
  const started = [await startHttp(bare!, tools), await startHttp(watched!, tools)]
  const ended = new AbortController()
  try {
    const visit = await signIn(started[1]!.address, watched!)
    const read = visit('stream', ended.signal).catch(() => {})
    const contenders = started.map(({ child, address }, index) =>
      toHttpContender(index === 0 ? 'no stream' : 'one stream', child, address, '2026-07-28'),
    )
    const [without, withConsole] = await Promise.all(contenders.map(async (one) => (await one.open(1)).calls[0]!))
    yield await compare(
      'tools/call over HTTP, with a stream of the console open',
      [
        { name: 'no stream', run: without! },
        { name: 'one stream', run: withConsole!, aim: 1.03 },
      ],
      { rounds: 40, samples: 25 },
    )
    yield await comparePaced(contenders)
    ended.abort()
    await read
  } finally {
    ended.abort()
    await Promise.all(started.map(({ child }) => stop(child)))
  }
}

const perSecond = 100
const secondsEach = 4
const pacedRounds = 6

/** Processor time of the server per call at a rate that it can keep up easily, in interleaved rounds. */
async function comparePaced(contenders: readonly Contender[]): Promise<Table> {
  const used = contenders.map((): number[] => [])
  for (let round = 0; round <= pacedRounds; round++)
    for (const [index, contender] of contenders.entries()) {
      const { calls, close } = await contender.open(1)
      const before = processorTimeOf(contender.child)
      const count = await callPaced(calls[0]!)
      // The first round warms up.
      if (round > 0) used[index]!.push((processorTimeOf(contender.child) - before) / count)
      close()
    }
  const ratios = used.map((rounds) => rounds.map((time, round) => time / used[0]![round]!))
  const noise = toNoise(used[0]!)
  return {
    title: `tools/call over HTTP, ${perSecond} per second`,
    heading: ['', 'processor time per call', 'ratio', 'interval'],
    rows: contenders.map(({ name }, index) => [
      name,
      toTime(quantile(used[index]!, 0.5)),
      `${quantile(ratios[index]!, 0.5).toFixed(2)}×`,
      toInterval(ratios[index]!)
        .map((ratio) => ratio.toFixed(2))
        .join('–'),
    ]),
    noise,
    notes: [decideAim({ what: 'one stream, processor time', most: 1.03 }, ratios[1]!)],
  }
}

/** Calls at the wanted rate; on a machine that is too slow, one after another. */
async function callPaced(call: () => Promise<void>): Promise<number> {
  const end = performance.now() + secondsEach * 1000
  let count = 0
  for (let due = performance.now(); performance.now() < end; count++) {
    await call()
    due = Math.max(due + 1000 / perSecond, performance.now())
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  return count
}

/** Reads a path of the console's API to its end. */
type Visit = (path: string, signal?: AbortSignal) => Promise<void>

async function signIn({ url }: HttpAddress, env: NodeJS.ProcessEnv): Promise<Visit> {
  const { origin } = new URL(url)
  const { headers } = await fetch(makeLink({ url }, env), { redirect: 'manual' })
  const [cookie] = (headers.get('set-cookie') ?? '').split(';')
  return async (path, signal) => {
    const response = await fetch(`${origin}/console/api/${path}`, { headers: { Cookie: cookie! }, ...(signal && { signal }) }) // biome-ignore format: one line
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    for await (const _ of response.body!);
  }
}

function makeLink({ url }: HttpAddress, env: NodeJS.ProcessEnv): string {
  const args = [command, 'open', '--print', '--port', new URL(url).port]
  return execFileSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' }).trim()
}

async function fill(env: NodeJS.ProcessEnv, calls: number): Promise<void> {
  const storage = openSqliteStorage({ directory: env.TOOLPACT_STATE_DIR! })
  const begin = Date.now() - calls * 100
  for (let from = 0; from < calls; from += 4000) {
    const records = Array.from({ length: Math.min(4000, calls - from) }, (_, index) => {
      const isRare = from + index === Math.floor(calls / 2)
      const callId = isRare ? rare.callId : randomUUID()
      const at = new Date(begin + (from + index) * 100).toISOString()
      const failed = isRare ? { success: false, errorCode: 'timeout' } : {}
      return [toIntent(callId, { at, caller: { name: isRare ? rare.caller : 'bench' } }), toOutcome(callId, { at, ...failed })] // biome-ignore format: one line
    })
    await Promise.all(records.flat().map((record) => storage.ledger.append(record, { durable: true })))
  }
  await storage.close()
}
