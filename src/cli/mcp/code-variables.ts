import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { findCodeVariables } from '../../policy/code-variables.ts'
import { isSecretName } from '../../policy/secret-name.ts'
import type { Request } from '../options/command.ts'
import { confirm } from '../terminal/prompt/confirm.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import type { Reached } from './describe-server.ts'

const maxCharacters = 200

/** One line per variable that makes a server run code which its command does not name. */
export function toCodeVariableLines({ env = {} }: Reached): Line[] {
  return findCodeVariables(env).map(({ name, value, why }) => {
    const shown = isSecretName(name) ? '…' : shorten(value, maxCharacters)
    return [paint('red', `   ! ${printable(`${name}=${shown}`)}`), ` ${why}`]
  })
}

export function toCodeVariableNames({ env = {} }: Reached): string[] {
  return findCodeVariables(env).map(({ name }) => name)
}

/** Asks about such variables, if any. Without a terminal the answer is no. */
export async function areCodeVariablesMeant(name: string, entry: Reached, request: Request): Promise<boolean> {
  const variables = toCodeVariableNames(entry)
  if (variables.length === 0) return true
  const question = `${printable(name)} sets ${printable(variables.join(', '))}, so that its program runs other code. Use it all the same? (y/N) `
  return (await confirm(question, request)) === true
}
