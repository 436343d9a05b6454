import { printableJson } from '../../contract/text/printable.ts'
import type { Request } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import type { ReadClients } from './read-clients.ts'
import type { FoundServers } from './to-candidates.ts'

const maxTries = 3

/** Lets the user choose files with servers. Undefined if there is no terminal. */
export async function chooseFound(
  found: readonly FoundServers[],
  { terminal }: Request,
): Promise<readonly FoundServers[] | undefined> {
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  if (!tty) return undefined
  try {
    tty.print([paint('bold', 'Servers on this machine:'), ...toRows(found)])
    for (let tries = 0; tries < maxTries; tries++) {
      const typed = await tty.ask(paint('bold', 'Import which? (all, numbers such as 1 3, or Enter for none) '), terminal.signal) // biome-ignore format: one line
      const chosen = typed === undefined ? [] : toChosen(typed, found)
      if (chosen) return chosen
      tty.print(['Type all, or numbers from the list, then Enter.'])
    }
    return []
  } finally {
    tty.close()
  }
}

/** Lists the servers found and how to import them. */
export function printFound({ found, problems }: ReadClients, { options, terminal }: Request): number {
  if (options.json)
    terminal.print(printableJson({ found: found.map(({ owner, from, path, servers }) => ({ client: owner, from, path, servers: Object.keys(servers) })), problems })) // biome-ignore format: one line
  else {
    if (found.length > 0) terminal.print(...toRows(found))
    terminal.log(
      ...problems,
      found.length > 0
        ? 'Run `toolpact mcp import --all` to import all of them, or `toolpact mcp import CLIENT` for one client. Both ask first.'
        : 'No client on this machine has servers. Run `toolpact mcp add` to add one, or `toolpact mcp import FILE` to read a file.',
    )
  }
  return problems.length > 0 ? exitCodes.failed : exitCodes.success
}

function toRows(found: readonly FoundServers[]): Line[] {
  return toColumns(
    found.map(({ from, path, servers }, index) => {
      const count = Object.keys(servers).length
      return [`${index + 1}`, paint('bold', from), `${count} ${count === 1 ? 'server' : 'servers'}`, paint('dim', path)]
    }),
  )
}

function toChosen(typed: string, found: readonly FoundServers[]): readonly FoundServers[] | undefined {
  const words = typed.trim().toLowerCase().split(/[\s,]+/).filter(Boolean) // biome-ignore format: one line
  if (words.length === 0) return []
  if (words.length === 1 && (words[0] === 'all' || words[0] === 'a')) return found
  const chosen = words.map((word) => (/^\d+$/.test(word) ? found[Number(word) - 1] : undefined))
  return chosen.includes(undefined) ? undefined : found.filter((each) => chosen.includes(each))
}
