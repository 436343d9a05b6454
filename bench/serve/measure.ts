import { printTable, quantile, toTime } from '../print-table.ts'
import { type Contender, memoryOf, processorTimeOf } from './contender.ts'

interface Load {
  readonly callers: number
  /** Calls of one round. */
  readonly calls: number
  /** Default: 8. */
  readonly rounds?: number
}

/** Loads the servers in turns, so that a busy moment hits all alike, and prints them as ratios to the first. */
export async function measure(title: string, contenders: readonly Contender[], load: Load): Promise<void> {
  const { rounds = 8 } = load
  const found = contenders.map(() => ({ latencies: [] as number[], perSecond: [] as number[], processor: 0 }))
  for (const contender of contenders) await run(contender, { ...load, calls: load.calls / 2 })
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const before = processorTimeOf(contender.child)
      const { latencies, milliseconds } = await run(contender, load)
      found[index]!.processor += processorTimeOf(contender.child) - before
      found[index]!.latencies.push(...latencies)
      found[index]!.perSecond.push((latencies.length * 1000) / milliseconds)
    }
  }
  const rows = contenders.map(({ name, child }, index) => {
    const { latencies, perSecond, processor } = found[index]!
    const ratios = perSecond.map((value, round) => value / found[0]!.perSecond[round]!)
    const p50 = quantile(latencies, 0.5)
    return [
      name,
      toTime(p50),
      toTime(quantile(latencies, 0.99)),
      Math.round(quantile(perSecond, 0.5)).toLocaleString('en'),
      `${quantile(ratios, 0.5).toFixed(2)}×`,
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      `${(p50 / quantile(found[0]!.latencies, 0.5)).toFixed(2)}×`,
      Number.isNaN(processor) ? '?' : toTime(processor / latencies.length),
      Number.isNaN(processor) ? '?' : `${(processor / found[0]!.processor).toFixed(2)}×`,
      `${Math.round(memoryOf(child))} MB`,
    ]
  })
  const heading = ['', 'p50', 'p99', 'per second', 'ratio', 'spread', 'p50 ratio', 'processor', 'its ratio', 'memory']
  printTable(`${title}, ${load.callers === 1 ? 'one call after the other' : `${load.callers} at once`}`, heading, rows)
}

async function run(contender: Contender, { callers, calls: total }: Load) {
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
