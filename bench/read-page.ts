/** A table parsed from docs/benchmarks.md. Missing rows and columns throw. */
export interface PublishedTable {
  readonly isNoisy: boolean
  /** The names of the rows. */
  readonly names: readonly string[]
  /** The cell in the named row and the column whose heading ends with this. */
  cell(name: string, heading: string): string
}

/** The table whose title begins with this. */
export function readTable(page: string, section: string, title: string): PublishedTable {
  const [, ...parts] = readSection(page, section)?.split(/^### /m) ?? []
  const part = parts.find((one) => one.startsWith(title))
  const fail = (what: string): never => {
    throw new Error(`Section ${section} of docs/benchmarks.md has no ${what}. bench/charts.ts asks for it.`)
  }
  if (part === undefined) return fail(`table “${title}”`)
  const [heading, , ...rows] = part.split('\n').filter((line) => line.startsWith('|')).map(toCells) // biome-ignore format: one line
  return {
    isNoisy: /^- The machine was noisy/m.test(part),
    names: rows.map(([name]) => name!),
    cell(name, end) {
      const column = heading!.findIndex((cell) => cell.endsWith(end))
      return rows.find(([cell]) => cell === name)?.[column] ?? fail(`${end} of ${name} under “${title}”`)
    },
  }
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
