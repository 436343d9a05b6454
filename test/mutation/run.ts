/**
 * `npm run mutate` changes one comparison, connective or negation at a time in the code that guards something, and runs
 * the tests of that code: first the tests that import the file, then its whole folder. A change that no test detects
 * survives and is listed. By default it takes a seeded sample of 40, spread evenly over the guarding folders: `-- --sample 100`,
 * `-- --seed 7`; `-- --changed main` takes every mutant of the files that differ from a commit, and `-- src/policy` limits it to some
 * files or folders. Survivors that change nothing observable are in equivalent.ts, with the reason. The exit code is 1 if
 * fewer than nine of ten are killed.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import bundlePrograms from '../setup/bundle-programs.ts'
import { findEquivalent } from './equivalent.ts'
import { type Mutant, toMutants } from './mutants.ts'
import type { Order } from './worker.ts'

/** The exit code if nothing was measured: an option is wrong, or tests fail without a change. */
const unusable = 2
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
/** Code whose failure would let something through, with the suites in `test/` that exercise it. */
const guarding: { readonly [room: string]: readonly string[] } = {
  'src/runtime/pipeline': ['test/suites/pipeline-property.test.ts'],
  'src/policy': ['test/suites/rules-property.test.ts'],
  'src/runtime/approval': [],
  'src/runtime/rules': [],
  'src/runtime/storage': ['test/suites/storage.test.ts'],
  'src/state': [],
  'src/contract': ['test/suites/schema-suite.test.ts'],
  'src/host/lock': [],
  'src/host/admission': ['test/e2e/admission.test.ts'],
  'src/surfaces': [],
  'src/capabilities/files': [],
  'src/capabilities/process': [],
  'src/capabilities/web': [],
  'src/agent/grounding': [
    'test/summaries/held-out.test.ts',
    'test/summaries/twins.test.ts',
    'test/summaries/large-twins.test.ts',
  ],
}
/** Never mutated: with a condition flipped, code that sends signals can kill every process of the user. */
const signals = /\bprocess\.kill\(/
const minKilled = 0.9
const maxTestMs = 180_000

const [sample, seed, workerCount] = [toCount('sample'), toCount('seed'), toCount('workers')]
const mutants = choose(listFiles().flatMap((file) => toMutants(root, file)))
console.log(`${mutants.length} mutants, seed ${seed}`)
if (mutants.length === 0 && options.changed === undefined) {
  console.error('There is nothing to mutate. Name files or folders of the repository that contain sources.')
  process.exit(unusable)
}
/** The programs that tests start, bundled from the unchanged sources. */
const removeBundle = await bundlePrograms()
const { TOOLPACT_TEST_BUNDLE: _, ...withoutBundle } = process.env
const copies = Array.from({ length: workerCount }, makeCopy)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopAll()
    process.exit(130)
  })
const waiting = [...mutants]
/** Process groups of workers and running tests. */
const running = new Set<number>()
/** Workers by their copy of the repository. */
const workers = new Map<string, ChildProcess>()
/** Per folder of `guarding`. */
const rooms = new Map<string, { killed: number; survived: number; equivalent: number }>()
/** Tests that fail without a change. Their mutants are not counted. */
const failing = new Set<string>()
await Promise.all(copies.map(work))
stopAll()
for (const [room, { killed, survived }] of [...rooms].sort()) console.log(`${room}: ${toRate(killed, survived)}`)
const sum = (key: 'killed' | 'survived' | 'equivalent') =>
  [...rooms.values()].reduce((total, room) => total + room[key], 0)
const counted = sum('killed') + sum('survived')
console.log(`${toRate(sum('killed'), sum('survived'))}, ${sum('equivalent')} known to be equivalent`)
process.exitCode = counted === 0 || sum('killed') / counted >= minKilled ? 0 : 1
if (failing.size > 0) {
  console.error(`These tests fail without a change. Run: npx vitest run ${[...failing].join(' ')}`)
  process.exitCode = unusable
}

async function work(copy: string): Promise<void> {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const { file, line, change, text } = mutant
    const room = toRoom(file)
    if (!rooms.has(room)) rooms.set(room, { killed: 0, survived: 0, equivalent: 0 })
    const counts = rooms.get(room)!
    if (findEquivalent(mutant) !== undefined) counts.equivalent++
    else {
      const verdict = await judge(mutant, copy)
      if (verdict) counts[verdict]++
      if (verdict === 'survived') console.log(`survived  ${file}:${line}  ${change}\n          ${text}`)
    }
    process.stderr.write(`${mutants.length - waiting.length} of ${mutants.length}\r`)
  }
}

function toRate(killed: number, survived: number): string {
  const counted = killed + survived
  return `${killed} of ${counted} killed (${counted === 0 ? 100 : Math.round((100 * killed) / counted)} %)`
}

/** A mutant that does not compile or does not terminate counts as killed. Undefined if tests fail without it. */
async function judge(mutant: Mutant, copy: string): Promise<'killed' | 'survived' | undefined> {
  const near = findImporters(mutant.file)
  const [folder, ...others] = toTests(mutant.file)
  const runs = [...(near.length > 0 ? [near] : []), [folder!], ...others.map((tests) => [tests])]
  for (const [tests, run] of [...runs.map((each) => [each, passes] as const), [[folder!], passesAnew] as const]) {
    const isKilled = await isNoticed(mutant, copy, { tests, run })
    if (isKilled === undefined) return undefined
    if (isKilled) return 'killed'
  }
  return 'survived'
}

/**
 * Whether tests fail with the change and pass without it. Twice, since a loaded machine can fail a test by chance.
 * Undefined if they fail without it, too.
 */
