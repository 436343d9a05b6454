import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { defects } from './simulate.ts'

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
    run('--seeds', '2', '--seconds', '6'),
  ])
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('2 passed, 0 failed') })
  const toSeeds = (output: string) => output.split('\n').filter((line) => line.startsWith('seed '))
  expect(toSeeds(second.output)).toEqual(toSeeds(first.output))
})

test('defects are found, with the command that repeats them', async () => {
  const { code, output } = await run('--seed', '1', '--replicas', '8', '--seconds', '10', '--defect', defects.join(','))
  expect(code).toBe(1)
  expect(output).toContain(`0 passed, ${defects.length} failed`)
  for (const defect of defects)
    expect(output).toContain(`npm run simulate -- --seed 1 --replicas 8 --seconds 10 --defect ${defect}`)
})
