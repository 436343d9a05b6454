import { toInterval, toNoise } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import { watchProcessors } from '../processors.ts'
import { takeTurns } from '../quiet-rounds.ts'
import type { Table } from '../table.ts'

/** Something to measure. The first of a comparison is the baseline. */
interface Contender {
  readonly name: string
  /** Returns how many operations it made. */
  readonly run: () => Promise<number>
  /** Process ids of the servers that do the work. */
  readonly servers?: readonly number[]
  readonly memory?: () => number
  /** Does what the work leaves to be done later. Its processor time counts, and its elapsed time does not. */
  readonly settle?: () => Promise<unknown>
  /** Called after each round with the number of operations. What it does is not measured. */
  readonly onRound?: (operations: number) => unknown
}

/** The result for one contender. CPU times are ms per operation. */
export interface Found {
  readonly perSecond: readonly number[]
  readonly client: number
  readonly servers: number
  readonly postgres: number
  /** Processors that other programs used in the meantime. */
  readonly others: number
}

interface RoundsOptions {
  readonly rounds: number
  readonly postmaster?: number
}

/** Servers compile what they run often, and one of three gets a third of the calls. */
const warmUps = 4

/** Runs all contenders once in each round, so that a busy moment affects all of them. */
export async function measureRounds(contenders: readonly Contender[], { rounds, postmaster }: RoundsOptions) {
  const all = contenders.map(() => ({ perSecond: [] as number[], client: 0, servers: 0, postgres: 0, others: 0, operations: 0, ms: 0 })) // biome-ignore format: one line
  for (const contender of contenders) {
    let operations = 0
    for (let run = 0; run < warmUps; run++) operations += await contender.run()
    await contender.settle?.()
    await contender.onRound?.(operations)
  }
  for (let round = 0; round < rounds; round++) {
    await takeTurns([...contenders.entries()], round, async ([index, { run, servers = [], settle, onRound }]) => {
      const found = all[index]!
      const used = watchProcessors(servers, postmaster)
      const start = performance.now()
      const operations = await run()
      const ms = performance.now() - start
      const { others } = used()
      await settle?.()
      const { client, servers: own, postgres } = used()
      await onRound?.(operations)
      found.perSecond.push((operations * 1000) / ms)
      found.client += client
      found.servers += own
      found.postgres += postgres
      found.others += others
      found.operations += operations
      found.ms += ms
    })
  }
  return all.map(({ perSecond, client, servers, postgres, others, operations, ms }): Found => ({
    perSecond,
    client: client / operations,
    servers: servers / operations,
    postgres: postgres / operations,
    others: others / ms,
  })) // biome-ignore format: one line
}

interface TableOptions {
  readonly title: string
  /** What one operation is. */
  readonly unit: string
  readonly notes?: readonly string[]
}

export function toRoundsTable(
  { title, unit, notes }: TableOptions,
  contenders: readonly Contender[],
  found: readonly Found[],
): Table {
  // biome-ignore format: one line
  const base = found[0]!.perSecond
  const hasMemory = contenders.some(({ memory }) => memory)
  const hasServers = contenders.some(({ servers }) => servers)
  const rows = contenders.map(({ name, memory }, index) => {
    const { perSecond, client, servers, postgres } = found[index]!
    const ratios = perSecond.map((value, round) => value / base[round]!)
    return [
      name,
      Math.round(quantile(perSecond, 0.5)).toLocaleString('en'),
      `${quantile(ratios, 0.5).toFixed(2)}×`,
      toInterval(ratios)
        .map((ratio) => ratio.toFixed(2))
        .join('–'),
      toCell(hasServers ? servers : client),
      toCell(postgres),
      ...(hasMemory ? [memory ? `${Math.round(memory())} MB` : ''] : []),
    ]
  })
  const heading = ['', `${unit} per second`, 'ratio', 'interval', `processor per ${unit.replace(/s$/, '')}`, 'of Postgres', ...(hasMemory ? ['memory'] : [])] // biome-ignore format: one line
  return { title, heading, rows, noise: toNoise(base), ...(notes && { notes }) }
}

function toCell(ms: number): string {
  return Number.isNaN(ms) ? '?' : ms === 0 ? '' : toTime(ms)
}
