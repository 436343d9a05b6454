import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const file = fileURLToPath(new URL('largest-size.ts', import.meta.url))

test.runIf(process.platform === 'linux')('a process does not look as large as the one that started it', () => {
  const child = (megabytes: number) => `
    const { largestSize } = await import(${JSON.stringify(file)})
    Buffer.alloc(${megabytes}e6, 1)
    console.log(Math.round(largestSize() / 1e6))`
  const parent = `
    const held = Buffer.alloc(400e6, 1)
    const { spawnSync } = await import('node:child_process')
    for (const code of ${JSON.stringify([child(0), child(200)])})
      console.log(String(spawnSync(process.execPath, ['--input-type=module', '-e', code]).stdout).trim(), held.length)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', parent], { encoding: 'utf8' })
  const [small, large] = stdout.trim().split('\n').map(Number.parseFloat)
  expect(small).toBeLessThan(200)
  expect(large).toBeGreaterThan(200)
  expect(large).toBeLessThan(400)
})
