import type { Toolpact } from '../../app/app.ts'
import { decideAboutServers } from '../mcp/settle-servers.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import type { Request } from '../options/command.ts'
import { printStates } from './print-states.ts'

/**
 * At a terminal, asks once about servers of which the config leaves something open, which waits for the first list.
 * Otherwise it waits for nothing: what becomes of each server is reported as it happens. Resolves to true if the config
 * has changed.
 */
export async function settleUpstreams(toolpact: Toolpact, request: Request): Promise<boolean> {
  const { options } = request
  const { catalog, upstreams, config } = toolpact
  if (!options.stdio && !options.json && process.stdin.isTTY && upstreams.look().some(isOpen)) {
    await catalog.all()
    if (await decideAboutServers(upstreams.look(), { config, desk: openChosenConfig(request), request })) return true
  }
  printStates(toolpact, request)
  return false

  function isOpen({ name }: { readonly name: string }): boolean {
    const { withoutOutputSchema = config.withoutOutputSchema, approval } = config.mcpServers?.[name] ?? {}
    return withoutOutputSchema === undefined || approval === undefined
  }
}
