import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { decideAim, toNoise } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import { inQuietRounds, takeTurns } from '../quiet-rounds.ts'
import { memoryOf, stop, toHeaders, toMessage, toRequestHeaders } from '../serve/contender.ts'
import { type HttpConnection, openHttp } from '../serve/http-client.ts'
import { startHttp } from '../serve/start-toolpact.ts'
import type { Table } from '../table.ts'

const peer = fileURLToPath(new URL('../serve/peer-server.ts', import.meta.url))
/** Of each server; 70 servers have about 2,000. */
const tools = 29
const counts = [1, 70]
const revision = '2026-07-28'
const rounds = 40
const callsPerRound = 100
const warmUpCalls = 3000
const settleMs = 20_000
const idleMs = 30_000

interface Host {
  readonly count: number
  readonly child: ChildProcess
  readonly connection: HttpConnection
  /** From the start until all tools were listed, in ms. */
  readonly listed: number
}

/** Compares one server with 70, each a process with 29 tools: start, idle processor time, list and calls. */
export async function measureManyUpstreams(folder: string): Promise<Table> {
  const hosts: Host[] = []
  let alone: ChildProcess[] = []
  try {
    for (const count of counts) hosts.push(await startHost(folder, count))
    alone = startAlone(counts.at(-1)!)
    await sleep(settleMs)
    const pids = [...hosts.map(({ child }) => child), ...alone].map(({ pid }) => pid!)
    const before = pids.map(processorOf)
    await sleep(idleMs)
    const used = pids.map((pid, index) => difference(processorOf(pid), before[index]!))
    const idle = {
      hosts: used.slice(0, hosts.length),
      alone: used.slice(hosts.length).reduce((sum, { own }) => sum + own, 0),
    }
    for (const child of alone) child.kill()
    for (const host of hosts) for (let index = 0; index < warmUpCalls; index++) await callNext(host, index)
    const measured = await inQuietRounds(rounds, (round) => takeTurns(hosts, round, measureRound))
    return toTable(hosts, { idle, rounds: measured })
  } finally {
    for (const child of alone) child.kill()
    for (const { connection } of hosts) connection.close()
    await Promise.all(hosts.map(({ child }) => stop(child)))
  }
}

/** The same servers, with nothing that calls them: what Node itself does in an idle process. */
function startAlone(count: number): ChildProcess[] {
  const env = { ...process.env, COUNT: String(tools) }
  const start = () => spawn(process.execPath, [peer, 'bare', 'stdio'], { env, stdio: ['pipe', 'ignore', 'ignore'] })
  return Array.from({ length: count }, start)
}

async function startHost(folder: string, count: number): Promise<Host> {
  const names = Array.from({ length: count }, (_, index) => `server-${index}`)
  const entry = { command: process.execPath, args: [peer, 'bare', 'stdio'], env: { COUNT: String(tools) }, approval: 'reads', startupMs: 120_000 } // biome-ignore format: one line
  const config = join(folder, `toolpact-${count}.json`)
  const mcpServers = Object.fromEntries(names.map((name) => [name, entry]))
  writeFileSync(config, JSON.stringify({ mcpServers, toolsets: names }))
  const begin = performance.now()
  const { child, address } = await startHttp({ TOOLPACT_STATE_DIR: mkdtempSync(join(folder, 'state-')) }, ['--config', config]) // biome-ignore format: one line
  const connection = await openHttp(address.url, toHeaders(address, ''))
  while ((await listAll(connection)).tools < count * tools) {
    if (performance.now() - begin > 120_000) throw new Error('Not every server was ready in two minutes.')
    await sleep(50)
  }
  return { count, child, connection, listed: performance.now() - begin }
}

interface Round {
  /** The median call, and the whole list, in ms. */
  readonly call: number
  readonly list: number
}

async function measureRound(host: Host): Promise<Round> {
  const calls: number[] = []
  for (let index = 0; index < callsPerRound; index++) calls.push(await timed(() => callNext(host, index)))
  const list = await timed(() => listAll(host.connection))
  return { call: quantile(calls, 0.5), list }
}

