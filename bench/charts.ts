import { drawPanels, type Panel, type Theme, toAlt } from './panels.ts'
import { type PublishedTable, readSection, readTable } from './read-page.ts'

/** The published pages, the only source of the charts. */
export interface Pages {
  /** docs/benchmarks.md */
  readonly benchmarks: string
  /** docs/failure-matrix.md */
  readonly matrix: string
}

interface Chart {
  /** Of the files: docs/images/NAME-light.svg and NAME-dark.svg. */
  readonly name: string
  readonly panels: (pages: Pages) => readonly (Panel | undefined)[]
}

const themes: readonly Theme[] = ['light', 'dark']

/** The SVG files by name. Panels without published results are left out, and charts without panels. */
export function drawCharts(pages: Pages): Map<string, string> {
  return new Map(
    charts.flatMap(({ name, panels }) => {
      const drawn = panels(pages).filter((panel) => panel !== undefined)
      if (drawn.length === 0) return []
      const isNoisy = drawn.some(({ bars }) => bars.some(({ text }) => text.startsWith('~')))
      const caption = `Measured on ${toDays(pages)}.${isNoisy ? ' ~ noisy machine: only the first digit is reliable.' : ''}`
      return themes.map((theme) => [`${name}-${theme}.svg`, drawPanels(drawn, { theme, caption })] as const)
    }),
  )
}

/** A page with its pictures between `<!-- charts -->` and `<!-- /charts -->`; `folder` is that of the images. */
export function replaceCharts(
  page: string,
  pages: Pages,
  { names, folder }: { names: readonly string[]; folder: string },
): string {
  // biome-ignore format: one line
  const [begin, end] = ['<!-- charts -->', '<!-- /charts -->']
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has no ${begin} and ${end} around its charts.`)
  const pictures = charts
    .filter(({ name }) => names.includes(name))
    .map(({ name, panels }) => {
      const alt = toAlt(panels(pages).filter((panel) => panel !== undefined)).replaceAll('"', '&quot;')
      return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="${folder}/${name}-dark.svg">
  <img alt="${alt}" src="${folder}/${name}-light.svg">
</picture>`
    })
  return `${page.slice(0, from)}${begin}\n${pictures.join('\n\n')}\n${page.slice(to)}`
}

/** The days of the measurements: `2026-11-16`, or the first and the last. */
export function toDays({ benchmarks, matrix }: Pages): string {
  const days = [...new Set(`${benchmarks}\n${matrix}`.match(/(?<=^(?:Measured|Played) on )[\d-]+/gm))].toSorted()
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? 'no day yet')
}

const own = 'toolpact, 2025-11-25'
const gateways = { [own]: 'Toolpact', 'mcp-hub': 'mcp-hub', supergateway: 'supergateway', 'mcp-proxy': 'mcp-proxy' }
const servers = {
  [own]: 'Toolpact',
  'official SDK v1': 'official SDK v1',
  'official SDK v2': 'official SDK v2',
}
/** Of the tables, with the words of the charts. */
const loads = [
  ['one call after the other', 'one by one'],
  ['16 at once', '16 at once'],
  ['64 at once', '64 at once'],
] as const

/** `chart-overview` is in the README. */
const charts: readonly Chart[] = [
  {
    name: 'chart-overview',
    panels: (pages) => [
      toMatrixPanel(pages.matrix),
      toPanel(pages, { section: 'host', table: 'tools/call of a stdio server, 16 at once', column: 'per second', title: 'Calls per second as a gateway, 16 at once', hint: 'more is better', rows: gateways }),
      toPanel(pages, { section: 'host', table: 'tools/call of a stdio server, 16 at once', column: 'memory', title: 'Memory as a gateway, 16 calls at once', hint: 'less is better', rows: gateways }),
      toPanel(pages, { section: 'extract', table: 'Text beside other libraries', column: 'pages/CPU-s', title: 'Web pages turned into text, per CPU-second', hint: 'more is better', rows: { Toolpact: 'Toolpact', Readability: 'Readability', 'article-extractor': 'article-extractor', defuddle: 'defuddle' } }),
      toPanel(pages, { section: 'search', table: 'grep_search', column: 'p50', title: 'Searching 100,000 files for a word', hint: 'less is better', rows: { grep_search: 'Toolpact', 'rg -n': 'ripgrep itself', 'tinyglobby and readFile': 'in JavaScript' } }),
    ],
  },
  {
    name: 'chart-gateways',
    panels: (pages) =>
      loads.flatMap(([load, short]) => [
        toPanel(pages, { section: 'host', table: `tools/call of a stdio server, ${load}`, column: 'per second', title: `Gateways, calls per second, ${short}`, hint: 'more is better', rows: gateways }),
        toPanel(pages, { section: 'host', table: `tools/call of a stdio server, ${load}`, column: 'p50', title: `Gateways, median time of a call, ${short}`, hint: 'less is better', rows: gateways }),
      ]),
  },
  {
    name: 'chart-servers',
    panels: (pages) =>
      loads.flatMap(([load, short]) => [
        toPanel(pages, { section: 'serve', table: `tools/call over HTTP, ${load}`, column: 'per second', title: `Over HTTP, calls per second, ${short}`, hint: 'more is better; Toolpact checks and records every call', rows: servers }),
        toPanel(pages, { section: 'serve', table: `tools/call over stdio, ${load}`, column: 'per second', title: `Over stdio, calls per second, ${short}`, hint: 'more is better; Toolpact checks and records every call', rows: servers }),
      ]),
  },
] // biome-ignore format: a table

interface Source {
  readonly section: string
  /** How its title begins. */
  readonly table: string
  readonly column: string
  readonly title: string
  readonly hint: string
  /** How the names of the rows begin, and their labels. The first is ours. */
  readonly rows: { readonly [name: string]: string }
}

function toPanel({ benchmarks }: Pages, { section, table, column, title, hint, rows }: Source): Panel | undefined {
  if (readSection(benchmarks, section) === undefined) return undefined
  const found = readTable(benchmarks, section, table)
  const bars = Object.entries(rows).map(([name, label], index) => {
    const [text] = found.cell(toRow(found, name), column).split(' (')
    return { label, value: toNumber(text!), text: `${found.isNoisy ? '~' : ''}${text}`, isOwn: index === 0 }
  })
  return { title, hint, bars }
}

function toRow({ names }: PublishedTable, begin: string): string {
  return names.find((name) => name.startsWith(begin)) ?? begin
}

/** Times in milliseconds, other values as they are. */
function toNumber(text: string): number {
  const value = Number.parseFloat(text.replaceAll(',', ''))
  return text.endsWith(' µs') ? value / 1000 : value
}

function toMatrixPanel(page: string): Panel | undefined {
  const rows = [...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, label, ...counts]) => {
    const [pass, fail, other] = counts.map(Number) as [number, number, number]
    return { label: label!, value: pass, text: `${pass}`, all: pass + fail + other }
  })
  if (rows.length === 0) return undefined
  const bars = rows.map(({ all: _all, ...bar }, index) => ({ ...bar, isOwn: index === 0 }))
  return { title: `Failures and attacks withstood, of ${rows[0]!.all}`, hint: 'more is better', bars }
}
