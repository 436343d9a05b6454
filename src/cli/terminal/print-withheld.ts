import type { Toolpact } from '../../app/app.ts'
import { printable } from '../../contract/text/printable.ts'
import { paint, type Terminal } from './terminal.ts'

/** Reports tools of contract folders that cannot be called, and why. Tools of servers are reported with their server. */
export async function printWithheld({ catalog, upstreams }: Toolpact, terminal: Terminal): Promise<void> {
  const servers = upstreams.look().map(({ name }) => name)
  const toolsets = catalog.toolsets.filter((name) => !servers.includes(name))
  for (const { id, reasons } of await catalog.withheld(toolsets))
    terminal.log([paint('red', '✗ '), `${printable(id)} is withheld. ${printable(reasons.join('. '))}.`])
}
