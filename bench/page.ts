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
export function toNotes({ noise, left, notes = [] }: Table): string[] {
  const lines = [...notes]
  if (left && left.disturbed > 0) lines.push(`Other programs used the machine during ${left.disturbed} of the rounds that count.`) // biome-ignore format: one line
  if (isNoisy(noise)) lines.push(`The machine was noisy: the base itself varied by ${noise!.toFixed(1)}×.`)
  return lines
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
- **interval**: where the median ratio lies with a probability of 95 %. A target is met or missed if the whole interval is on one side of it, and otherwise undecided; then the page
  says how many rounds would decide.
- Halfway, once, a table of times ends early if it is certain by then: every target decided, and every ratio known to a twentieth, with a probability of 99.8 %.
- Instructions are not counted: virtual machines such as the one measured on report none. Processor time takes their place.
- Rounds during which other programs used more than a tenth of a core are left out and repeated, as long as that is possible.
- **processor**: CPU time in all processes, which other work on the machine affects less than elapsed time; **its ratio** is relative to the first row.
- **allocated**: heap allocated per operation in the measuring process, without child processes; **memory**: the resident size of a process.
- **noisy**: the first row does the same work in every round. If its slow rounds took more than ${maxNoise} times as long as its fast ones, times mean little, and ratios less than usual.
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
  const sum = (of: 'dropped' | 'disturbed') => tables.reduce((total, { left }) => total + (left?.[of] ?? 0), 0)
  const [dropped, disturbed] = [sum('dropped'), sum('disturbed')]
  const verdicts = tables.flatMap(({ notes = [] }) => notes)
  const count = (words: string) => verdicts.filter((note) => note.startsWith(words)).length
  const [met, missed, undecided] = ['Aim met', 'Aim missed', 'Undecided'].map(count) as [number, number, number]
  return [
    ...(met + missed + undecided > 0 ? [`Targets: ${met} met, ${missed} missed, ${undecided} undecided.`] : []),
    `Bases varied by ${Math.max(...noises).toFixed(1)}× at most${dropped > 0 ? `; ${dropped} disturbed rounds were left out` : ''}.`,
    ...(disturbed > 0 ? [`**The machine was busy** during ${disturbed} of the rounds that count.`] : []),
  ].join(' ')
}

function toMarkdown(table: Table): string {
  const { title, heading, rows } = table
  const lines = [heading, heading.map((_, column) => (column ? '--:' : '---')), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  const notes = toNotes(table).map((note) => `- ${note}`)
  return [`### ${title}`, lines.join('\n'), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n')
}
