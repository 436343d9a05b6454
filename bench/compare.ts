import { readFileSync } from 'node:fs'
import type { HeapProfiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { decideAim, isEnough, toInterval, toNoise } from './noise.ts'
import { quantile, toBytes, toTime } from './print-table.ts'
import { watchOutside } from './processors.ts'
import { inQuietRounds, takeTurns } from './quiet-rounds.ts'
import type { Table } from './table.ts'

/** A candidate to time. The first of a comparison is the baseline. */
export interface Contender {
  readonly name: string
  readonly run: () => unknown
  /** Target: maximum cost as a multiple of the baseline. */
  readonly aim?: number
  /** Memory of the process that `run` starts, in bytes. Default: heap allocations in this process. */
  readonly memory?: () => number
}

export interface CompareOptions {
  /** Interleaved rounds, so that a load spike affects all contenders alike. */
  readonly rounds: number
  /** Samples per round. */
  readonly samples?: number
  /** Operations per call of `run`; samples are divided by it. */
  readonly operations?: number
  /** Calls of `run` per sample, for operations that are too short to time individually. */
  readonly repeat?: number
  /** Also report CPU time of this process and its children, which depends less on other load. */
  readonly processor?: boolean
}

/** Times the contenders and returns ratios, because absolute times do not carry over to other machines. */
export async function compare(
  title: string,
  contenders: readonly Contender[],
  options: CompareOptions,
): Promise<Table> {
  const { rounds: wanted, samples = 1, operations = 1, repeat = 1 } = options
  for (const { run } of contenders) await sample(run, repeat)
  const toRatios = (rounds: readonly (readonly Turn[])[]) =>
    contenders.slice(1).map(({ aim }, index) => ({ aim, rounds: rounds.map((turns) => quantile(turns[index + 1]!.times, 0.5) / quantile(turns[0]!.times, 0.5)) })) // biome-ignore format: one line
  const play = (number: number) =>
    takeTurns(contenders, number, async ({ run }): Promise<Turn> => {
      const times: number[] = []
      const before = options.processor ? processorTime() : 0
      for (let count = 0; count < samples; count++) times.push((await sample(run, repeat)) / operations)
      return { times, processor: options.processor ? processorTime() - before : 0 }
    })
  const { rounds, ...left } = await inQuietRounds(wanted, play, watchOutside, (rounds) => isEnough(toRatios(rounds)))
  const turns = contenders.map((_, index) => rounds.map((round) => round[index]!))
  const memory: number[] = []
  for (const { run, memory: measureMemory } of contenders)
    memory.push(measureMemory?.() ?? (await measureAllocated(run, samples * repeat)) / operations)
  const table = { ...toTable(title, contenders, { turns, memory }), left }
  if (!options.processor) return table
  const each = turns.map((own) => own.reduce((sum, { processor }) => sum + processor, 0) / rounds.length / samples / repeat / operations) // biome-ignore format: one line
  return addColumns(table, ['processor', 'its ratio'], (row) => toProcessorCells(each[row]!, each[0]!))
}

/** What one contender did in one round. */
interface Turn {
  readonly times: readonly number[]
  readonly processor: number
}

/** Inserts columns before the last one. */
function addColumns(table: Table, names: readonly string[], toCells: (row: number) => readonly string[]): Table {
  const add = (cells: readonly string[], more: readonly string[]) => cells.toSpliced(-1, 0, ...more)
  const rows = table.rows.map((cells, row) => add(cells, toCells(row)))
  return { ...table, heading: add(table.heading, names), rows }
}

function toProcessorCells(milliseconds: number, base: number): string[] {
  return Number.isNaN(milliseconds) ? ['?', '?'] : [toTime(milliseconds), `${toRatio(milliseconds / base)}×`]
}

/** CPU time of this process and its reaped children, in ms. NaN if the system does not report it. */
function processorTime(): number {
  if (process.platform !== 'linux') return Number.NaN
  const { user, system } = process.cpuUsage()
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10
}

async function sample(run: () => unknown, repeat: number): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < repeat; count++) await run()
  return (performance.now() - start) / repeat
}

interface Found {
  /** Of each contender, by round. */
  readonly turns: readonly (readonly Turn[])[]
  readonly memory: readonly number[]
}

function toTable(title: string, contenders: readonly Contender[], { turns, memory }: Found): Table {
  const medians = turns.map((own) => own.map(({ times }) => quantile(times, 0.5)))
  const [base] = medians
  const noise = toNoise(base!)
  const ratios = medians.map((rounds) => rounds.map((median, round) => median / base![round]!))
  const rows = contenders.map(({ name }, index) => {
    const times = turns[index]!.flatMap((turn) => turn.times)
    const p50 = quantile(times, 0.5)
    return [
      name,
      toTime(p50),
      toTime(quantile(times, 0.99)),
      Math.round(1000 / p50).toLocaleString('en'),
      `${toRatio(quantile(ratios[index]!, 0.5))}×`,
      toInterval(ratios[index]!).map(toRatio).join('–'),
      toBytes(memory[index]!),
    ]
  })
  const notes = contenders.flatMap(({ name, aim }, index) =>
    aim === undefined ? [] : [decideAim({ what: name, most: aim }, ratios[index]!)],
  )
  const last = contenders[0]!.memory ? 'memory' : 'allocated'
  return { title, heading: ['', 'p50', 'p99', 'per second', 'ratio', 'interval', last], rows, noise, notes }
}

function toRatio(ratio: number): string {
  return ratio < 100 ? ratio.toFixed(2) : Math.round(ratio).toLocaleString('en')
}

/** Heap bytes that one call of `run` allocates, including those already collected. */
async function measureAllocated(run: () => unknown, calls: number): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 1024,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    for (let count = 0; count < calls; count++) await run()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    return sumSizes(profile.head) / calls
  } finally {
    session.disconnect()
  }
}

function sumSizes({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((total, child) => total + sumSizes(child), selfSize)
}
