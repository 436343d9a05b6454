import { printTable, quantile, toTime } from './print-table.ts'

/** Something to be timed. The first of a comparison is what the others are measured against. */
export interface Contender {
  readonly name: string
  readonly run: () => unknown
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
}

/** Times the contenders side by side and prints ratios: a time alone says nothing about another machine. */
export async function compare(title: string, contenders: readonly Contender[], options: CompareOptions): Promise<void> {
  const { rounds, samples = 1, operations = 1, repeat = 1 } = options
  const times = contenders.map((): number[] => [])
  const medians = contenders.map((): number[] => [])
  for (const { run } of contenders) await sample(run, repeat)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      const taken: number[] = []
      for (let count = 0; count < samples; count++) taken.push((await sample(run, repeat)) / operations)
      times[index]!.push(...taken)
      medians[index]!.push(quantile(taken, 0.5))
    }
  }
  print(title, contenders, { times, medians })
}

async function sample(run: () => unknown, repeat: number): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < repeat; count++) await run()
  return (performance.now() - start) / repeat
}

function print(title: string, contenders: readonly Contender[], found: { times: number[][]; medians: number[][] }) {
  const [base] = found.medians
  const rows = contenders.map(({ name }, index) => {
    const ratios = found.medians[index]!.map((median, round) => median / base![round]!)
    const p50 = quantile(found.times[index]!, 0.5)
    return [
      name,
      toTime(p50),
      toTime(quantile(found.times[index]!, 0.99)),
      Math.round(1000 / p50).toLocaleString('en'),
      `${quantile(ratios, 0.5).toFixed(2)}×`,
      `${quantile(ratios, 0.1).toFixed(2)}–${quantile(ratios, 0.9).toFixed(2)}`,
    ]
  })
  printTable(title, ['', 'p50', 'p99', 'per second', 'ratio', 'spread'], rows)
  const noise = quantile(base!, 0.9) / quantile(base!, 0.1)
  if (noise > 1.5)
    console.log(
      `  The machine was noisy: the base itself varied by ${noise.toFixed(1)}×. Trust no digit after the first.`,
    )
}
