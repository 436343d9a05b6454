import type { Mark } from './inline-writer.ts'
import type { Element } from './tree.ts'

/** In plain text too, so that a crossed-out price is not read as the price. */
export const deleted: Mark = { start: '~~', end: '~~' }

export function isDeleted({ tag, attributes: { style } }: Element): boolean {
  return tag === 'del' || tag === 's' || tag === 'strike' || (style !== undefined && /line-through/i.test(style))
}