interface Measured {
  /** Without calls; `alone`: of as many servers without a host, in ms. */
  readonly idle: { readonly hosts: readonly Processor[]; readonly alone: number }
  readonly rounds: Awaited<ReturnType<typeof inQuietRounds<Round[]>>>
}

function toTable(hosts: readonly Host[], { idle, rounds: { rounds, ...left } }: Measured): Table {
  const calls = hosts.map((_, index) => rounds.map((round) => round[index]!.call))
  const lists = hosts.map((_, index) => rounds.map((round) => round[index]!.list))
  const ratios = calls.map((own) => own.map((call, round) => call / calls[0]![round]!))
  const rows = hosts.map(({ count, child, listed }, index) => [
    `${count} × ${tools}`,
    toTime(listed),
    toTime(idle.hosts[index]!.own),
    toTime(idle.hosts[index]!.servers),
    toTime(quantile(lists[index]!, 0.5)),
    toTime(quantile(calls[index]!, 0.5)),
    `${quantile(ratios[index]!, 0.5).toFixed(2)}×`,
    `${Math.round(memoryOf(child))} MB`,
  ])
  const many = hosts.length - 1
  const about = `${counts.at(-1)} servers`
  return {
    title: 'Many servers behind toolpact',
    heading: ['servers × tools', 'all listed after', 'idle, host', 'idle, its processes', 'whole list', 'call', 'ratio', 'memory'], // biome-ignore format: one line
    rows,
    noise: toNoise(calls[0]!),
    left,
    notes: [
      ...(process.platform === 'linux'
        ? [
            decideAim({ what: `${about}, processor time of the host in ${idleMs / 1000} s without calls`, most: 10, unit: ' ms' }, [idle.hosts[many]!.own]), // biome-ignore format: one line
            `Its ${about} took ${toTime(idle.hosts[many]!.servers)} meanwhile, and the same ${about} without a host ${toTime(idle.alone)}: V8 wakes up every process.`,
          ]
        : []),
      decideAim({ what: `${about}, the whole list`, most: 20, unit: ' ms' }, lists[many]!),
      decideAim({ what: `${about}, a call beside one server`, most: 1.05 }, ratios[many]!),
      'The start, and the time without calls, were measured once.',
    ],
  }
}

interface Processor {
  /** Of the host, of the processes that it started, and of both, in ms. */
  readonly own: number
  readonly servers: number
  readonly all: number
}

/** Counted in nanoseconds, not in the ticks of `stat`. Zero without /proc. */
function processorOf(pid: number): Processor {
  if (process.platform !== 'linux') return { own: 0, servers: 0, all: 0 }
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)
  const own = tasks.reduce((sum, task) => sum + Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0) // biome-ignore format: one line
  const children = tasks.flatMap((task) => readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean))
  const servers = children.reduce((sum, child) => sum + processorOf(Number(child)).all, 0)
  return { own, servers, all: own + servers }
}

function difference(after: Processor, before: Processor): Processor {
  return { own: after.own - before.own, servers: after.servers - before.servers, all: after.all - before.all }
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await job()
  return performance.now() - start
}

async function listAll(connection: HttpConnection): Promise<{ tools: number }> {
  let found = 0
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const message = toMessage(revision, 'tools/list', cursor ? { cursor } : {})(1)
    const answer = await connection.send(message, toRequestHeaders(revision, 'tools/list'))
    found += answer.split('"inputSchema"').length - 1
    cursor = /"nextCursor":"([^"]+)"/.exec(answer)?.[1]
  }
  return { tools: found }
}

/** Always of one server: it takes thousands of calls until a server has compiled what it runs. */
async function callNext({ connection, count }: Host, index: number) {
  const name = `${count === 1 ? '' : `server-${count >> 1}.`}hello_${index % tools}`
  const message = toMessage(revision, 'tools/call', { name, arguments: { name: 'Ada' } })(1)
  const answer = await connection.send(message, toRequestHeaders(revision, 'tools/call', name))
  if (!answer.includes('Hello, Ada!')) throw new Error(`The server answered: ${answer.slice(0, 500)}`)
}
