import { expect, test } from 'vitest'
import { runSimulation } from './run-simulation.ts'

test('replicas keep their promises while they crash, stall and are cut off; a seed always ends the same way', async () => {
  const { code, output } = await runSimulation('--seed', '2', '--seed', '2', '--seconds', '6')
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('2 passed, 0 failed') })
  const [first, second] = output.split('\n').filter((line) => line.startsWith('seed 2'))
  expect(second).toEqual(first)
})
