import { printable } from '../../../../contract/text/printable.ts'
import { shortenMiddle } from '../../../../contract/text/shorten.ts'

const maxCharacters = 400

/** The end of a program's output, as a sentence to append to a message. */
export function toSaid(who: string, words: string): string {
  const shown = printable(shortenMiddle(words, { start: 0, end: maxCharacters, gap: () => '…' }))
  return shown === '' ? '' : ` ${who} says: ${shown}`
}
