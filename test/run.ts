/**
 * Runs all tests in two runs side by side, since each of them waits a good part of its time: those of the toolsets, with the
 * coverage that they alone must reach; and all others, with those of large inputs, which would take three times as long
 * where what is covered is counted. The programs that both start are bundled once.
 */
import { spawn } from 'node:child_process'
import bundlePrograms from './bundle-programs.ts'

const removeBundle = await bundlePrograms()
// Ctrl-C ends both of them, and they end this.
process.on('SIGINT', () => {})
const codes = await Promise.all([
  runTests(
    ['--coverage', '--maxWorkers', '2', 'src/toolsets', '--exclude', 'src/toolsets/**/large-*.test.ts'],
    'later',
  ),
  runTests(['--exclude', 'src/toolsets/**/!(large-*).test.ts'], 'now'),
])
removeBundle()
process.exitCode = Math.max(...codes)

/** Gives the exit code. What is told later comes in one piece. */
function runTests(args: readonly string[], told: 'now' | 'later'): Promise<number> {
  const child = spawn('vitest', ['run', ...args], {
    stdio: told === 'now' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(pieces))
      resolve(code ?? 1)
    })
  })
}
