import type { Finding } from '../../contract/diff/change.ts'
import { printable } from '../../contract/text/printable.ts'
import { type Line, paint } from './terminal.ts'

interface ChangeOptions {
  readonly indent?: string
  /** Its words are flagged, so that a person must read them. */
  readonly isFlagged?: boolean
}

/** Formats a change: breaking or not, category and location, with the message below. */
export function toChangeLines(
  { category, breaking, pointer, message }: Finding,
  { indent = '  ', isFlagged = false }: ChangeOptions = {},
): Line[] {
  const toRead = isFlagged && category === 'words' ? paint('yellow', 'flagged ') : paint('dim', 'ok      ')
  const mark = breaking ? paint('red', 'breaking') : toRead
  const place = pointer === '' ? '' : `  ${printable(pointer)}`
  return [[indent, mark, `  ${category.padEnd(6)}`, paint('cyan', place)], `${indent}          ${printable(message)}`]
}
