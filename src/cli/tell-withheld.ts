import type { Toolpact } from '../app.ts'
import { printable } from '../contract/printable.ts'
import { paint, type Terminal } from './terminal.ts'

/** Tells which tools of folders cannot be called, and why: their author looks for them. Those of servers are told of elsewhere. */
export async function tellWithheld({ catalog, upstreams }: Toolpact, terminal: Terminal): Promise<void> {
  const servers = upstreams.look().map(({ name }) => name)
  for (const { id, toolset, reasons } of await catalog.withheld())
    if (!servers.includes(toolset))
      terminal.tell([paint('red', '✗ '), `${printable(id)} is withheld. ${printable(reasons.join('. '))}.`])
}
