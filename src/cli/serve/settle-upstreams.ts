import type { Toolpact } from '../../app.ts'
import type { Request } from '../command.ts'
import { countUndeclared } from '../mcp/ask-about-server.ts'
import { openDesk } from '../mcp/place.ts'
import { askAboutServers } from '../mcp/settle-servers.ts'
import { tellStates } from './tell-states.ts'

/**
 * At a terminal, asks once about servers whose tools declare no output, which waits for the first list. Otherwise it
 * waits for nothing: what becomes of each server is reported as it happens. Resolves to true if the config has changed.
 */
export async function settleUpstreams(toolpact: Toolpact, request: Request): Promise<boolean> {
  const { options } = request
  const { catalog, upstreams, config } = toolpact
  const { mcpServers: servers = {} } = config
  const isOpen = (name: string) => servers[name]?.withoutOutputSchema === undefined
  if (!options.stdio && !options.json && process.stdin.isTTY && upstreams.look().some(({ name }) => isOpen(name))) {
    await catalog.all()
    const undecided = upstreams.look().filter((status) => isOpen(status.name) && countUndeclared(status) > 0)
    if (undecided.length > 0) return askAboutServers(undecided, { servers, desk: openDesk(request), request })
  }
  tellStates(upstreams, isOpen, request)
  return false
}
