import { operator, toPerson } from '../contract/principal.ts'
import { toShellWord } from '../contract/text/shell-word.ts'
import type { Caller } from '../contract/tool.ts'

/** Whose connections a caller uses. Nobody else gets the operator's credentials. */
export function toOwner(caller: Caller | undefined): string {
  return caller === undefined ? operator : toPerson(caller)
}

/** The command with which somebody connects to a server. */
export function toConnectCommand({ owner, server }: { readonly owner: string; readonly server: string }): string {
  return `toolpact connections add ${server}${owner === operator ? '' : ` --owner ${toShellWord(owner)}`}`
}
