import { expect, test } from 'vitest'
import { inQuietRounds, takeTurns } from './quiet-rounds.ts'

/** Rounds are numbered and last long enough to be judged each for itself; some are disturbed by other programs. */
async function play(wanted: number, disturbed: { readonly [round: number]: number }) {
  let made = 0
  const run = async () => {
    await new Promise((resolve) => setTimeout(resolve, 310))
    return { number: made++ }
  }
  const watch = () => {
    const first = made
    return () =>
      Array.from({ length: made - first }, (_, index) => disturbed[first + index] ?? 0).reduce((a, b) => a + b)
  }
  const found = await inQuietRounds(wanted, run, watch)
  return { ...found, rounds: found.rounds.map(({ number }) => number), made }
}

test.concurrent('quiet rounds are not repeated', async () => {
  expect(await play(3, {})).toEqual({ rounds: [0, 1, 2], dropped: 0, disturbed: 0, made: 3 })
})

test.concurrent('a disturbed round is left out and repeated', async () => {
  expect(await play(3, { 1: 200 })).toEqual({ rounds: [0, 2, 3], dropped: 1, disturbed: 0, made: 4 })
})

test.concurrent('a few ticks are no disturbance', async () => {
  expect(await play(2, { 0: 30, 1: 40 })).toMatchObject({ dropped: 0, made: 2 })
})

test.concurrent('on a busy machine the quietest rounds are kept, and their number is known', async () => {
  const busy = { 0: 3000, 1: 200, 2: 3000, 3: 250, 4: 4000, 5: 220 }
  expect(await play(3, busy)).toEqual({ rounds: [1, 3, 5], dropped: 3, disturbed: 3, made: 6 })
})

test.concurrent('where the system does not report load, nothing is left out', async () => {
  expect(await play(2, { 0: Number.NaN, 1: Number.NaN })).toMatchObject({ rounds: [0, 1], dropped: 0, disturbed: 0 })
})

test('short rounds are judged together', async () => {
  let watched = 0
  const watch = () => {
    watched++
    return () => 0
  }
  const { rounds } = await inQuietRounds(50, async () => ({}), watch)
  expect(rounds).toHaveLength(50)
  expect(watched).toBe(1)
})

test('halfway, once, enough may be known', async () => {
  for (const [isEnough, made] of [
    [true, 5],
    [false, 10],
  ] as const) {
    const looks: number[] = []
    const run = () => new Promise((resolve) => setTimeout(resolve, 310, {}))
    const look = (rounds: readonly unknown[]) => {
      looks.push(rounds.length)
      return isEnough
    }
    const { rounds } = await inQuietRounds(10, run, () => () => 0, look)
    expect([rounds.length, looks]).toEqual([made, [5]])
  }
})

test('each goes first and last equally often, and follows each neighbour', async () => {
  const orders: string[] = []
  for (let round = 0; round < 6; round++) {
    let order = ''
    const results = await takeTurns(['a', 'b', 'c'], round, async (item) => {
      order += item
      return item.toUpperCase()
    })
    expect(results).toEqual(['A', 'B', 'C'])
    orders.push(order)
  }
  expect(orders).toEqual(['abc', 'bca', 'cab', 'cba', 'bac', 'acb'])
})
