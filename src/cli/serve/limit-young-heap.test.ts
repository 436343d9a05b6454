import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Objects that outlive collections make V8 double the young generation, at most every few moments. Prints its size in MB. */
const script = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setTimeout } from 'node:timers/promises'
  const { limitYoungHeap } = await import(process.argv[1])
  if (process.argv[2] === 'limited') limitYoungHeap()
  const held = []
  for (let turn = 0; turn < 240; turn++) {
    for (let index = 0; index < 8; index++) {
      held[(turn * 8 + index) % 64] = Array.from({ length: 8000 }, (_, number) => ({ number }))
    }
    await setTimeout(20)
  }
  console.log(Math.round(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20))`

test('a young generation that would grow on stays below its usual size', () => {
  const module = new URL('limit-young-heap.ts', import.meta.url).href
  const run = (kind: string) =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script, module, kind], { encoding: 'utf8' }))
  expect(run('limited')).toBeLessThanOrEqual(64)
}, 60_000)
