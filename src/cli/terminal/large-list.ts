import type { Contract } from '../../contract/contract.ts'
import { toMcpTool } from '../../projections/mcp.ts'
import { paint, type Terminal } from './terminal.ts'

/** Search is offered above this number of tools. */
const maxListed = 100
/** Average for JSON; the cost of a list can only be estimated. */
const bytesPerToken = 4

/** The tools of a catalog as an MCP client lists them. */
export function toMcpTools(
  entries: readonly { readonly name: string; readonly tool: { readonly contract: Contract } }[],
) {
  return entries
    .filter(({ tool }) => tool.contract.status !== 'planned')
    .map(({ name, tool }) => toMcpTool(name, tool.contract))
}

/** Describes the size of a large list; undefined if it is not large. */
export function describeLargeList(tools: readonly object[]): string | undefined {
  if (tools.length <= maxListed) return undefined
  const tokens = Number((Buffer.byteLength(JSON.stringify(tools)) / bytesPerToken).toPrecision(2))
  return `${tools.length.toLocaleString('en')} tools, about ${tokens.toLocaleString('en')} tokens`
}

/** Prints the size of a large list and how to reduce it. */
export function printLargeList(tools: readonly object[], { log }: Pick<Terminal, 'log'>): void {
  const size = describeLargeList(tools)
  if (size === undefined) return
  log([
    paint('yellow', 'Note:'),
    ` ${size} in each client that lists them all. Let clients search instead: toolpact serve --catalogue search, or "catalogue": "search" in toolpact.json.`,
  ])
}
