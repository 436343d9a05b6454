import type { Element } from '../tree.ts'

const most = 300

/** What an element says about its role: its classes and the like, as far as a person would read them. */
export function marksOf({ attributes }: Element): string {
  const { class: classes, id, itemprop, rel } = attributes
  if (classes === undefined && id === undefined && itemprop === undefined && rel === undefined) return ''
  return `${cut(itemprop)} ${cut(rel)} ${cut(id)} ${cut(classes)}`
}

function cut(text: string | undefined): string {
  return text === undefined ? '' : text.slice(0, most)
}
