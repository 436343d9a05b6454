/**
 * Runs all tests as two concurrent runs: the toolsets, with the coverage that only they must reach; and everything else.
 * Suites that are named run afterwards, two at a time, each with its output at its end: `npm test -- conformance faults`.
 * Programs for all of them are bundled once.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import bundlePrograms from './bundle-programs.ts'

/** The tools, and what they share. */
const covers = ['src/toolsets', 'src/tool-parts']

const removeBundle = await bundlePrograms()
// Ctrl-C ends the tests, and then this process.
process.on('SIGINT', () => {})
const others = run(['vitest', 'run', ...covers.flatMap((name) => ['--exclude', `${name}/**`])], 'inherit')
const covered = await run(['vitest', 'run', '--coverage', '--maxWorkers', '2', ...covers], 'pipe')
const codes = [(await others).code, covered.code]
process.stdout.write(covered.output)
const suites = process.argv.slice(2)
await Promise.all([runSuites(), runSuites()])
process.exitCode = codes.find((code) => code !== 0) ?? 0
removeBundle()

/** Runs suites until none is left. Most of them wait more than they compute, so two keep two cores busy. */
async function runSuites(): Promise<void> {
  for (let suite = suites.shift(); suite !== undefined; suite = suites.shift()) {
    const config = `test/${suite}/vitest.config.ts`
    const command = existsSync(config) ? ['vitest', 'run', '--config', config] : ['node', `test/${suite}/run.ts`]
    const { code, output } = await run(command, 'pipe')
    codes.push(code)
    process.stdout.write(`\n${suite}:\n`)
    process.stdout.write(output)
  }
}

/** Runs a command; resolves with the exit code and, if piped, the output. */
function run([program, ...args]: readonly string[], stdio: 'pipe' | 'inherit') {
  const child = spawn(program!, args, { stdio, shell: process.platform === 'win32' })
  process.on('SIGTERM', () => child.kill())
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece))
  return new Promise<{ code: number; output: Buffer }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(pieces) }))
  })
}
