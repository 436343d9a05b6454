import { expect, test } from 'vitest'
import { pace } from './pace.ts'

test('large calls continue one in each turn of the event loop, those further on first', async () => {
  let turn = 0
  const tick = () => {
    turn++
    immediate = setImmediate(tick)
  }
  let immediate = setImmediate(tick)
  const seen: [string, number][] = []
  const stages = ['validate', 'preview', 'validate', 'ask', 'offer'] as const
  await Promise.all(
    stages.map(async (stage) => {
      await pace(stage, 65_536)
      seen.push([stage, turn])
    }),
  )
  clearImmediate(immediate)
  expect(seen.map(([stage]) => stage)).toEqual(['ask', 'offer', 'preview', 'validate', 'validate'])
  expect(new Set(seen.map(([, at]) => at)).size).toBe(stages.length)
  await pace('validate', 65_536)
})

test('small calls do not wait', () => {
  expect(pace('validate', 65_535)).toBeUndefined()
})
