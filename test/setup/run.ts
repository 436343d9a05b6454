/**
 * Runs all tests in two runs side by side, since each of them waits a good part of its time: those of the toolsets, with the
 * coverage that they alone must reach; and all others, with those of large inputs, which would take three times as long
 * where what is covered is counted. The programs that both start are bundled once.
 */
import { spawn } from 'node:child_process'
import bundlePrograms from './bundle-programs.ts'

/** The tools, and what they share. */
const covers = ['src/toolsets', 'src/tool-parts']

const removeBundle = await bundlePrograms()
// Ctrl-C ends both of them, and they end this.
process.on('SIGINT', () => {})
const [covered, others] = await Promise.all([
  runTests(['--coverage', '--maxWorkers', '2', ...covers, '--exclude', 'src/toolsets/**/large-*.test.ts'], 'pipe'),
  runTests(
    covers.flatMap((folder) => ['--exclude', `${folder}/**/!(large-*).test.ts`]),
    'inherit',
  ),
])
process.stdout.write(covered.output)
removeBundle()
process.exitCode = covered.code || others.code

/** Runs some tests, and gives their exit code, and what they said if that goes into a pipe. */
function runTests(args: readonly string[], stdio: 'pipe' | 'inherit'): Promise<{ code: number; output: Buffer }> {
  const child = spawn('vitest', ['run', ...args], { stdio, shell: process.platform === 'win32' })
  process.on('SIGTERM', () => child.kill())
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(pieces) }))
  })
}
