import { decideAim, toInterval, toNoise } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import { inQuietRounds, takeTurns } from '../quiet-rounds.ts'
import type { Table } from '../table.ts'
import { type Contender, memoryOf, processorTimeOf } from './contender.ts'

interface Load {
  readonly callers: number
  /** Calls per round. */
  readonly calls: number
}

/** Targets for Toolpact, as multiples of the first contender. */
export interface ServeAim {
  readonly minThroughput?: number
  readonly maxLatency?: number
  /** In MB, after the load. */
  readonly maxMemory?: number
  /** A share of the throughput of another contender, up to a number of callers. */
  readonly beside?: { readonly name: string; readonly minThroughput: number; readonly maxCallers: number }
  /** Contenders that Toolpact must beat in both; each round compares with the best of them. */
  readonly aheadOf?: readonly string[]
}

/** What one server did in one round. */
interface Turn {
  readonly latencies: readonly number[]
  readonly milliseconds: number
  readonly processor: number
}

interface Found {
  readonly latencies: readonly number[]
  /** Per round. */
  readonly medians: readonly number[]
  readonly perSecond: readonly number[]
  readonly processor: number
}

/** A server compiles what it runs often, and its first thousands of calls take several times as long. */
const warmUpCalls = 8000

/** Loads the servers in interleaved rounds and returns ratios to the first. */
export async function measure(
  { title, aim }: { title: string; aim: ServeAim },
  contenders: readonly Contender[],
  { rounds: wanted, ...load }: Load & { readonly rounds: number },
): Promise<Table> {
  for (const contender of contenders) await runLoad(contender, { ...load, calls: warmUpCalls })
  const { rounds, ...left } = await inQuietRounds(wanted, (number) =>
    takeTurns(contenders, number, async (contender): Promise<Turn> => {
      const before = processorTimeOf(contender.child)
      const { latencies, milliseconds } = await runLoad(contender, load)
      return { latencies, milliseconds, processor: processorTimeOf(contender.child) - before }
    }),
  )
  const found = contenders.map((_, index) => toFound(rounds.map((round) => round[index]!)))
  const memory = contenders.map(({ child }) => memoryOf(child))
  const rows = contenders.map(({ name }, index) => [...toRow(name, found[index]!, found[0]!), `${Math.round(memory[index]!)} MB`]) // biome-ignore format: one line
  const noise = toNoise(found[0]!.perSecond)
  const { beside } = aim
  const other = beside && load.callers <= beside.maxCallers ? contenders.findIndex(({ name }) => name === beside.name) : -1 // biome-ignore format: one line
  const others = found.filter((_, index) => aim.aheadOf?.includes(contenders[index]!.name))
  const more = { others, other: found[other] }
  const notes = contenders.flatMap(({ name }, index) =>
    name.startsWith('toolpact')
      ? decideAims(name, aim, { own: found[index]!, base: found[0]!, memory: memory[index]!, ...more })
      : [],
  )
  return {
    title: `${title}, ${load.callers === 1 ? 'one call after the other' : `${load.callers} at once`}`,
    heading: ['', 'p50', 'p99', 'per second', 'ratio', 'interval', 'p50 ratio', 'processor', 'its ratio', 'memory'],
    rows,
    noise,
    left,
    notes,
  }
}

function toFound(turns: readonly Turn[]): Found {
  return {
    latencies: turns.flatMap(({ latencies }) => latencies),
    medians: turns.map(({ latencies }) => quantile(latencies, 0.5)),
    perSecond: turns.map(({ latencies, milliseconds }) => (latencies.length * 1000) / milliseconds),
    processor: turns.reduce((sum, { processor }) => sum + processor, 0),
  }
}

function toRow(name: string, { latencies, perSecond, processor }: Found, base: Found): string[] {
  const ratios = toRatios(perSecond, base.perSecond)
  const p50 = quantile(latencies, 0.5)
  return [
    name,
    toTime(p50),
    toTime(quantile(latencies, 0.99)),
    Math.round(quantile(perSecond, 0.5)).toLocaleString('en'),
    `${quantile(ratios, 0.5).toFixed(2)}×`,
    toInterval(ratios)
      .map((ratio) => ratio.toFixed(2))
      .join('–'),
    `${(p50 / quantile(base.latencies, 0.5)).toFixed(2)}×`,
    Number.isNaN(processor) ? '?' : toTime(processor / latencies.length),
    Number.isNaN(processor) ? '?' : `${(processor / base.processor).toFixed(2)}×`,
  ]
}

interface Compared {
  readonly own: Found
  readonly base: Found
  readonly others: readonly Found[]
  readonly other: Found | undefined
  readonly memory: number
}

function decideAims(
  name: string,
  { minThroughput, maxLatency, maxMemory, beside }: ServeAim,
  { own, base, others, other, memory }: Compared,
): string[] {
  const notes: string[] = []
  if (minThroughput !== undefined) {
    const aim = { what: `${name}, throughput`, least: minThroughput }
    notes.push(decideAim(aim, toRatios(own.perSecond, base.perSecond)))
  }
  if (maxLatency !== undefined) {
    const aim = { what: `${name}, latency`, most: maxLatency }
    notes.push(decideAim(aim, toRatios(own.medians, base.medians)))
  }
  if (maxMemory !== undefined)
    notes.push(decideAim({ what: `${name}, memory`, most: maxMemory, unit: ' MB' }, [memory]))
  if (beside && other) {
    const aim = { what: `${name}, throughput beside ${beside.name}`, least: beside.minThroughput }
    notes.push(decideAim(aim, toRatios(own.perSecond, other.perSecond)))
  }
  if (others.length > 0) {
    const most = own.perSecond.map((_, round) => Math.max(...others.map(({ perSecond }) => perSecond[round]!)))
    const least = own.medians.map((_, round) => Math.min(...others.map(({ medians }) => medians[round]!)))
    const beside = 'beside the best other of each round'
    const throughput = { what: `${name}, throughput ${beside}`, least: 1 }
    const latency = { what: `${name}, latency ${beside}`, most: 1 }
    notes.push(decideAim(throughput, toRatios(own.perSecond, most)))
    notes.push(decideAim(latency, toRatios(own.medians, least)))
  }
  return notes
}

function toRatios(rounds: readonly number[], base: readonly number[]): number[] {
  return rounds.map((value, round) => value / base[round]!)
}

/** Calls in turn from each of the callers, until the given number of calls is made. */
export async function runLoad(contender: Pick<Contender, 'open'>, { callers, calls: total }: Load) {
  const { calls, close } = await contender.open(callers)
  const latencies: number[] = []
  let left = total
  const start = performance.now()
  await Promise.all(
    calls.map(async (call) => {
      while (left-- > 0) {
        const sent = performance.now()
        await call()
        latencies.push(performance.now() - sent)
      }
    }),
  )
  const milliseconds = performance.now() - start
  close()
  return { latencies, milliseconds }
}
