import { decideAim, toNoise } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import { inQuietRounds, takeTurns } from '../quiet-rounds.ts'
import type { Table } from '../table.ts'

/** The same thing with more of something in it. */
export interface Sized {
  readonly size: number
  /** In the order of the columns. Each may return a function that ends it, which is not timed. */
  readonly operations: readonly (() => unknown)[]
  /** Cells after those of the operations, after the last round. */
  readonly more?: () => readonly string[]
}

interface Growth {
  readonly title: string
  /** What there are more of. */
  readonly unit: string
  readonly operations: readonly { readonly name: string; readonly isLinear?: boolean }[]
  readonly more?: readonly string[]
  readonly notes?: readonly string[]
  readonly rounds?: number
}

/** Growth of time from the smallest to the largest size that counts as flat. */
const flat = 2
const samples = 10

/** One table: a row for each size, and a column for each operation. Sizes take turns in each round. */
export async function measureSizes(growth: Growth, sized: readonly Sized[]): Promise<Table> {
  const { operations, unit, rounds: wanted = 20 } = growth
  const play = async ({ operations }: Sized) => {
    const medians: number[] = []
    for (const operation of operations) {
      const times: number[] = []
      for (let sample = 0; sample < samples; sample++) {
        const start = performance.now()
        const end = await operation()
        times.push(performance.now() - start)
        if (typeof end === 'function') await end()
      }
      medians.push(quantile(times, 0.5))
    }
    return medians
  }
  for (const one of sized) await play(one)
  const { rounds, ...left } = await inQuietRounds(wanted, (number) => takeTurns(sized, number, play))
  const timesOf = (row: number, column: number) => rounds.map((round) => round[row]![column]!)
  const [first, last] = [sized[0]!, sized.at(-1)!]
  const from = `from ${first.size.toLocaleString('en')} to ${last.size.toLocaleString('en')} ${unit}`
  const notes = operations.map(({ name, isLinear }, column) => {
    const scale = isLinear ? first.size / last.size : 1
    const ratios = timesOf(sized.length - 1, column).map((time, round) => (time / timesOf(0, column)[round]!) * scale)
    return decideAim({ what: `${name}${isLinear ? ', for each of them,' : ''} ${from}`, most: flat }, ratios)
  })
  return {
    title: growth.title,
    heading: [unit, ...operations.flatMap(({ name }) => [name, 'ratio']), ...(growth.more ?? [])],
    rows: sized.map((one, row) => [
      one.size.toLocaleString('en'),
      ...operations.flatMap((_, column) => {
        const ratios = timesOf(row, column).map((time, round) => time / timesOf(0, column)[round]!)
        return [toTime(quantile(timesOf(row, column), 0.5)), `${quantile(ratios, 0.5).toFixed(2)}×`]
      }),
      ...(one.more?.() ?? []),
    ]),
    noise: toNoise(timesOf(0, 0)),
    left,
    notes: [...notes, ...(growth.notes ?? [])],
  }
}
