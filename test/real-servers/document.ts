import type { UpstreamStatus } from '../../src/host/upstream.ts'
import type { Confined } from './confined.ts'
import { realServers } from './servers.ts'

const introduction = `# Servers that were tried

Real servers from the npm registry, in these versions, all connected at once by \`test/real-servers\`. This page is written by
\`node scripts/measure-real-servers.ts\`; the test fails where it no longer says what happens.

- **as declared**: the tool declares its output, which is checked.
- **as quoted data**: it declares none. It is withheld (\`no_output_schema\`) unless the operator chooses
  \`"withoutOutputSchema": "opaque"\`, as was done here.
- **asks**: of the admitted ones, those that ask before each call once you let reads run (\`--approval reads\`). Until you decide, all of them ask.
- **flagged**: to be read by a person; see [admission.md](admission.md), which explains the reasons too.

`

/** The first part of the page: servers as they stand. */
export function toDocument(statusOf: (name: string) => UpstreamStatus): string {
  const servers = realServers.map((server) => ({ ...server, ...toCounts(statusOf(server.name)) }))
  const head = ['server', 'version', 'MCP', 'tools', 'as declared', 'as quoted data', 'asks', 'flagged', 'withheld']
  const rows = servers.map((server) => [
    `\`${server.package}\``,
    server.version,
    server.revision,
    ...server.counts.map(String),
    String(server.withheld.length),
  ])
  const all = servers.reduce((sums, { counts }) => sums.map((sum, index) => sum + counts[index]!), [0, 0, 0, 0, 0])
  const withheld = servers.flatMap((server) => server.withheld.map((cells) => [`\`${server.package}\``, ...cells]))
  const sum = [`${servers.length} servers`, '', '', ...all.map(String), String(withheld.length)]
  const why =
    withheld.length === 0
      ? 'Nothing else was withheld.\n'
      : `## Withheld, and why\n\n${toTable(['server', 'tool', 'reason'], withheld)}`
  return `${introduction}${toTable(head, [...rows, sum])}\n${why}`
}

/** The second part of the page: servers in the sandbox. */
export function toConfinedSection(tried: readonly Confined[]): string {
  const working = tried.filter(({ fault }) => fault === undefined).length
  const rows = tried.map(({ server, may, fault }) => [`\`${server.package}\``, may, fault === undefined ? 'works' : `fails: ${fault}`]) // biome-ignore format: one line
  return `
## Confined

The same servers in the sandbox ([isolation](isolation.md)), each with exactly what \`toolpact mcp add\` proposes for it: the folders that its
entry names, and the hosts that it wanted while it started. \`{folder}\` is the folder that it was given. It works if it starts, lists its tools
and answers a call that needs neither network nor browser, if there is one. ${working} of ${tried.length} work; the others name the folder or the host that they
need, for \`toolpact mcp grant\`.

${toTable(['server', 'what it may do', 'with that'], rows)}`
}

function toCounts({ revision = '', admitted: all, withheld }: UpstreamStatus) {
  // Prompts and resources are admitted like tools.
  const admitted = all.filter(({ tool }) => !tool.offer)
  const opaque = admitted.filter(({ outputForm }) => outputForm === 'opaque').length
  const asking = admitted.filter(({ tool }) => tool.contract.approval === 'ask').length
  const flagged = admitted.filter(({ flags }) => flags.length > 0).length
  return {
    revision,
    counts: [admitted.length + withheld.length, admitted.length - opaque, opaque, asking, flagged],
    withheld: withheld.map(({ name, reasons }) => [
      `\`${name}\``,
      reasons.map(({ code, message }) => `\`${code}\`: ${message}`).join(' '),
    ]),
  }
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
