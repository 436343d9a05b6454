import { expect, test } from 'vitest'
import { settle } from '../../test/open-test-pipeline.ts'
import { StartGate } from './start-gate.ts'

test('so many start at once, the next when one is ready or a moment has passed', async () => {
  const gate = new StartGate(2)
  const begun: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const runs = ends.map(({ promise }, index) =>
    gate.run(() => {
      begun.push(index)
      return promise
    }),
  )
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
