import { printable } from '../../../../contract/text/printable.ts'
import { shortenMiddle } from '../../../../contract/text/shorten.ts'

const maxCharacters = 400

/** The last of what somebody said, as the end of a message. */
export function tellWords(who: string, words: string): string {
  const shown = printable(shortenMiddle(words, { start: 0, end: maxCharacters, gap: () => '…' }))
  return shown === '' ? '' : ` ${who} says: ${shown}`
}
