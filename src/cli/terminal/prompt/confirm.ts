import type { Request } from '../../options/command.ts'
import { paint } from '../terminal.ts'

/** Asks a yes-or-no question. Undefined if there is no terminal to ask at. */
export async function confirm(question: string, { terminal, options }: Request): Promise<boolean | undefined> {
  const { openTty } = await import('./open-tty.ts')
  const tty = options.json ? undefined : openTty()
  if (!tty) return undefined
  const answer = await tty.ask(paint('bold', question), terminal.signal).finally(tty.close)
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '')
}
