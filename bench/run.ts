/** `npm run bench` runs every benchmark, `npm run bench -- startup ledger` the named ones; `--no-write`: leave docs/benchmarks.md as it is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { type Circumstances, replaceSection, toNotes, toSection } from './page.ts'
import { printTable } from './print-table.ts'
import type { About, Table } from './table.ts'

interface Bench {
  readonly about: About
  /** Gives each table as soon as it is measured; none if what it needs is not there. */
  readonly bench: () => AsyncGenerator<Table>
}

const benches: Record<string, () => Promise<Bench>> = {
  startup: () => import('./startup.ts'),
  pipeline: () => import('./pipeline.ts'),
  ledger: () => import('./ledger.ts'),
  append: () => import('./append.ts'),
  rules: () => import('./rules.ts'),
  agent: () => import('./agent.ts'),
  search: () => import('./search.ts'),
  serve: () => import('./serve.ts'),
  host: () => import('./host.ts'),
  extract: () => import('./extract.ts'),
}
const page = new URL('../docs/benchmarks.md', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() || arch()}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()} ${arch()}`

const writes = !process.argv.includes('--no-write')
const named = process.argv.slice(2).filter((argument) => argument !== '--no-write')
const unknown = named.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Choose from ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}
console.log(`Node ${process.version} on ${machine}`)
for (const name of named.length > 0 ? named : Object.keys(benches)) {
  try {
    await run(name)
  } catch (failure) {
    console.error(`The benchmark ${name} failed, and its section of the page stays as it was:`, failure)
    process.exitCode = 1
  }
}

async function run(name: string): Promise<void> {
  const { about, bench } = await benches[name]!()
  const before = loadavg()[0]!
  const tables: Table[] = []
  for await (const table of bench()) {
    printTable(table.title, table.heading, table.rows)
    for (const note of toNotes(table)) console.log(`  ${note}`)
    tables.push(table)
  }
  if (!writes || tables.length === 0) return
  const circumstances: Circumstances = {
    date: new Date().toISOString().slice(0, 10),
    toolpact: version,
    node: process.version,
    machine,
    load: [before, loadavg()[0]!],
  }
  // Read now: another benchmark may have written meanwhile.
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const section = toSection(about, tables, circumstances)
  writeFileSync(page, replaceSection(text, { name, section }, Object.keys(benches)))
}
