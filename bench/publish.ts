import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { drawCharts, type Pages, replaceCharts } from './charts.ts'
import { replaceSection, toSection } from './page.ts'
import type { About, Table } from './table.ts'

/** The sections of docs/benchmarks.md in their order. */
const sections = ['startup', 'pipeline', 'telemetry', 'ledger', 'seal', 'scale', 'append', 'growth', 'rules', 'agent', 'workflow', 'catalogue', 'search', 'serve', 'host', 'isolation', 'console', 'extract', 'transcripts', 'fuzz', 'soak', 'steady'] as const // biome-ignore format: one line
export type Section = (typeof sections)[number]

export const machine = `${cpus().length} × ${cpus()[0]?.model.trim() || arch()}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()} ${arch()}`

const [benchmarks, matrix, readme, images] = [
  'docs/benchmarks.md',
  'docs/failure-matrix.md',
  'README.md',
  'docs/images/',
].map((path) => new URL(`../${path}`, import.meta.url)) as [URL, URL, URL, URL]

/** Writes results to their section of docs/benchmarks.md and redraws the charts. `before`: the load before measuring. */
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
  publishCharts()
}

/** Draws the charts from the published pages, and puts them into the pages. */
export function publishCharts(): void {
  mkdirSync(images, { recursive: true })
  for (const [path, text] of toFiles()) writeFileSync(path, text)
}

/** The charts, and the pages that show them, as they should be. */
export function toFiles(): Map<URL, string> {
  const pages: Pages = { benchmarks: read(benchmarks), matrix: read(matrix) }
  return new Map([
    ...[...drawCharts(pages)].map(([name, svg]) => [new URL(name, images), svg] as const),
    [readme, replaceCharts(read(readme), pages, { names: ['chart-overview'], folder: 'docs/images' })],
    [
      benchmarks,
      replaceCharts(pages.benchmarks, pages, {
        names: ['chart-overview', 'chart-gateways', 'chart-servers'],
        folder: 'images',
      }),
    ],
  ])
}

function read(page: URL): string {
  return existsSync(page) ? readFileSync(page, 'utf8') : ''
}
