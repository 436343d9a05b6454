import { fileURLToPath } from 'node:url'
import { decideAim, toNoise } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import type { Table } from '../table.ts'
import { memoryOf, stop, toHeaders, toMessage, toRequestHeaders } from './contender.ts'
import { type HttpConnection, openHttp } from './http-client.ts'
import { openStates, startHttp } from './start-toolpact.ts'

const entry = fileURLToPath(new URL('many-tools.ts', import.meta.url))
const counts = [10, 100, 1000, 10_000]
const rounds = 20
const calls = 25
const revision = '2026-07-28'
/** Maximum growth that counts as flat. */
const flat = 1.2

/** Cost of a `tools/list` page and of a call by number of tools. The size of a page is bounded. */
export async function measureGrowth(): Promise<Table> {
  const states = openStates()
  const servers = await Promise.all(counts.map((count) => open(count, states.make())))
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { connection, times, last } of servers) {
        await repeat(times.list, () => list(connection))
        await repeat(times.call, () => call(connection, last))
      }
    }
  } finally {
    for (const { connection, child } of servers) {
      connection.close()
      await stop(child)
    }
    states.remove()
  }
  const [base] = servers
  const rows = servers.map(({ count, listed, times, memory }) => {
    const [page, called] = [quantile(times.list, 0.5), quantile(times.call, 0.5)]
    return [
      count.toLocaleString('en'),
      String(listed),
      toTime(page),
      `${(page / quantile(base!.times.list, 0.5)).toFixed(2)}×`,
      toTime(called),
      `${(called / quantile(base!.times.call, 0.5)).toFixed(2)}×`,
      `${Math.round(memory)} MB`,
    ]
  })
  const heading = ['tools', 'in a page', 'page', 'ratio', 'call', 'ratio', 'memory']
  const most = servers.at(-1)!
  // Pages grow with the tools in them: what should stay flat is the time for each. A short page is mostly the request.
  const long = servers.find(({ listed }) => listed >= 1000)!
  const perTool = ({ listed, times }: (typeof servers)[number]) => toMedians(times.list).map((time) => time / listed)
  const baseCalls = toMedians(base!.times.call)
  const noise = toNoise(baseCalls)
  return {
    title: 'Cost as there are more tools, over HTTP (aim: flat)',
    heading,
    rows,
    noise,
    notes: [
      decideFlat(`a call with ${toName(most)} beside ${toName(base!)}`, toMedians(most.times.call), baseCalls),
      decideFlat(
        `a page, for each tool in it, with ${toName(most)} beside ${toName(long)}`,
        perTool(most),
        perTool(long),
      ),
    ],
  }

  function decideFlat(what: string, medians: readonly number[], base: readonly number[]): string {
    const ratios = medians.map((median, round) => median / base[round]!)
    return decideAim({ what, most: flat }, ratios)
  }
}

/** Per round. */
function toMedians(times: readonly number[]): number[] {
  return Array.from({ length: rounds }, (_, round) => quantile(times.slice(round * calls, (round + 1) * calls), 0.5))
}

function toName({ count }: { readonly count: number }): string {
  return `${count.toLocaleString('en')} tools`
}

async function open(count: number, env: NodeJS.ProcessEnv) {
  const { child, address } = await startHttp({ ...env, COUNT: String(count) }, [], entry)
  const connection = await openHttp(address.url, toHeaders(address, ''))
  const last = `hello_${count - 1}`
  const listed = (await list(connection)).split('"inputSchema"').length - 1
  await call(connection, last)
  const times = { list: [] as number[], call: [] as number[] }
  return { count, child, connection, last, listed, times, memory: memoryOf(child) }
}

async function repeat(times: number[], job: () => Promise<unknown>) {
  for (let count = 0; count < calls; count++) {
    const start = performance.now()
    await job()
    times.push(performance.now() - start)
  }
}

/** The first page. */
function list(connection: HttpConnection): Promise<string> {
  return connection.send(toMessage(revision, 'tools/list', {})(1), toRequestHeaders(revision, 'tools/list'))
}

async function call(connection: HttpConnection, name: string) {
  const message = toMessage(revision, 'tools/call', { name, arguments: { name: 'Ada' } })(1)
  const answer = await connection.send(message, toRequestHeaders(revision, 'tools/call', name))
  if (!answer.includes('Hello, Ada!')) throw new Error(`The server answered: ${answer.slice(0, 500)}`)
}
