import type { Toolpact } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { Request } from '../command.ts'
import { countUndeclared } from '../mcp/ask-about-server.ts'
import { openDesk } from '../mcp/place.ts'
import { askAboutServers, tellStatus, tellUndeclared } from '../mcp/settle-servers.ts'

/**
 * Asks once about servers that are there and whose tools declare no output. Where nobody can be asked, tells how many
 * are withheld, and of servers that failed, as soon as each is known. Gives whether the config has changed.
 */
export async function settleUpstreams(
  upstreams: Toolpact['upstreams'],
  servers: NonNullable<Config['mcpServers']>,
  request: Request,
): Promise<boolean> {
  const { options } = request
  const isOpen = (name: string) => servers[name]?.withoutOutputSchema === undefined
  const undecided = upstreams.look().filter((status) => isOpen(status.name) && countUndeclared(status) > 0)
  const canAsk = !options.stdio && !options.json && process.stdin.isTTY
  if (canAsk && undecided.length > 0) return askAboutServers(undecided, { servers, desk: openDesk(request), request })
  void upstreams.statuses().then((statuses) => {
    for (const status of statuses) {
      if (status.state === 'failed') tellStatus(status, request)
      else if (isOpen(status.name)) tellUndeclared(status, request)
    }
  })
  return false
}
