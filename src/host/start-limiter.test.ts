import { expect, test } from 'vitest'
import { settle } from '../../test/helpers/open-test-pipeline.ts'
import { StartLimiter } from './start-limiter.ts'

function open(idle: number) {
  const limiter = new StartLimiter(2, () => idle)
  const begun: number[] = []
  const ends = Array.from({ length: 40 }, () => Promise.withResolvers<void>())
  const run = (count: number) =>
    ends.slice(0, count).map(({ promise }, index) =>
      limiter.run(() => {
        begun.push(index)
        return promise
      }),
    )
  return { begun, ends, run }
}

test('on a busy machine starts are limited, and the next begins when one is ready or holds its slot too long', async () => {
  const { begun, ends, run } = open(0)
  const runs = run(4)
  await settle()
  expect(begun).toEqual([0, 1])
  ends[1]!.resolve()
  await runs[1]
  await settle()
  expect(begun).toEqual([0, 1, 2])
  // Neither 0 nor 2 ever gets ready, and 3 begins all the same.
  ends[3]!.resolve()
  await runs[3]
  expect(begun).toEqual([0, 1, 2, 3])
  for (const { resolve } of ends) resolve()
  await Promise.all(runs)
})

test('while the processor is idle all of them start, in their order, although none is ready', async () => {
  const { begun, ends, run } = open(1)
  const runs = run(40)
  await expect.poll(() => begun).toEqual(ends.map((_, index) => index))
  for (const { resolve } of ends) resolve()
  await Promise.all(runs)
})
