import { isNoisy, maxNoise } from './noise.ts'
import type { About, Table } from './table.ts'

/** The machine and time of a benchmark run. */
export interface Circumstances {
  /** The date: 2026-01-31. */
  readonly date: string
  readonly toolpact: string
  readonly node: string
  readonly machine: string
  /** One-minute load average before and after. */
  readonly load: readonly [number, number]
}

/** The section of the page for one benchmark. */
export function toSection(about: About, tables: readonly Table[], circumstances: Circumstances): string {
  return [toIntroduction(about, circumstances), toVerdict(tables), ...tables.map(toMarkdown)].join('\n\n')
}

/** Inserts or replaces a section, in the order of `names`; other sections do not change. */
export function replaceSection(
  page: string,
  { name, section }: { name: string; section: string },
  order: readonly string[],
): string {
  const found = [...page.matchAll(marked)].map(([, found, text]) => [found!, text!] as const)
  const sections = new Map(found.filter(([name]) => name !== 'charts'))
  sections.set(name, section)
  const known = order.filter((other) => sections.has(other))
  const others = [...sections.keys()].filter((other) => !order.includes(other))
  const parts = [...known, ...others].map(
    (other) => `## ${other}\n\n<!-- ${other} -->\n${sections.get(other)}\n<!-- /${other} -->\n`,
  )
  return [preamble, ...parts].join('\n')
}

/** The lines under a table. */
export function toNotes({ noise, notes = [] }: Table): string[] {
  if (!isNoisy(noise)) return [...notes]
  return [...notes, `The machine was noisy: the base itself varied by ${noise!.toFixed(1)}×. Trust no digit after the first.`] // biome-ignore format: one line
}

const marked = /^<!-- ([\w-]+) -->\n(.*?)\n<!-- \/\1 -->$/gms

const preamble = `# Benchmarks

What Toolpact costs, and what it withstands, beside other programs that do the same. The charts show the most important results; the tables below have all of them, including those
where Toolpact is slower, with the date and the machine of each measurement.

<!-- charts -->
<!-- /charts -->

\`npm run bench\` measures everything and writes this page, \`npm run bench -- NAME\` measures one section, \`--no-write\` changes nothing, and \`npm run bench -- --charts\` only redraws
the charts. \`npm run fuzz -- --write\` and \`npm run soak -- --minutes 10 --write\` replace the last two sections. Compare ratios rather than times: a time depends on the machine.

- **ratio**: the median over all rounds, relative to the first row. Each round runs every row once, so that a busy moment affects all of them.
  For times, lower is better; for calls per second (servers) and pages per CPU-second (extraction), higher is better.
- **spread**: the ratio in the 10th and 90th percentile round.
- **processor**: CPU time in all processes, which other work on the machine affects less than elapsed time; **its ratio** is relative to the first row.
- **allocated**: heap allocated per operation in the measuring process, without child processes; **memory**: the resident size of a process.
- **noisy**: the first row does the same work in every round. If its slow rounds took more than ${maxNoise} times as long as its fast ones, the machine was busy, and a target
  counts as met or missed only if nearly all rounds agree.
`

function toIntroduction(
  { compares, peers = [] }: About,
  { date, toolpact, node, machine, load }: Circumstances,
): string {
  const beside = peers.length > 0 ? ` Peers: ${peers.join(', ')}.` : ''
  const [before, after] = load.map((value) => value.toFixed(1))
  return `${compares}

Measured on ${date}: Toolpact ${toolpact}, Node ${node}, ${machine}; load ${before} before and ${after} after.${beside}`
}

function toVerdict(tables: readonly Table[]): string {
  const noises = tables.flatMap(({ noise }) => noise ?? [])
  if (noises.length === 0) return 'Nothing here was measured in rounds, so nothing is known about noise.'
  const most = Math.max(...noises)
  if (!isNoisy(most)) return `The machine was quiet enough: bases varied by ${most.toFixed(1)}× at most.`
  const count = noises.filter(isNoisy).length
  return `**The machine was too noisy to tell more than the first digit**, in ${count} of ${noises.length} tables: bases varied by up to ${most.toFixed(1)}×.`
}

function toMarkdown(table: Table): string {
  const { title, heading, rows } = table
  const lines = [heading, heading.map((_, column) => (column ? '--:' : '---')), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  const notes = toNotes(table).map((note) => `- ${note}`)
  return [`### ${title}`, lines.join('\n'), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n')
}
