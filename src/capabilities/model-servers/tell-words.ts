import { printable } from '../../contract/text/printable.ts'

const mostCharacters = 400

/** The last of what somebody said, as the end of a message. */
export function tellWords(who: string, words: string): string {
  const shown = printable(words.slice(-mostCharacters).toWellFormed())
  return shown === '' ? '' : ` ${who} says: ${shown}`
}
