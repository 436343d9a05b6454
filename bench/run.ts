/**
 * `npm run bench` runs every benchmark, `npm run bench -- startup ledger` the named ones; `--no-write` leaves docs/benchmarks.md and
 * the charts as they are, `--entries=10000000` lets the ledgers of `scale` and `growth` grow further, `--charts` only redraws the charts from docs/benchmarks.md and docs/failure-matrix.md.
 */
import { loadavg } from 'node:os'
import { toNotes } from './page.ts'
import { printTable } from './print-table.ts'
import { machine, publish, publishCharts, type Section } from './publish.ts'
import type { About, Table } from './table.ts'

interface Bench {
  readonly about: About
  /** Yields each table as soon as it is measured; nothing if its prerequisites are missing. */
  readonly bench: () => AsyncGenerator<Table>
  /** Writes what else is made from the results. */
  readonly store?: () => void
}

const benches = {
  startup: () => import('./startup.ts'),
  pipeline: () => import('./pipeline.ts'),
  telemetry: () => import('./telemetry.ts'),
  ledger: () => import('./ledger.ts'),
  append: () => import('./append.ts'),
  seal: () => import('./seal.ts'),
  scale: () => import('./scale.ts'),
  growth: () => import('./growth.ts'),
  rules: () => import('./rules.ts'),
  agent: () => import('./agent.ts'),
  workflow: () => import('./workflow.ts'),
  catalogue: () => import('./catalogue.ts'),
  search: () => import('./search.ts'),
  serve: () => import('./serve.ts'),
  host: () => import('./host.ts'),
  isolation: () => import('./isolation.ts'),
  console: () => import('./console.ts'),
  extract: () => import('./extract.ts'),
  transcripts: () => import('./transcripts.ts'),
} satisfies { [name in Section]?: () => Promise<Bench> }
const names = Object.keys(benches) as (keyof typeof benches)[]
const writes = !process.argv.includes('--no-write')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = named.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Choose from ${names.join(', ')}.`)
  process.exit(2)
}
if (process.argv.includes('--charts')) {
  publishCharts()
  process.exit()
}
const begun = performance.now()
console.log(`Node ${process.version} on ${machine}`)
for (const name of names.filter((one) => named.length === 0 || named.includes(one))) {
  try {
    await run(name)
  } catch (failure) {
    console.error(`The benchmark ${name} failed:`, failure)
    process.exitCode = 1
  }
}
console.log(`\nAll took ${toMinutes(performance.now() - begun)}.`)

async function run(name: keyof typeof benches): Promise<void> {
  const { about, bench, store }: Bench = await benches[name]()
  const before = loadavg()[0]!
  const start = performance.now()
  const tables: Table[] = []
  for await (const table of bench()) {
    printTable(table.title, table.heading, table.rows)
    for (const note of toNotes(table)) console.log(`  ${note}`)
    tables.push(table)
  }
  console.log(`\n${name} took ${toMinutes(performance.now() - start)}.`)
  if (!writes || tables.length === 0) return
  publish(name, { about, tables, before })
  store?.()
}

function toMinutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} minutes`
}
