import { expect, test } from 'vitest'
import { defects } from '../simulation/defects.ts'
import { runSimulation } from '../simulation/run-simulation.ts'

test('a hundred replicas keep their promises', async () => {
  const { code, output } = await runSimulation('--seed', '1', '--replicas', '100', '--seconds', '8')
  expect(output).toContain('1 passed, 0 failed')
  expect(code).toBe(0)
  const counted = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(output)?.[1])
  expect(counted('entries')).toBeGreaterThan(1000)
  for (const fault of ['crash', 'stall', 'partition', 'clock', 'failover']) expect(counted(fault)).toBeGreaterThan(0)
})

test('every defect is found, with the command that repeats it', async () => {
  const { code, output } = await runSimulation('--seeds', '12', '--replicas', '8', '--seconds', '6', '--defect', Object.keys(defects).join(',')) // biome-ignore format: one line
  expect(code).toBe(1)
  for (const defect of Object.keys(defects)) {
    expect(output).toContain(`The defect ${defect} was found.`)
    expect(output).toMatch(new RegExp(`npm run simulate -- --seed \\d+ --replicas 8 --seconds 6 --defect ${defect}`))
  }
}, 600_000)
