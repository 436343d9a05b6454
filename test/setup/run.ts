/**
 * Runs all tests as two concurrent runs: the toolsets, with the coverage that only they must reach; and everything else,
 * including tests of large inputs, which take three times as long with coverage. Suites that are named run afterwards, one
 * at a time: `npm test -- conformance faults`. Programs for all of them are bundled once.
 */
import { spawn } from 'node:child_process'
import bundlePrograms from './bundle-programs.ts'

/** The tools, and what they share. */
const covers = ['src/toolsets', 'src/tool-parts']

const removeBundle = await bundlePrograms()
// Ctrl-C ends both runs, and then this process.
process.on('SIGINT', () => {})
const [covered, others] = await Promise.all([
  runTests(['--coverage', '--maxWorkers', '2', ...covers, '--exclude', 'src/toolsets/**/large-*.test.ts'], 'pipe'),
  runTests(
    covers.flatMap((folder) => ['--exclude', `${folder}/**/!(large-*).test.ts`]),
    'inherit',
  ),
])
process.stdout.write(covered.output)
process.exitCode = covered.code || others.code
for (const suite of process.argv.slice(2)) {
  const { code } = await runTests(['--config', `test/${suite}/vitest.config.ts`], 'inherit')
  process.exitCode ||= code
}
removeBundle()

/** Runs tests; resolves with the exit code and, if piped, the output. */
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
