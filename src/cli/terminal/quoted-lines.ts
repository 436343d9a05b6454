import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { type Line, paint } from './terminal.ts'

const maxLines = 30
const maxCharacters = 500

/** The beginning of a text of others, each line marked as quoted. */
export function toQuotedLines(text: string, indent: string): Line[] {
  const lines = text.split(/\r?\n/)
  const shown = lines.slice(0, maxLines).map((line) => `${indent}> ${printable(shorten(line, maxCharacters))}`)
  const more = lines.length - shown.length
  return [...shown, ...(more > 0 ? [paint('dim', `${indent}  … ${more} more lines`)] : [])]
}
