/** A target as reported in docs/benchmarks.md. */
export interface PublishedAim {
  readonly verdict: 'met' | 'missed' | 'too noisy to tell'
  /** Such as `at most 1.3×`. */
  readonly limit: string
  /** With its unit. */
  readonly found: string
}

/** A table parsed from docs/benchmarks.md. Missing rows and columns throw. */
export interface PublishedTable {
  readonly isNoisy: boolean
  /** The names of the rows. */
  readonly names: readonly string[]
  /** The cell in the named row and the column whose heading ends with this. */
  cell(name: string, heading: string): string
  aim(what: string): PublishedAim
}

/** The table whose title begins with this. */
export function readTable(page: string, section: string, title: string): PublishedTable {
  const [, ...parts] = readSection(page, section)?.split(/^### /m) ?? []
  const part = parts.find((one) => one.startsWith(title))
  const fail = (what: string): never => {
    throw new Error(`Section ${section} of docs/benchmarks.md has no ${what}. Look at what bench/results.ts asks for.`)
  }
  if (part === undefined) return fail(`table “${title}”`)
  const [heading, , ...rows] = part.split('\n').filter((line) => line.startsWith('|')).map(toCells) // biome-ignore format: one line
  const aims = readAims(part)
  return {
    isNoisy: /^- The machine was noisy/m.test(part),
    names: rows.map(([name]) => name!),
    cell(name, end) {
      const column = heading!.findIndex((cell) => cell.endsWith(end))
      return rows.find(([cell]) => cell === name)?.[column] ?? fail(`${end} of ${name} under “${title}”`)
    },
    aim: (what) => aims.get(what) ?? fail(`aim “${what}” under “${title}”`),
  }
}

/** Targets by subject. */
export function readAims(text: string): Map<string, PublishedAim> {
  const found = text.matchAll(/^- (?:Aim )?(met|missed|too noisy to tell): (.+) (at (?:most|least) [\d.]+([^\d\n]*)), found ([\d.]+)\4\.$/gim) // biome-ignore format: one line
  return new Map(
    [...found].map(([, verdict, what, limit, unit, value]) => [
      what!,
      {
        verdict: verdict!.toLowerCase() as PublishedAim['verdict'],
        limit: limit!,
        found: `${unit === '×' ? Number(value).toFixed(2) : value}${unit}`,
      },
    ]),
  )
}

/** Undefined if never published. */
export function readSection(page: string, section: string): string | undefined {
  const [, text] = new RegExp(`^<!-- ${section} -->\\n(.*?)\\n<!-- /${section} -->$`, 'ms').exec(page) ?? []
  return text
}

function toCells(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}
