import type { PublishedTable } from './read-page.ts'

/** A row of the table in the README with its source. */
export interface Result {
  readonly what: string
  readonly section: string
  /** Title prefixes of the tables, each with the subjects of the targets to show. */
  readonly tables: { readonly [title: string]: readonly string[] }
  /** Default: the result for each target. */
  readonly found?: (tables: readonly PublishedTable[]) => string
  readonly beside: string | ((tables: readonly PublishedTable[]) => string)
  /** Default: `npm run bench -- SECTION`. */
  readonly command?: string
}

const own = 'toolpact, 2025-11-25'

/** The rows that the README shows from docs/benchmarks.md. */
export const results: readonly Result[] = [
  {
    what: 'start-up of `toolpact --version`, of `toolpact call`',
    section: 'startup',
    tables: { 'Start-up': ['toolpact --version', 'toolpact call learning.hello'] },
    beside: '`node -e 0`',
  },
  {
    what: 'calls per second over HTTP, one by one, 16, 64 at once',
    section: 'serve',
    tables: toLoads('tools/call over HTTP', `${own}, throughput`),
    beside: 'official SDK, without checks',
  },
  {
    what: 'time of a call over stdio, one by one, 16, 64 at once',
    section: 'serve',
    tables: toLoads('tools/call over stdio', `${own}, latency`),
    beside: 'official SDK, without checks',
  },
  {
    what: 'calls per second as a gateway, as multiples of a server of the official SDK called directly, loads as above',
    section: 'host',
    tables: toLoads('tools/call of a stdio server', `${own}, throughput`),
    beside: (tables) =>
      `best other gateway: ${toBest(tables, 'ratio', (name) => !/^(official|the upstream)/.test(name))}`,
  },
  {
    what: '`file_search`, `grep_search` in 100,000 files',
    section: 'search',
    tables: { file_search: ['file_search'], grep_search: ['grep_search'] },
    beside: '`rg`',
  },
  {
    what: 'a decision with 10,000 rules',
    section: 'rules',
    tables: { 'Deciding about a call': ['10,000 rules, of 1,000 tools'] },
    beside: '10 rules',
  },
  {
    what: 'F1 of the text of web pages that it learned from: articles, segments',
    section: 'extract',
    tables: { Text: ['F1 of articles that it learned from', 'F1 of segments that it learned from'] },
    beside: ([text]) => [toBest([text!], 'articles'), toBest([text!], 'segments')].join(', '),
  },
  {
    what: 'web pages read per CPU-second, memory beyond them',
    section: 'extract',
    tables: { Text: ['Pages per CPU-second', 'Memory beyond the input, in the worst round,'] },
    beside: ([text]) => toBest([text!], 'pages/CPU-s'),
  },
  {
    what: 'random bytes, messages, schemas, documents, paths',
    section: 'fuzz',
    tables: { 'Random values': ['findings'] },
    found: ([table]) => `${table!.cell('all', 'values')} values, ${table!.cell('all', 'findings')} findings`,
    beside: '',
    command: 'npm run fuzz -- --write',
  },
  {
    what: 'load over servers that crash, hang and lie',
    section: 'soak',
    tables: { Load: ['faults'] },
    found: ([table]) => `${table!.cell('all', 'calls')} calls, ${table!.cell('all', 'faults')} faults`,
    beside: '',
    command: 'npm run soak -- --minutes 10 --write',
  },
]

function toLoads(title: string, aim: string): Result['tables'] {
  return Object.fromEntries(['one call', '16 at once', '64 at once'].map((load) => [`${title}, ${load}`, [aim]]))
}

/** The best competitor in each table, by name. */
function toBest(tables: readonly PublishedTable[], heading: string, isPeer = (_name: string) => true): string {
  let last = ''
  const parts = tables.map(({ names, cell }) => {
    const others = names.filter((name) => !/^toolpact/i.test(name) && isPeer(name))
    const [best] = others.toSorted((one, other) => Number.parseFloat(cell(other, heading)) - Number.parseFloat(cell(one, heading))) // biome-ignore format: one line
    const [name] = best!.split(' ')
    const [value] = cell(best!, heading).split(' ')
    const part = name === last ? value : `${name} ${value}`
    last = name!
    return part
  })
  return parts.join(', ')
}