async function isNoticed(
  { file, source }: Mutant,
  copy: string,
  { tests, run }: { readonly tests: readonly string[]; readonly run: typeof passes },
): Promise<boolean | undefined> {
  const path = join(copy, file)
  const original = readFileSync(path)
  for (let attempt = 0; attempt < 2; attempt++) {
    writeFileSync(path, source)
    const passed = await run({ file, tests }, copy)
    writeFileSync(path, original)
    if (passed) return false
    if (await run({ file, tests }, copy)) return true
    await stopWorker(copy)
  }
  for (const each of tests) failing.add(each)
  return undefined
}

/** The tests of the folder that import a file: they run quickly and notice most changes. */
function findImporters(file: string): string[] {
  const folder = findTestedFolder(file)
  if (folder === undefined) return []
  const imported = new RegExp(`from '[^']*/${basename(file).replaceAll('.', '\\.')}'`)
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && imported.test(readFileSync(join(root, folder, name), 'utf8')))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

/**
 * The tests of a file's folder, or of the closest folder above that has some; of the module whose parts a folder holds
 * (`src/capabilities/files.test.ts` for `src/capabilities/files/`); and the suites of its room.
 */
function toTests(file: string): string[] {
  const modules = toFolders(file).map((folder) => `${folder}.test.ts`)
  const suites = guarding[toRoom(file)] ?? []
  return [`${findTestedFolder(file) ?? 'src'}/`, ...modules.filter((path) => existsSync(join(root, path))), ...suites]
}

function findTestedFolder(file: string): string | undefined {
  return toFolders(file).find((folder) => readdirSync(join(root, folder)).some((name) => name.endsWith('.test.ts')))
}

/** From the folder of the file up to the one below `src`. */
function toFolders(file: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(file); folder !== 'src' && folder !== '.'; folder = dirname(folder)) folders.push(folder)
  return folders
}

function stopAll(): void {
  for (const group of running) process.kill(-group, 'SIGKILL')
  removeCopies()
}

function removeCopies(): void {
  removeBundle()
  for (const copy of copies) rmSync(dirname(copy), { recursive: true, force: true })
}

/** Runs tests in the worker of a copy. */
async function passes(order: Order, copy: string): Promise<boolean> {
  const worker = workers.get(copy) ?? (await startWorker(copy))
  const timer = setTimeout(() => process.kill(-worker.pid!, 'SIGKILL'), maxTestMs)
  worker.send(order)
  const passed = await nextMessage(worker)
  clearTimeout(timer)
  return passed === true
}

async function startWorker(copy: string): Promise<ChildProcess> {
  const worker = fork(join(copy, 'test/mutation/worker.ts'), { cwd: copy, stdio: 'ignore', detached: true })
  running.add(worker.pid!)
  workers.set(copy, worker)
  worker.once('exit', () => {
    running.delete(worker.pid!)
    workers.delete(copy)
  })
  if ((await nextMessage(worker)) === undefined) throw new Error(`Vitest did not start in ${copy}`)
  return worker
}

async function stopWorker(copy: string): Promise<void> {
  const worker = workers.get(copy)
  if (!worker) return
  const ended = nextMessage(worker)
  process.kill(-worker.pid!, 'SIGKILL')
  await ended
}

/** Undefined if the worker exits first. */
function nextMessage(worker: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    worker.once('exit', end)
    worker.once('message', (message) => {
      worker.off('exit', end)
      resolve(message)
    })
    function end() {
      resolve(undefined)
    }
  })
}

/** Runs tests in a separate process, with programs bundled from the mutated source. */
function passesAnew({ tests }: Order, copy: string): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = [
    '--config',
    'test/mutation/vitest.config.ts',
    '--bail',
    '1',
    '--maxWorkers',
    '1',
    '--reporter',
    'dot',
  ]
  const words = [vitest, 'run', ...options, ...tests]
  const child = spawn(process.execPath, words, { cwd: copy, env: withoutBundle, stdio: 'ignore', detached: true })
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

function toCount(name: 'sample' | 'seed' | 'workers'): number {
  if (/^[1-9]\d{0,8}$/.test(options[name])) return Number(options[name])
  console.error(`--${name} needs a whole number above 0, and got '${options[name]}'.`)
  process.exit(unusable)
}

function listFiles(): string[] {
  const places = positionals.length > 0 ? positionals : Object.keys(guarding)
  const words =
    options.changed === undefined
      ? ['ls-files', ...places]
      : ['diff', '--name-only', '--diff-filter=d', options.changed, '--', ...places]
  const { stdout, status, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|test-d|d)\.ts$/.test(file))
    .filter((file) => !signals.test(readFileSync(join(root, file), 'utf8')))
}

/** A deterministic sample, spread evenly over the guarding folders. */
function choose(all: readonly Mutant[]): readonly Mutant[] {
  if (options.changed !== undefined) return all
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const rest = [...Map.groupBy(all, ({ file }) => toRoom(file)).values()]
  const chosen: Mutant[] = []
  for (let turn = 0; chosen.length < sample && rest.length > 0; turn++) {
    const room = rest[turn % rest.length]!
    chosen.push(...room.splice(Math.floor(next() * room.length), 1))
    if (room.length === 0) rest.splice(turn % rest.length, 1)
  }
  return chosen
}

function toRoom(file: string): string {
  return Object.keys(guarding).find((room) => file.startsWith(`${room}/`)) ?? dirname(file)
}

/** A copy of the repository for mutations, next to the data that some tests read. */
function makeCopy(): string {
  const place = mkdtempSync(join(tmpdir(), 'toolpact-mutate-'))
  const copy = join(place, 'copy')
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  if (existsSync(join(root, '../shared'))) symlinkSync(join(root, '../shared'), join(place, 'shared'), 'junction')
  return copy
}
