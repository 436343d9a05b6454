import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { watchOutside } from './processors.ts'

test.runIf(process.platform === 'linux')('counts a program that was not started below this one', async () => {
  const outsideMs = watchOutside()
  // The shell ends at once, so the program is no longer below this process.
  const script = `"${process.execPath}" -e "const end = Date.now() + 3000; while (Date.now() < end);" >/dev/null 2>&1 & echo $!`
  const pid = Number(execFileSync('sh', ['-c', script], { encoding: 'utf8' }))
  try {
    await expect.poll(outsideMs, { timeout: 2500, interval: 100 }).toBeGreaterThan(100)
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})
