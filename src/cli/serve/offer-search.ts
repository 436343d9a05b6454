import type { Toolpact } from '../../app/app.ts'
import { setMember } from '../../state/edit-json.ts'
import type { CatalogueMode } from '../../surfaces/mcp/server.ts'
import type { Request } from '../options/command.ts'
import { describeLargeList, printLargeList, toMcpTools } from '../terminal/large-list.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'

/** Measuring the list should not delay the first answers. */
const noteAfterMs = 100

/**
 * Offers search if the catalogue is large and the config does not decide: asks once at a terminal and saves the answer, or
 * prints a line as soon as the tools of all servers are known.
 */
export async function offerSearch(toolpact: Toolpact, request: Request): Promise<CatalogueMode> {
  const { options, terminal } = request
  const canAsk = !options.stdio && !options.json && !options.yes && !options['no-config'] && process.stdin.isTTY
  const tty = canAsk ? (await import('../terminal/prompt/open-tty.ts')).openTty() : undefined
  if (!tty) {
    setTimeout(() => void noteLargeList(toolpact, terminal), noteAfterMs).unref()
    return 'all'
  }
  try {
    const size = describeLargeList(toMcpTools(await toolpact.catalog.all()))
    if (size === undefined) return 'all'
    tty.print([
      `${size}: most clients send the whole list to the model with each request.`,
      'With search, clients list search_tools and what they have found. Every tool can still be called.',
    ])
    const answer = await tty.ask(
      paint('bold', 'Let clients search (s), or list every tool (a)? (s/A) '),
      terminal.signal,
    )
    if (answer === undefined) return 'all'
    const catalogue = /^\s*s(?:earch)?\s*$/i.test(answer) ? 'search' : 'all'
    const { openChosenConfig } = await import('../options/chosen-config.ts')
    await openChosenConfig(request).change((text) => setMember(text, ['catalogue'], catalogue), readUserName())
    return catalogue
  } finally {
    tty.close()
  }
}

async function noteLargeList(toolpact: Toolpact, terminal: Terminal): Promise<void> {
  try {
    await toolpact.upstreams.statuses()
    printLargeList(toMcpTools(await toolpact.catalog.all()), terminal)
  } catch {
    // Failures are reported where the list is needed.
  }
}
