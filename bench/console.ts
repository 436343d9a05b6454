import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openSqliteStorage } from '../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent, toOutcome } from '../src/runtime/storage/suite/records.ts'
import { compare } from './compare.ts'
import { decideAim } from './noise.ts'
import { toBytes } from './print-table.ts'
import { type HttpAddress, stop, toHttpContender } from './serve/contender.ts'
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
    'The size of the console beside that of the MCP Inspector, its API with a short and a long ledger, and what its open stream costs calls.',
  peers: [`@modelcontextprotocol/inspector ${version}`],
}

export async function* bench(): AsyncGenerator<Table> {
  yield compareSizes()
  const states = openStates()
  try {
    yield* comparePages(sizes.map((entries) => ({ entries, env: states.make() })))
    yield await compareStream([states.make(), states.make()])
  } finally {
    states.remove()
  }
}

/** Scripts and style sheets, compressed. What is loaded only when it is needed counts as well. */
function compareSizes(): Table {
  const own = measureFiles(join(root, 'dist/console/assets'), (name) => !name.startsWith('plots-'))
  const all = measureFiles(join(root, 'dist/console/assets'))
  const peer = measureFiles(join(inspector, 'clients/web/dist/assets'))
  const toRow = (name: string, bytes: number) => [name, toBytes(bytes), `${(bytes / own).toFixed(1)}×`]
  return {
    title: 'Scripts and style sheets, gzip',
    heading: ['', 'size', 'ratio'],
    rows: [toRow('console without plots', own), toRow('console', all), toRow('MCP Inspector', peer)],
    notes: [
      decideAim({ what: 'console without plots', most: 45, unit: ' kB' }, [own / 1000]),
      decideAim({ what: 'console', most: 70, unit: ' kB' }, [all / 1000]),
    ],
  }
}

function measureFiles(folder: string, isCounted: (name: string) => boolean = () => true): number {
  return readdirSync(folder)
    .filter((name) => /\.(?:js|css)$/.test(name) && isCounted(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0)
}

/** Every page that lists something from the ledger. */
async function* comparePages(ledgers: readonly { readonly entries: number; readonly env: NodeJS.ProcessEnv }[]) {
  const servers: { readonly entries: number; readonly child: ChildProcess; readonly visit: Visit }[] = []
  try {
    for (const { entries, env } of ledgers) {
      console.log(`\nWriting a ledger of ${entries.toLocaleString('en')} entries …`)
      await fill(env, entries / 2)
      const { child, address } = await startHttp(env, tools)
      servers.push({ entries, child, visit: await signIn(address, env) })
    }
    for (const path of ['calls?limit=50', 'calls?limit=50&text=Ada', 'overview', 'tools', 'plots?range=24h'])
      yield await compare(
        `GET /console/api/${path}`,
        servers.map(({ entries, visit }) => ({
          name: `${entries.toLocaleString('en')} entries`,
          run: () => visit(path),
        })),
        { rounds: 30 },
      )
  } finally {
    await Promise.all(servers.map(({ child }) => stop(child)))
  }
}

/** The same calls on two servers, one of which reports them to an open console. */
async function compareStream([bare, watched]: readonly NodeJS.ProcessEnv[]): Promise<Table> {
  const started = [await startHttp(bare!, tools), await startHttp(watched!, tools)]
  const ended = new AbortController()
  try {
    const visit = await signIn(started[1]!.address, watched!)
    const read = visit('stream', ended.signal).catch(() => {})
    const [without, withConsole] = await Promise.all(
      started.map(async ({ child, address }) => {
        const { calls } = await toHttpContender('', child, address, '2026-07-28').open(1)
        return calls[0]!
      }),
    )
    const table = await compare(
      'tools/call over HTTP, with a stream of the console open',
      [
        { name: 'no stream', run: without! },
        { name: 'one stream', run: withConsole!, aim: 1.03 },
      ],
      { rounds: 40, samples: 25 },
    )
    ended.abort()
    await read
    return table
  } finally {
    ended.abort()
    await Promise.all(started.map(({ child }) => stop(child)))
  }
}

/** Reads a path of the console's API to its end. */
type Visit = (path: string, signal?: AbortSignal) => Promise<void>

async function signIn({ url }: HttpAddress, env: NodeJS.ProcessEnv): Promise<Visit> {
  const { origin, port } = new URL(url)
  const link = execFileSync(process.execPath, [command, 'open', '--print', '--port', port], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const { headers } = await fetch(link.trim(), { redirect: 'manual' })
  const [cookie] = (headers.get('set-cookie') ?? '').split(';')
  return async (path, signal) => {
    const response = await fetch(`${origin}/console/api/${path}`, { headers: { Cookie: cookie! }, ...(signal && { signal }) }) // biome-ignore format: one line
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    for await (const _ of response.body!);
  }
}

async function fill(env: NodeJS.ProcessEnv, calls: number): Promise<void> {
  const storage = openSqliteStorage({ directory: env.TOOLPACT_STATE_DIR! })
  const begin = Date.now() - calls * 100
  for (let from = 0; from < calls; from += 4000) {
    const records = Array.from({ length: Math.min(4000, calls - from) }, (_, index) => {
      const callId = randomUUID()
      const at = new Date(begin + (from + index) * 100).toISOString()
      return [toIntent(callId, { at }), toOutcome(callId, { at })]
    })
    await Promise.all(records.flat().map((record) => storage.ledger.append(record, { durable: false })))
  }
  await storage.close()
}
