import { printable } from '../../contract/text/printable.ts'

const maxCharacters = 400

/** The last of what somebody said, as the end of a message. */
export function tellWords(who: string, words: string): string {
  const shown = printable(words.slice(-maxCharacters).toWellFormed())
  return shown === '' ? '' : ` ${who} says: ${shown}`
}
