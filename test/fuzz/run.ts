/**
 * `npm run fuzz` tries random values on every target, five minutes in all; `-- --minutes 1`, `-- --target paths`, `-- --seed 7`;
 * `-- --write` publishes the results in docs/benchmarks.md.
 * A finding is shrunk and printed with the options to reproduce it, and the exit code is 1.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import bundlePrograms from '../setup/bundle-programs.ts'
import type { Outcome } from './target.ts'
import { openWatchdog } from './watchdog.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    target: { type: 'string', multiple: true },
    path: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const { path: from } = options
const minutes = Number(options.minutes)
const first = options.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(options.seed)
if (options.write && options.target) fail('--write is for a run of all targets.')
if (!(minutes > 0) || !Number.isInteger(first)) fail('--minutes needs a number above 0, and --seed a whole number.')
// Leave no process behind when interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
/** Time slice per target, in ms. */
const turn = Math.min(5000, (minutes * 60_000) / 11)

const removeBundle = await bundlePrograms()
const { targets } = await import('./targets.ts')
const { tryTarget } = await import('./target.ts')
const unknown = options.target?.find((name) => !Object.hasOwn(targets, name))
if (unknown !== undefined) {
  removeBundle()
  fail(`There is no target ${unknown}. Choose from ${Object.keys(targets).join(', ')}.`)
}

console.log(`Seed ${first}, ${minutes} minutes`)
const before = loadavg()[0]!
const watchdog = openWatchdog(90_000)
// Unhandled errors end the process.
process.on('uncaughtExceptionMonitor', () => console.error(`✗ It was thrown after ${watchdog.told()}`))
const counts = new Map((options.target ?? Object.keys(targets)).map((name) => [name, { tried: 0, findings: 0 }]))
const end = Date.now() + minutes * 60_000
let last = Date.now()
// A target with a finding would find it again, so it is done.
for (let seed = first; Date.now() < end && [...counts.values()].some(({ findings }) => findings === 0); seed++) {
  for (const [name, count] of counts)
    if (count.findings === 0 && (Date.now() < end || count.tried === 0)) await run(name, seed)
  if (from !== undefined) break
}
watchdog.close()
removeBundle()
console.table(Object.fromEntries(counts))
if (options.write) await write()
process.exitCode = [...counts.values()].some(({ findings }) => findings > 0) ? 1 : 0

async function run(name: string, seed: number) {
  const count = counts.get(name)!
  const target = await targets[name]!()
  try {
    const onTry = (value: unknown) => watchdog.tell({ target: name, seed, value })
    const each = { runs: 1_000_000, seed, onTry }
    const {
      tried,
      finding,
      path = from,
    } = await tryTarget(target, { ...each, maxMs: turn, ...(from && { path: from }) })
    count.tried += tried
    if (finding === undefined) return
    count.findings++
    // There may have been no time to shrink it.
    const smaller: Partial<Outcome> =
      path === undefined ? {} : await tryTarget(target, { ...each, maxMs: 30_000, path })
    const way = `npm run fuzz -- --target ${name} --seed ${seed} --path ${smaller.path ?? path}`
    console.log(`\n✗ ${name}: ${way}\n${smaller.finding ?? `${finding}\nIt did not happen again at once.`}\n`)
  } finally {
    await target.close?.()
    tellProgress()
  }
}

async function write() {
  const { publish } = await import('../../bench/publish.ts')
  const { decideAim } = await import('../../bench/noise.ts')
  const sum = (name: 'tried' | 'findings') => [...counts.values()].reduce((total, count) => total + count[name], 0)
  const all = { tried: sum('tried'), findings: sum('findings') }
  publish('fuzz', {
    about: { compares: `Random values for ${minutes} minutes, from seed ${first}. A finding is a crash, a hang or a broken promise.` }, // biome-ignore format: one line
    tables: [
      {
        title: 'Random values',
        heading: ['', 'values', 'findings'],
        rows: [...counts, ['all', all] as const].map(([name, { tried, findings }]) => [
          name,
          tried.toLocaleString('en'),
          String(findings),
        ]),
        notes: [decideAim({ what: 'findings', most: 0, unit: '' }, [all.findings])],
      },
    ],
    before,
  })
}

function tellProgress() {
  if (Date.now() - last < 10_000) return
  last = Date.now()
  console.log(`  ${[...counts].map(([name, { tried }]) => `${name} ${tried}`).join(' · ')}`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
