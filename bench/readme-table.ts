import { type PublishedAim, readAims, readSection, readTable } from './read-page.ts'
import { type Result, results } from './results.ts'

/** The published pages, the only source of the table in the README. */
export interface Pages {
  /** docs/benchmarks.md */
  readonly benchmarks: string
  /** docs/failure-matrix.md */
  readonly matrix: string
}

/** The README with its table generated from the pages. */
export function replaceTable(readme: string, pages: Pages): string {
  const [begin, end] = ['<!-- results -->', '<!-- /results -->']
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no ${begin} and ${end} around its table of results.`)
  return `${readme.slice(0, from)}${begin}\n${toTable(pages)}\n${readme.slice(to)}`
}

/** Omits rows without published results. */
function toTable(pages: Pages): string {
  const rows = [...results.flatMap((result) => toRow(result, pages.benchmarks) ?? []), ...toMatrixRow(pages.matrix)]
  const heading = ['what', 'found', 'beside', 'aim', 'repeat']
  const table = [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${table.join('\n')}\n\n${toSummary(pages.benchmarks)}`
}

function toRow({ what, section, tables, found, beside, command }: Result, page: string): string[][] | undefined {
  if (readSection(page, section) === undefined) return undefined
  const read = Object.entries(tables).map(([title, aims]) => ({ table: readTable(page, section, title), aims }))
  const all = read.map(({ table }) => table)
  const aims = read.flatMap(({ table, aims }) => aims.map((aim) => ({ ...table.aim(aim), isNoisy: table.isNoisy })))
  return [
    [
      what,
      found?.(all) ?? aims.map(({ isNoisy, found }) => `${isNoisy ? '~' : ''}${found}`).join(', '),
      typeof beside === 'string' ? beside : beside(all),
      toVerdicts(aims),
      `\`${command ?? `npm run bench -- ${section}`}\``,
    ],
  ]
}

/** Groups verdicts by limit, and shows a common verdict once. */
function toVerdicts(aims: readonly PublishedAim[]): string {
  return [...Map.groupBy(aims, ({ limit }) => limit)]
    .map(([limit, those]) => {
      const verdicts = those.map(({ verdict }) => (verdict === 'missed' ? '**missed**' : verdict))
      return `${limit}: ${(new Set(verdicts).size === 1 ? verdicts.slice(0, 1) : verdicts).join(', ')}`
    })
    .join('; ')
}

function toMatrixRow(page: string): string[][] {
  const rows = [...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, name, ...counts]) => {
    const [pass, fail, other] = counts.map(Number) as [number, number, number]
    return { name: name!, pass, all: pass + fail + other }
  })
  const [own, ...others] = rows
  if (!own) return []
  return [
    [
      'failures of servers, callers and web pages that are withstood',
      `${own.pass} of ${own.all}`,
      others.map(({ name, pass }) => `${name} ${pass}`).join(', '),
      `all: ${own.pass === own.all ? 'met' : '**missed**'}`,
      '`npm run matrix`',
    ],
  ]
}

/** Totals over the whole page, including targets that are not in the table. */
function toSummary(page: string): string {
  const sections = [...page.matchAll(/^<!-- (\w+) -->$/gm)].map(([, name]) => readSection(page, name!)!)
  const tables = sections.flatMap((section) => section.split(/^### /m))
  const verdicts = tables.flatMap((table) => [...readAims(table).values()]).map(({ verdict }) => verdict)
  const count = (wanted: PublishedAim['verdict']) => verdicts.filter((verdict) => verdict === wanted).length
  const days = [...new Set(page.match(/(?<=^Measured on )[\d-]+/gm))].toSorted()
  const when = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0]
  return `Measured on ${when}. \`~\`: on a noisy machine, where only the first digit counts. Of the ${verdicts.length} aims on docs/benchmarks.md ${count('met')} are met,
${count('missed')} missed, and of ${count('too noisy to tell')} the noise lets nothing be told.`
}
