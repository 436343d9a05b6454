import type { Caller } from '../contract/tool.ts'

/** The person who runs this Toolpact: their terminal, programs and local clients. */
export const operator = 'local'

/** Callers that are the operator. Everyone else is somebody of their own, and never gets the operator's credentials. */
const ownCallers: readonly string[] = [operator, 'cli', 'library', 'stdio', 'agent']

/** Whose connections a caller uses. */
export function toOwner(caller: Caller | undefined): string {
  return caller === undefined || ownCallers.includes(caller.name) ? operator : caller.name
}
