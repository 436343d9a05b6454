import type { JsonObject } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { describeGrants, type Grants } from '../../host/lock/grants.ts'
import type { Request } from '../options/command.ts'
import { confirm } from '../terminal/prompt/confirm.ts'
import { paint } from '../terminal/terminal.ts'
import type { GrantMembers } from './change-grants.ts'

interface Proposing {
  /** Of the config; undefined for a server of every folder. */
  readonly folder: string | undefined
  readonly request: Request
  /** Whether it is being added. */
  readonly isNew: boolean
}

/**
 * Starts a server once without network, shows what it wanted and asks whether to grant exactly that. Resolves to the settings
 * of its entry; undefined if nothing is granted.
 */
export async function proposeToUser(
  name: string,
  entry: JsonObject,
  { folder, request, isNew }: Proposing,
): Promise<GrantMembers | undefined> {
  const { options, terminal } = request
  const note = (text: string) => terminal.log([paint('yellow', 'Note:'), ` ${text}`])
  terminal.log(paint('dim', `Starting ${name} once, confined and without network, to see what it needs …`))
  const { proposeGrants } = await import('../../app/isolation/propose-grants.ts')
  const proposal = await proposeGrants(name, entry, { workspace: options.workspace, folder, signal: terminal.signal })
  if ('reason' in proposal) {
    const { state, reason, suggestion } = proposal
    if (state === 'unavailable') note(`${name} is not confined: ${printable(reason)}. To change that: ${printable(suggestion ?? '')}`) // biome-ignore format: one line
    else note(`${name} did not start confined, and is not: ${printable(reason)} If it needs a folder or a host, grant it: toolpact mcp grant ${name} --read DIR --allow-host HOST`) // biome-ignore format: one line
    return undefined
  }
  const { grants } = proposal
  terminal.log(toWanted(grants))
  const answer = options.yes || (await confirm(`Confine ${name} to this: it ${describeGrants(grants)}? (y/n) `, request)) // biome-ignore format: one line
  if (answer) return toMembers(grants)
  if (!isNew && options.json)
    terminal.print(printableJson({ server: name, proposed: grants, command: toCommand(name, grants) })) // biome-ignore format: one line
  else if (answer === undefined)
    note(`There is no terminal to ask at, so nothing was granted. To grant it: ${printable(toCommand(name, grants))}`) // biome-ignore format: one line
  else if (isNew)
    note(`${name} is not confined: it can do what you can. To confine it later: toolpact mcp grant ${name}`) // biome-ignore format: one line
  else terminal.log('Nothing was granted.')
  return undefined
}

function toMembers({ write, network }: Grants): GrantMembers {
  return { write, network }
}

/** The command that grants it. */
function toCommand(name: string, { write, network }: Grants): string {
  const hosts = typeof network === 'string' ? [`--network ${network}`] : network.map((host) => `--allow-host ${host}`)
  return ['toolpact mcp grant', name, ...write.map((path) => `--write ${toShellWord(path)}`), ...hosts].join(' ')
}

function toWanted({ write, network }: Grants): string {
  const folders = write.length > 0 ? `Its arguments name ${write.map((path) => printable(path)).join(', ')}.` : 'Its arguments name no folder.' // biome-ignore format: one line
  const hosts = typeof network === 'string' ? 'It wanted to connect to no host while it started.' : `It wanted to connect to ${network.join(', ')}.` // biome-ignore format: one line
  return `${folders} ${hosts}`
}
