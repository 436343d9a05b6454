import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { replaceSection, toSection } from './page.ts'
import { replaceTable } from './readme-table.ts'
import type { About, Table } from './table.ts'

/** The sections of docs/benchmarks.md in their order. */
const sections = ['startup', 'pipeline', 'ledger', 'append', 'rules', 'agent', 'catalogue', 'search', 'serve', 'host', 'console', 'extract', 'fuzz', 'soak'] as const // biome-ignore format: one line
export type Section = (typeof sections)[number]

export const machine = `${cpus().length} × ${cpus()[0]?.model.trim() || arch()}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()} ${arch()}`

const [benchmarks, matrix, readme] = ['docs/benchmarks.md', 'docs/failure-matrix.md', 'README.md'].map(
  (path) => new URL(`../${path}`, import.meta.url),
) as [URL, URL, URL]

/** Writes results to their section of docs/benchmarks.md and updates the README. `before`: the load before measuring. */
export function publish(name: Section, { about, tables, before }: { about: About; tables: Table[]; before: number }) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const section = toSection(about, tables, {
    date: new Date().toISOString().slice(0, 10),
    toolpact: version,
    node: process.version,
    machine,
    load: [before, loadavg()[0]!],
  })
  // Read late, because another benchmark may have written in the meantime.
  writeFileSync(benchmarks, replaceSection(read(benchmarks), { name, section }, sections))
  refreshReadme()
}

/** Updates the table of the README from the published pages. */
export function refreshReadme(): void {
  writeFileSync(readme, toReadme())
}

/** The expected README. */
export function toReadme(): string {
  return replaceTable(read(readme), { benchmarks: read(benchmarks), matrix: read(matrix) })
}

function read(page: URL): string {
  return existsSync(page) ? readFileSync(page, 'utf8') : ''
}
