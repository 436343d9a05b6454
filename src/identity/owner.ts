import { operator, toPerson } from '../contract/principal.ts'
import { toShellWord } from '../contract/text/shell-word.ts'
import type { Caller } from '../contract/tool.ts'

/** Whose connections a caller uses. Nobody else gets the operator's credentials. */
export function toOwner(caller: Caller | undefined): string {
  return caller === undefined ? operator : toPerson(caller)
}

/**
 * Whose exchanged token and MCP connection a caller uses. Not by name alone: a token with fewer scopes, or of another issuer, never
 * gets what was exchanged for another one.
 */
export function toExchangeOwner({ name, issuer, subject, scopes }: Caller): string {
  return JSON.stringify([name, issuer, subject, scopes && [...scopes].sort()])
}

/** The command with which somebody connects to a server. */
export function toConnectCommand({ owner, server, scope }: ConnectTarget): string {
  const whose = owner === operator ? '' : ` --owner ${toShellWord(owner)}`
  return `toolpact connections add ${server}${whose}${scope === undefined ? '' : ` --scope ${toShellWord(scope)}`}`
}

interface ConnectTarget {
  readonly owner: string
  readonly server: string
  /** Scopes that are needed besides the usual ones. */
  readonly scope?: string | undefined
}
