import { readFileSync } from 'node:fs'
import { measureAllocated } from './allocated.ts'
import { decideAim, toNoise } from './noise.ts'
import { quantile, toBytes, toTime } from './print-table.ts'
import type { Table } from './table.ts'

/** Something to be timed. The first of a comparison is what the others are measured against. */
export interface Contender {
  readonly name: string
  readonly run: () => unknown
  /** As a multiple of the first, what it is to cost at most. */
  readonly aim?: number
  /** Memory of the process that `run` starts, in bytes. Without it, what a call allocates here is measured. */
  readonly memory?: () => number
}

export interface CompareOptions {
  /** How often every contender gets its turn. Turns are interleaved, so that a busy moment hits all alike. */
  readonly rounds: number
  /** Samples of one turn. */
  readonly samples?: number
  /** Operations that one call of `run` makes; a sample is divided by it. */
  readonly operations?: number
  /** Calls of `run` in one sample, for what is too short to be timed alone. */
  readonly repeat?: number
  /** Tell the time of processors too, of this process and of those that it starts: other work on the machine hardly changes it. */
  readonly processor?: boolean
}

/** Times the contenders side by side and gives ratios: a time alone says nothing about another machine. */
export async function compare(
  title: string,
  contenders: readonly Contender[],
  options: CompareOptions,
): Promise<Table> {
  const { rounds, samples = 1, operations = 1, repeat = 1 } = options
  const times = contenders.map((): number[] => [])
  const medians = contenders.map((): number[] => [])
  const processor = contenders.map(() => 0)
  for (const { run } of contenders) await sample(run, repeat)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      const taken: number[] = []
      const before = options.processor ? processorTime() : 0
      for (let count = 0; count < samples; count++) taken.push((await sample(run, repeat)) / operations)
      if (options.processor) processor[index]! += processorTime() - before
      times[index]!.push(...taken)
      medians[index]!.push(quantile(taken, 0.5))
    }
  }
  const memory: number[] = []
  for (const { run, memory: measureMemory } of contenders)
    memory.push(measureMemory?.() ?? (await measureAllocated(run, samples * repeat)) / operations)
  const table = toTable(title, contenders, { times, medians, memory })
  if (!options.processor) return table
  const each = rounds * samples * repeat * operations
  return addColumns(table, ['processor', 'its ratio'], (row) => toProcessorCells(processor[row]! / each, processor[0]! / each)) // biome-ignore format: one line
}

/** Behind the spread. */
function addColumns(table: Table, names: readonly string[], toCells: (row: number) => readonly string[]): Table {
  const add = (cells: readonly string[], more: readonly string[]) => cells.toSpliced(-1, 0, ...more)
  const rows = table.rows.map((cells, row) => add(cells, toCells(row)))
  return { ...table, heading: add(table.heading, names), rows }
}

function toProcessorCells(milliseconds: number, base: number): string[] {
  return Number.isNaN(milliseconds) ? ['?', '?'] : [toTime(milliseconds), `${toRatio(milliseconds / base)}×`]
}

/** Of this process, and of those that it has started and seen end, in ms. NaN where the system does not tell. */
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
  readonly times: readonly number[][]
  /** Of each round. */
  readonly medians: readonly number[][]
  readonly memory: readonly number[]
}

function toTable(title: string, contenders: readonly Contender[], { times, medians, memory }: Found): Table {
  const [base] = medians
  const noise = toNoise(base!)
  const ratios = medians.map((rounds) => rounds.map((median, round) => median / base![round]!))
  const rows = contenders.map(({ name }, index) => {
    const p50 = quantile(times[index]!, 0.5)
    return [
      name,
      toTime(p50),
      toTime(quantile(times[index]!, 0.99)),
      Math.round(1000 / p50).toLocaleString('en'),
      `${toRatio(quantile(ratios[index]!, 0.5))}×`,
      `${toRatio(quantile(ratios[index]!, 0.1))}–${toRatio(quantile(ratios[index]!, 0.9))}`,
      toBytes(memory[index]!),
    ]
  })
  const notes = contenders.flatMap(({ name, aim }, index) =>
    aim === undefined ? [] : [decideAim({ what: name, most: aim }, ratios[index]!, noise)],
  )
  const last = contenders[0]!.memory ? 'memory' : 'allocated'
  return { title, heading: ['', 'p50', 'p99', 'per second', 'ratio', 'spread', last], rows, noise, notes }
}

function toRatio(ratio: number): string {
  return ratio < 100 ? ratio.toFixed(2) : Math.round(ratio).toLocaleString('en')
}
