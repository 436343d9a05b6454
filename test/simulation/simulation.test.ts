import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { defects } from './defects.ts'

const program = fileURLToPath(new URL('run.ts', import.meta.url))

/** In a process of its own: it replaces clocks, timers and random numbers. */
function run(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 170_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` }),
    )
  })
}

test('replicas keep their promises while they crash, stall and are cut off; a seed always ends the same way', async () => {
  const [first, second] = await Promise.all([
    run('--seeds', '2', '--seconds', '6'),
    run('--seed', '2', '--seconds', '6'),
  ])
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('2 passed, 0 failed') })
  const toSeed = (output: string) => output.split('\n').find((line) => line.startsWith('seed 2'))
  expect(toSeed(second.output)).toEqual(toSeed(first.output))
})

test('a hundred replicas keep their promises', async () => {
  const { code, output } = await run('--seed', '1', '--replicas', '100', '--seconds', '8')
  expect(output).toContain('1 passed, 0 failed')
  expect(code).toBe(0)
  const counted = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(output)?.[1])
  expect(counted('entries')).toBeGreaterThan(1000)
  for (const fault of ['crash', 'stall', 'partition', 'clock', 'failover']) expect(counted(fault)).toBeGreaterThan(0)
})

test('every defect is found, with the command that repeats it', async () => {
  const { code, output } = await run('--seeds', '12', '--replicas', '8', '--seconds', '6', '--defect', Object.keys(defects).join(',')) // biome-ignore format: one line
  expect(code).toBe(1)
  for (const defect of Object.keys(defects)) {
    expect(output).toContain(`The defect ${defect} was found.`)
    expect(output).toMatch(new RegExp(`npm run simulate -- --seed \\d+ --replicas 8 --seconds 6 --defect ${defect}`))
  }
})
