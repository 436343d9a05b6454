import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('run.ts', import.meta.url))

/** In a process of its own: it replaces clocks, timers and random numbers. */
export function runSimulation(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, output: `${stdout}${stderr}` }),
    )
    onTestFinished(() => void child.kill('SIGKILL'))
  })
}
