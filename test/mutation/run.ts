/**
 * `npm run mutate` changes one comparison, connective or negation at a time in the code that guards something, and runs
 * the tests of the same folder. A change that no test notices survives, and is listed. By default a seeded sample of 40:
 * `-- --sample 100`, `-- --seed 7`; `-- --changed main` takes the files that differ from a commit, and `-- src/policy` some
 * files or folders. Survivors that change nothing observable are in equivalent.ts, with the reason. The exit code is 1 if
 * fewer than nine of ten are killed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findEquivalent } from './equivalent.ts'
import { type Mutant, toMutants } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    changed: { type: 'string' },
    workers: { type: 'string', default: '2' },
  },
})
/** Code whose failure would let something through. */
const guarding = [
  'src/runtime/pipeline',
  'src/policy',
  'src/runtime/storage',
  'src/contract',
  'src/host/lock',
  'src/host/admission',
  'src/surfaces',
  'src/capabilities/files',
  'src/capabilities/process',
  'src/capabilities/web',
  'src/agent/grounding',
]
const minKilled = 0.9
const maxTestMs = 180_000

const mutants = choose(listFiles().flatMap((file) => toMutants(root, file)))
console.log(`${mutants.length} mutants, seed ${options.seed}`)
const copies = Array.from({ length: Number(options.workers) }, makeCopy)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const group of running) process.kill(-group, 'SIGKILL')
    removeCopies()
    process.exit(130)
  })
const waiting = [...mutants]
/** The process groups of tests in progress. */
const running = new Set<number>()
let survivors = 0
/** Whether the tests pass as the sources are. */
const baseline = new Map<string, Promise<boolean>>()
let equivalent = 0
await Promise.all(copies.map(work))
removeCopies()
const counted = mutants.length - equivalent
const killed = counted - survivors
console.log(
  `${killed} of ${counted} killed (${Math.round((100 * killed) / counted)} %), ${equivalent} known to be equivalent`,
)
process.exitCode = counted === 0 || killed / counted >= minKilled ? 0 : 1

async function work(copy: string): Promise<void> {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const reason = findEquivalent(mutant)
    if (reason !== undefined) equivalent++
    else if (await survives(mutant, copy)) {
      survivors++
      const { file, line, change, text } = mutant
      console.log(`survived  ${file}:${line}  ${change}\n          ${text}`)
    }
    process.stderr.write(`${mutants.length - waiting.length} of ${mutants.length}\r`)
  }
}

/** A change that does not compile or never ends is noticed too. */
async function survives({ file, source }: Mutant, copy: string): Promise<boolean> {
  for (const tests of toTests(file)) await requirePassing(tests, copy)
  const path = join(copy, file)
  writeFileSync(path, source)
  try {
    for (const tests of toTests(file)) if (!(await passes(tests, copy))) return false
    return true
  } finally {
    cpSync(join(root, file), path)
  }
}

/**
 * The file's own test first, since it is quick; then those of its folder, or of the folders above that have some, and of
 * the module whose parts a folder holds: `src/capabilities/files.test.ts` for `src/capabilities/files/`.
 */
function toTests(file: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(file); folder !== 'src'; folder = dirname(folder)) folders.push(folder)
  const tested = folders.find((folder) => readdirSync(join(root, folder)).some((name) => name.endsWith('.test.ts')))
  const beside = [file.replace(/\.ts$/, ''), ...folders].map((path) => `${path}.test.ts`)
  const [own, ...modules] = beside.map((path) => (existsSync(join(root, path)) ? [path] : []))
  return [...own!, `${tested ?? 'src'}/`, ...modules.flat()]
}

/** Tests that fail without any change would count every mutant as killed. */
async function requirePassing(tests: string, copy: string): Promise<void> {
  if (!baseline.has(tests)) baseline.set(tests, passes(tests, copy))
  if (await baseline.get(tests)) return
  removeCopies()
  console.error(`The tests of ${tests} fail without a change. Run: npx vitest run ${tests}`)
  process.exit(2)
}

function removeCopies(): void {
  for (const copy of copies) rmSync(dirname(copy), { recursive: true, force: true })
}

function passes(tests: string, copy: string): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--bail',
      '1',
      '--maxWorkers',
      '1',
      '--reporter',
      'dot',
      tests,
    ],
    {
      cwd: copy,
      stdio: 'ignore',
      detached: true,
    },
  )
  running.add(child.pid!)
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), maxTestMs)
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer)
      running.delete(child.pid!)
      resolve(code === 0)
    }),
  )
}

function listFiles(): string[] {
  const places = positionals.length > 0 ? positionals : guarding
  const words =
    options.changed === undefined
      ? ['ls-files', ...places]
      : ['diff', '--name-only', '--diff-filter=d', options.changed, '--', ...places]
  const { stdout, status, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\n').filter((file) => file.endsWith('.ts') && !/\.(?:test|test-d|d)\.ts$/.test(file))
}

/** The same sample for the same seed and sources. */
function choose(all: readonly Mutant[]): readonly Mutant[] {
  if (options.changed !== undefined) return all
  let state = Number(options.seed)
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const rest = [...all]
  const chosen: Mutant[] = []
  while (chosen.length < Number(options.sample) && rest.length > 0)
    chosen.push(...rest.splice(Math.floor(next() * rest.length), 1))
  return chosen
}

/** A copy of the repository to change, beside the data that some tests read. */
function makeCopy(): string {
  const place = mkdtempSync(join(tmpdir(), 'toolpact-mutate-'))
  const copy = join(place, 'copy')
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  if (existsSync(join(root, '../shared'))) symlinkSync(join(root, '../shared'), join(place, 'shared'), 'junction')
  return copy
}
