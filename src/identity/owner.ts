import { toShellWord } from '../contract/text/shell-word.ts'
import type { Caller } from '../contract/tool.ts'

/** The person who runs this Toolpact: their terminal, programs and local clients. */
export const operator = 'local'

/** Callers that are the operator. Everyone else is somebody of their own, and never gets the operator's credentials. */
const ownCallers: readonly string[] = [operator, 'cli', 'library', 'stdio', 'agent']

/** Whose connections a caller uses. */
export function toOwner(caller: Caller | undefined): string {
  return caller === undefined || ownCallers.includes(caller.name) ? operator : caller.name
}

/** The command with which somebody connects to a server. */
export function toConnectCommand({ owner, server }: { readonly owner: string; readonly server: string }): string {
  return `toolpact connections add ${server}${owner === operator ? '' : ` --owner ${toShellWord(owner)}`}`
}
