import type { Gateway } from './gateways.ts'
import type { Row, Seen } from './row.ts'

export interface Column {
  readonly gateway: Gateway
  /** Why a row does not apply. */
  readonly missing?: string
}

interface Played {
  readonly name: string
  readonly row: Pick<Row, 'expects'>
  readonly cells: readonly Seen[]
}

/** The page with the results, one table per group of rows. */
export function toPage(groups: { readonly [title: string]: readonly Played[] }, columns: readonly Column[]): string {
  const all = Object.values(groups).flat()
  const tables = Object.entries(groups).map(([title, rows]) => `## ${title}\n\n${toTable(rows, columns)}\n`)
  return [toIntroduction(all, columns), ...tables].join('\n')
}

function toIntroduction(rows: readonly Played[], columns: readonly Column[]): string {
  const versions = columns.map(
    ({ gateway, missing }) => `${gateway.name} ${gateway.version}${missing ? ` (${missing})` : ''}`,
  )
  const lines = columns.map(({ gateway }, index) => {
    const count = (pass: boolean | undefined) => rows.filter(({ cells }) => cells[index]!.pass === pass).length
    return `| ${gateway.name} | ${count(true)} | ${count(false)} | ${count(undefined)} |`
  })
  return `# The failure matrix

What a caller sees when servers, callers or web pages misbehave, through Toolpact and through other gateways that come from the npm registry. \`npm run matrix\` plays
every row and writes this page; \`npm run matrix -- WORDS\` plays the rows with these words in their names, and writes nothing. Peers are installed
when first needed, into a cache outside the repository.

Played on ${new Date().toISOString().slice(0, 10)}: ${versions.join(', ')}, Node ${process.version}.

- Every gateway gets the same servers (\`test/upstream-servers\`; in the row postmark-mcp Toolpact starts the package by npx and locks it, the others start the same file by node) and the same caller, and is started anew for each row, as its manual says, with no option that turns
  a check on or off. supergateway is run with \`--stateful\`. Toolpact is told what its operators are asked: which servers without output schemas may be
  quoted, in rows about the transport of a server \`--yes\`, and \`--wait 2\`, so that a question nobody answers ends soon.
- **pass** and **fail** are by the expectation of the row, which is ours: a gateway may never have set out to do that. **–**: the row does not apply.
- A caller waits 8 s for an answer. Each was seen once.
- 1mcp is not here: the registry had no package \`@1mcp/agent\` or \`1mcp\` to install.

| | pass | fail | does not apply |
|---|--:|--:|--:|
${lines.join('\n')}
`
}

function toTable(rows: readonly Played[], columns: readonly Column[]): string {
  const heading = ['failure', 'expected', ...columns.map(({ gateway }) => gateway.name)]
  const lines = rows.map(({ name, row, cells }) => [name, row.expects, ...cells.map(toCell)])
  return [heading, heading.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function toCell({ pass, saw }: Seen): string {
  return `${pass === undefined ? '–' : pass ? 'pass' : '**fail**'}: ${saw}`
}
