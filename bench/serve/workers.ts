import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { decideAim, toInterval, toNoise } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import { memoryOf } from '../processors.ts'
import { type Found, measureRounds } from '../scale/rounds.ts'
import type { Table } from '../table.ts'
import { stop, toHttpContender } from './contender.ts'
import { runLoad } from './measure.ts'
import { openStates, startHttp } from './start-toolpact.ts'

const load = { callers: 64, calls: 2400 }
const rounds = 16
const cores = cpus().length
/** With less room than this, two workers would seem to double one although they do nothing. */
const leastRoom = 1.2

/**
 * `tools/call` at one and at two workers on SQLite. The client uses a part of the same machine, so the ratio that it allows is
 * less than 2: it follows from the processor time of a call at the server and at the client.
 */
export async function measureWorkers(): Promise<Table> {
  const states = openStates()
  const start = async (workers: number) => {
    const { child, address } = await startHttp(states.make(), ['--toolset', 'learning', '--workers', `${workers}`])
    const servers = [child.pid!, ...findChildren(child.pid!)]
    const { open } = toHttpContender('', child, address, '2026-07-28')
    return {
      child,
      name: workers === 1 ? '1 worker' : `${workers} workers`,
      servers,
      run: async () => (await runLoad({ open }, load)).latencies.length,
    }
  }
  const contenders = [await start(1), await start(2)]
  try {
    const found = await measureRounds(contenders, { rounds })
    const rows = contenders.map(({ name, servers }, index) => toRow(name, { servers, found: found[index]!, base: found[0]!, count: index + 1 })) // biome-ignore format: one line
    const [one, two] = found as [Found, Found]
    const allowed = toCeiling(one, 2) / toCeiling(one, 1)
    const reached = two.perSecond.map((value, round) => value / one.perSecond[round]! / (allowed / 2))
    return {
      title: `tools/call over HTTP, ${load.callers} at once, by number of workers`,
      heading: ['', 'calls per second', 'ratio', 'interval', 'server per call', 'client per call', 'ceiling', 'memory'],
      rows,
      noise: toNoise(one.perSecond),
      notes: [
        `The ceiling is what ${cores} processors allow if nothing ever waits, and a call takes no more time at two workers than at one: each takes the time of server and client, and a worker is one processor. So two workers can reach ${allowed.toFixed(2)} times one here, and twice with a client elsewhere.`,
        allowed < leastRoom
          ? `Undecided: 2 workers at least 1.7×. The client takes so much of this machine that they can reach no more than ${allowed.toFixed(2)} times one.`
          : decideAim({ what: '2 workers, with the share of the client taken out', least: 1.7 }, reached),
      ],
    }
  } finally {
    await Promise.all(contenders.map(({ child }) => stop(child)))
    states.remove()
  }
}

interface Measured {
  readonly servers: readonly number[]
  readonly found: Found
  readonly base: Found
  readonly count: number
}

function toRow(name: string, { servers, found, base, count }: Measured): string[] {
  const ratios = found.perSecond.map((value, round) => value / base.perSecond[round]!)
  return [
    name,
    toNumber(quantile(found.perSecond, 0.5)),
    `${quantile(ratios, 0.5).toFixed(2)}×`,
    toInterval(ratios).map((ratio) => ratio.toFixed(2)).join('–'), // biome-ignore format: one line
    toTime(found.servers),
    toTime(found.client),
    toNumber(toCeiling(base, count)),
    `${Math.round(servers.reduce((sum, pid) => sum + memoryOf(pid), 0))} MB`,
  ]
}

/** Calls per second. */
function toCeiling({ servers, client }: Found, workers: number): number {
  return 1000 / Math.max(servers / workers, (servers + client) / cores)
}

function toNumber(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function findChildren(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter((text) => text !== '').map(Number) // biome-ignore format: one line
}
