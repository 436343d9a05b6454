import type { ConfigEditor } from '../../app/config/config-editor.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { describeGrants, type Grants } from '../../host/lock/grants.ts'
import type { Request } from '../options/command.ts'
import { confirm } from '../terminal/prompt/confirm.ts'
import { paint } from '../terminal/terminal.ts'

/**
 * Starts a server once without network, shows what it wanted and asks whether to grant exactly that. Resolves to the settings
 * of its entry; undefined if nothing is granted, so that it runs unconfined.
 */
export async function proposeToUser(
  name: string,
  entry: JsonObject,
  { editor, request }: { readonly editor: ConfigEditor; readonly request: Request },
): Promise<JsonObject | undefined> {
  const { options, terminal } = request
  const note = (text: string) => terminal.log([paint('yellow', 'Note:'), ` ${text}`])
  terminal.log(paint('dim', `Starting ${name} once, confined and without network, to see what it needs …`))
  const { proposeGrants } = await import('../../app/isolation/propose-grants.ts')
  const folder = toFolder(editor)
  const proposal = await proposeGrants(name, entry, { workspace: options.workspace, folder, signal: terminal.signal })
  if ('reason' in proposal) {
    const { state, reason, suggestion } = proposal
    if (state === 'unavailable') note(`${name} is not confined: ${printable(reason)}. To change that: ${printable(suggestion ?? '')}`) // biome-ignore format: one line
    else note(`${name} did not start confined, and is not: ${printable(reason)} If it needs a folder or a host, grant it: toolpact mcp grant ${name} --read DIR --allow-host HOST`) // biome-ignore format: one line
    return undefined
  }
  const { grants } = proposal
  terminal.log(toWanted(grants))
  const isMeant = options.yes || (await confirm(`Confine ${name} to this: it ${describeGrants(grants)}? (y/n) `, request)) // biome-ignore format: one line
  if (isMeant) return { write: [...grants.write], network: typeof grants.network === 'string' ? grants.network : [...grants.network] } // biome-ignore format: one line
  note(`${name} is not confined: it can do what you can. To confine it later: toolpact mcp grant ${name}`)
  return undefined
}

/** Servers of every folder have no folder of their own. */
export function toFolder({ scope, folder }: ConfigEditor): string | undefined {
  return scope === 'everywhere' ? undefined : folder
}

function toWanted({ write, network }: Grants): string {
  const folders = write.length > 0 ? `Its arguments name ${write.map((path) => printable(path)).join(', ')}.` : 'Its arguments name no folder.' // biome-ignore format: one line
  const hosts = typeof network === 'string' ? 'It wanted to connect to no host while it started.' : `It wanted to connect to ${network.join(', ')}.` // biome-ignore format: one line
  return `${folders} ${hosts}`
}
