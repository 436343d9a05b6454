import type { Finding } from '../../contract/diff/change.ts'
import { printable } from '../../contract/text/printable.ts'
import { type Line, paint } from './terminal.ts'

/** Formats a change: breaking or not, category and location, with the message below. */
export function toChangeLines({ category, breaking, pointer, message }: Finding, indent = '  '): Line[] {
  const mark = breaking ? paint('red', 'breaking') : paint('dim', 'ok      ')
  const place = pointer === '' ? '' : `  ${printable(pointer)}`
  return [[indent, mark, `  ${category.padEnd(6)}`, paint('cyan', place)], `${indent}          ${printable(message)}`]
}
